import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { ProductPage } from './product-page-contract.ts'
import * as catalogue from './rules.ts'

const ddr5 = { memory_type: 'DDR5', form_factor: '288-pin DIMM', ecc: false, registered: 'Unbuffered' }
const kit = (name: string, price: number, capacity: number, specs: object = {}) => ({
  ...{ name, price, category: 'memory', specs: { ...ddr5, capacity_gb: capacity, speed_mts: 6000, ...specs } },
})

type Given = Partial<catalogue.ProductRecord> & { name: string }

/** Puts parts on the shelves and answers with the page of the first. */
async function pageOfFirst(store: Store, given: Given[]): Promise<ProductPage> {
  await catalogue.addProducts(
    store.db,
    given.map((part) => ({ description: 'A part.', price: 100, minimum_order_quantity: 1, available_quantity: 50, ...part })),
  )
  await store.search.catchUp()
  const all: { _id: string; name: string }[] = (await store.visitor.request('GET', '/tools')).json()
  const page = await store.visitor.request('GET', `/products/${all.find(({ name }) => name === given[0]?.name)?._id}`)
  assert.equal(page.statusCode, 200, page.body)
  return page.json()
}

test('what can replace a part agrees in what decides in its kind, is in stock, and says how it differs: cheaper and no worse, or better', async () => {
  await using store = await anEmptyStore()
  const { replacements, related } = await pageOfFirst(store, [
    kit('asked for', 100, 32),
    kit('cheaper', 88, 32),
    kit('more for less', 90, 64),
    kit('larger', 130, 64),
    kit('faster', 120, 32, { speed_mts: 6400 }),
    kit('too dear', 400, 96),
    kit('smaller', 50, 16),
    kit('slower', 60, 32, { speed_mts: 4800 }),
    kit('for laptops', 70, 32, { form_factor: '262-pin SO-DIMM' }),
    kit('of another type', 70, 32, { memory_type: 'DDR4' }),
    kit('of unknown type', 70, 32, { memory_type: undefined }),
    { ...kit('sold out', 70, 32), available_quantity: 0 },
  ])
  assert.deepEqual(
    replacements.map(({ part, advantage, differences }) => [part.name, advantage, differences.join(', ')]),
    [
      ['cheaper', 'cheaper', '$12 less'],
      ['more for less', 'cheaper', '$10 less, Capacity 64 GB instead of 32 GB'],
      ['larger', 'better', '$30 more, Capacity 64 GB instead of 32 GB'],
      ['faster', 'better', '$20 more, Speed 6,400 MT/s instead of 6,000 MT/s'],
    ],
  )
  assert.deepEqual(related, [], 'others of its kind are shown where nothing can replace it')
})

test('a part that does not state what decides has no replacements, but others of its kind', async () => {
  await using store = await anEmptyStore()
  const { replacements, related } = await pageOfFirst(store, [
    kit('asked for', 100, 32, { memory_type: undefined }),
    kit('cheaper', 88, 32),
  ])
  assert.deepEqual([replacements.length, related.map(({ name }) => name)], [0, ['cheaper']])
})

test('a replacement of a cooler fits all sockets that the cooler fits, and is no taller', async () => {
  await using store = await anEmptyStore()
  const cooler = (name: string, price: number, sockets: string[], height_mm: number) => ({
    ...{ name, price, category: 'cpu-cooler', specs: { sockets, water_cooled: false, height_mm } },
  })
  const { replacements } = await pageOfFirst(store, [
    cooler('asked for', 50, ['AM4', 'AM5'], 155),
    cooler('of one socket', 30, ['AM5'], 150),
    cooler('taller', 30, ['AM4', 'AM5'], 165),
    cooler('fits', 40, ['AM5', 'LGA1700', 'AM4'], 150),
  ])
  assert.deepEqual(
    replacements.map(({ part, differences }) => [part.name, ...differences]),
    [['fits', '$10 less', 'Height 150 mm instead of 155 mm']],
  )
})

test('of a part that is out of stock the nearest that is in stock is named, though it costs more', async () => {
  await using store = await anEmptyStore()
  const { replacements } = await pageOfFirst(store, [{ ...kit('asked for', 100, 32), available_quantity: 0 }, kit('in stock', 104, 32)])
  assert.deepEqual(
    replacements.map(({ part, advantage, differences }) => [part.name, advantage, ...differences]),
    [['in stock', 'in_stock', '$4 more']],
  )
})

test('what goes with a part fits it by the attributes of both kinds, is in stock, and its link finds all of it', async () => {
  await using store = await anEmptyStore()
  const board = (name: string, socket: string, memory_type: string, more: Partial<catalogue.ProductRecord> = {}) => ({
    ...{ name, category: 'motherboard', specs: { socket, memory_type, form_factor: 'ATX' }, ...more },
  })
  const { goes_with: goesWith } = await pageOfFirst(store, [
    { name: 'processor', category: 'cpu', specs: { socket: 'LGA1700', memory_types: ['DDR4', 'DDR5'], cores: 8 } },
    ...['one', 'two', 'three', 'four'].map((name) => board(`board ${name}`, 'LGA1700', 'DDR5')),
    board('board with DDR4', 'LGA1700', 'DDR4'),
    board('board with DDR3', 'LGA1700', 'DDR3'),
    board('board of another socket', 'AM5', 'DDR5'),
    board('board that is sold out', 'LGA1700', 'DDR5', { available_quantity: 0 }),
    { name: 'cooler', category: 'cpu-cooler', specs: { sockets: ['AM4', 'LGA1700'] } },
    { name: 'cooler of another socket', category: 'cpu-cooler', specs: { sockets: ['AM4'] } },
  ])
  assert.deepEqual(
    goesWith.map(({ category, fits, total, parts }) => [category.label, fits.join(', '), total, parts.length]),
    [
      ['Motherboards', 'LGA1700, DDR4 or DDR5', 5, 3],
      ['CPU coolers', 'LGA1700', 1, 1],
    ],
  )
  const listed = (await store.visitor.request('GET', `/search?${goesWith[0]?.query}`)).json()
  assert.deepEqual(listed.tools.map(({ name }: { name: string }) => name).sort(), [
    'board four',
    'board one',
    'board three',
    'board two',
    'board with DDR4',
  ])
})

test('a case goes with cards and coolers that are not too long for it, and with nothing where it does not state how long', async () => {
  await using store = await anEmptyStore()
  const card = (length_mm: number) => ({ name: `card of ${length_mm} mm`, category: 'video-card', specs: { length_mm, slots: 2 } })
  const { goes_with: goesWith } = await pageOfFirst(store, [
    { name: 'case', category: 'case', specs: { max_gpu_mm: 320, expansion_slots: 7 } },
    card(321),
    card(320),
    card(200),
    { name: 'cooler', category: 'cpu-cooler', specs: { sockets: ['AM5'], height_mm: 100 } },
  ])
  assert.deepEqual(
    goesWith.map(({ category, fits, parts }) => [category.value, fits, parts.map(({ name }) => name)]),
    [['video-card', ['Length up to 320 mm', 'Slots taken up to 7'], ['card of 320 mm', 'card of 200 mm']]],
  )
})
