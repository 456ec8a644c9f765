import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overloadedError } from '#platform/concurrency-limiter.ts'
import { findReviewsOnProductPage } from '#store/reviews/product-reviews.ts'
import { findByFiltersIn } from '#store/search/find-by-filters.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { ProductPage } from './product-page-contract.ts'
import { type AskedOfOthers, getProductPage } from './product-pages.ts'
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

test('what comes with a heat sink is replaced only by what does', async () => {
  await using store = await anEmptyStore()
  const drive = (name: string, price: number) => ({
    ...{ name, price, category: 'storage' },
    specs: { drive_type: 'M.2 NVMe SSD', form_factor: 'M.2 2280', interface: 'M.2 PCIe 4.0 x4', capacity_gb: 1000 },
  })
  const { replacements } = await pageOfFirst(store, [
    drive('Swift 1 with heatsink', 100),
    drive('Swift 2', 80),
    drive('Swift 3 w/ Heatsink', 90),
  ])
  assert.deepEqual(
    replacements.map(({ part }) => part.name),
    ['Swift 3 w/ Heatsink'],
  )
})

test('each search of a product page waits for a turn of who asks, and a page that gets none is refused, not answered without what fits', async () => {
  await using store = await anEmptyStore()
  const { part } = await pageOfFirst(store, [kit('asked for', 100, 32), kit('cheaper', 80, 32)])
  const asking: string[] = []
  let [isInTurn, turnsLeft] = [false, 2]
  const asked: AskedOfOthers = {
    findByFilters: (...filters) => {
      assert.ok(isInTurn, 'searched out of turn')
      return findByFiltersIn(store.search)(...filters)
    },
    inSearchTurn: async (work, client) => {
      if (turnsLeft-- === 0) throw overloadedError()
      asking.push(client)
      isInTurn = true
      const found = work()
      isInTurn = false
      return found
    },
    qrCodeOfPage: () => '',
    findDeliveryOffer: async () => null,
    findReviews: (productId) => findReviewsOnProductPage(store.db, productId),
  }

  const { replacements } = await getProductPage(store.db, part._id, asked, 'a network')
  assert.deepEqual([replacements[0]?.part.name, ...asking], ['cheaper', 'a network', 'a network'])

  for (const turns of [0, 1]) {
    turnsLeft = turns
    await assert.rejects(getProductPage(store.db, part._id, asked, 'a network'), { status: 503 })
  }
})

test('a part that does not state what decides has no replacements, but others of its kind', async () => {
  await using store = await anEmptyStore()
  const { replacements, related } = await pageOfFirst(store, [
    kit('asked for', 100, 32, { memory_type: undefined }),
    kit('cheaper', 88, 32),
  ])
  assert.deepEqual([replacements.length, related.map(({ name }) => name)], [0, ['cheaper']])
})

test('a drive that states its cache is replaced only by drives that state as much', async () => {
  await using store = await anEmptyStore()
  const drive = (name: string, price: number, cache_mb?: number) => ({
    ...{ name, price, category: 'storage' },
    specs: { drive_type: 'M.2 NVMe SSD', form_factor: 'M.2 2280', interface: 'M.2 PCIe 4.0 x4', capacity_gb: 2000, cache_mb },
  })
  const shown = async (...given: Given[]) => (await pageOfFirst(store, given)).replacements.map(({ part }) => part.name)
  assert.deepEqual(await shown(drive('asked for', 200, 2048), drive('none', 100), drive('less', 100, 512), drive('as much', 150, 2048)), [
    'as much',
  ])
})

test('a replacement of a cooler fits all sockets that the cooler fits, and is no taller, nor much flatter', async () => {
  await using store = await anEmptyStore()
  const cooler = (name: string, price: number, sockets: string[], height_mm: number) => ({
    ...{ name, price, category: 'cpu-cooler', specs: { sockets, water_cooled: false, height_mm } },
  })
  const { replacements } = await pageOfFirst(store, [
    cooler('asked for', 50, ['AM4', 'AM5'], 155),
    cooler('of one socket', 30, ['AM5'], 150),
    cooler('taller', 30, ['AM4', 'AM5'], 165),
    cooler('a size smaller', 30, ['AM4', 'AM5'], 140),
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
  for (const price of [97, 98, 98.5, 99, 100]) {
    await using other = await anEmptyStore()
    const page = await pageOfFirst(other, [{ ...kit('asked for', 100, 32), available_quantity: 0 }, kit('in stock', price, 32)])
    assert.deepEqual(
      page.replacements.map(({ part }) => part.name),
      ['in stock'],
      `at $${price}`,
    )
  }
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
      ['Motherboards', 'LGA1700, DDR4 or DDR5', 5, 2],
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

test('a card goes with power supplies that have its plug and 400 W more than it draws, and they with such cards', async () => {
  const supply = (name: string, wattage_w: number, connectors: object) => ({
    name,
    category: 'power-supply',
    specs: { wattage_w, connectors },
  })
  const card = (name: string, tdp_w: number, power_connectors: object) => ({
    name,
    category: 'video-card',
    specs: { tdp_w, power_connectors },
  })
  const both = { pcie_12vhpwr: 1, pcie_6_plus_2_pin: 3 }
  const supplies = [
    supply('with both', 850, both),
    supply('too weak', 600, both),
    supply('with the older plug', 850, { pcie_6_plus_2_pin: 4 }),
    supply('of unknown plugs', 850, {}),
  ]
  const cards = [
    card('with the new plug', 285, { pcie_12VHPWR: 1 }),
    card('with older plugs', 300, { pcie_8_pin: 2 }),
    card('too hungry', 575, {}),
  ]
  const fitting = async (given: Given[]) => {
    await using store = await anEmptyStore()
    return (await pageOfFirst(store, given)).goes_with.map(({ category, fits, parts }) => [
      category.value,
      ...fits,
      ...parts.map(({ name }) => name).sort(),
    ])
  }
  const [newer, older] = cards
  assert.ok(newer && older)
  assert.deepEqual(await fitting([newer, ...supplies]), [['power-supply', 'Power from 685 W', 'with both']])
  assert.deepEqual(await fitting([older, ...supplies]), [['power-supply', 'Power from 700 W', 'with both', 'with the older plug']])
  assert.deepEqual(await fitting([supply('of 850 W', 850, both), ...cards]), [
    ['video-card', 'Power draw (TDP) up to 450 W', 'with older plugs', 'with the new plug'],
  ])
  assert.deepEqual(await fitting([supply('of 300 W', 300, both), ...cards]), [], 'less than the rest of a computer needs')
})

test('a board goes with memory that it has slots and room for, and a water cooler with fans of its radiator but with no case, since cases do not state radiators', async () => {
  const fitting = async (given: Given[]) => {
    await using store = await anEmptyStore()
    return (await pageOfFirst(store, given)).goes_with.map(({ category, fits, parts }) => [
      category.value,
      fits,
      parts.map(({ name }) => name),
    ])
  }
  const board = { socket: 'AM5', memory_type: 'DDR5', form_factor: 'ATX', memory_slots: 2, memory_max_gb: 64 }
  assert.deepEqual(
    await fitting([
      { name: 'board', category: 'motherboard', specs: board },
      kit('fits', 100, 64, { modules: 2 }),
      kit('too many modules', 100, 64, { modules: 4 }),
      kit('too large', 100, 96, { modules: 2 }),
    ]),
    [['memory', ['DDR5', 'Capacity up to 64 GB', 'Modules up to 2'], ['fits']]],
  )
  assert.deepEqual(
    await fitting([
      { name: 'water cooler', category: 'cpu-cooler', specs: { sockets: ['AM5'], water_cooled: true, radiator_mm: 360, height_mm: 60 } },
      { name: 'case', category: 'case', specs: { max_cooler_mm: 170 } },
      { name: 'fan of 120 mm', category: 'case-fan', specs: { size_mm: 120 } },
      { name: 'fan of 140 mm', category: 'case-fan', specs: { size_mm: 140 } },
    ]),
    [['case-fan', ['120 mm'], ['fan of 120 mm']]],
  )
})

test('a drive goes with cases that have a bay for it, and the first rule that applies is the one for a category', async () => {
  await using store = await anEmptyStore()
  const { goes_with: goesWith } = await pageOfFirst(store, [
    { name: 'drive', category: 'storage', specs: { form_factor: '3.5"', drive_type: '3.5" SATA HDD' } },
    { name: 'case with bays', category: 'case', specs: { bays_35: 2, bays_25: 0 } },
    { name: 'case without', category: 'case', specs: { bays_35: 0, bays_25: 2 } },
    { name: 'case that does not say', category: 'case', specs: {} },
  ])
  assert.deepEqual(
    goesWith.map(({ category, fits, parts }) => [category.value, fits.length, parts.map(({ name }) => name)]),
    [['case', 1, ['case with bays']]],
  )
})

const describeReplacements = ({ replacements }: ProductPage) =>
  replacements.map(({ part, advantage, differences, losses }) =>
    [part.name, advantage, ...differences, ...losses.map((loss) => `but ${loss}`)].join(' | '),
  )

test('a memory kit is replaced by kits of as many modules and as low a latency, in its colour, never by laptop memory', async () => {
  await using store = await anEmptyStore()
  const white = { modules: 2, cas: 30, color: ['WHITE'], rgb: true }
  const page = await pageOfFirst(store, [
    kit('asked for', 100, 32, white),
    kit('of one module', 60, 32, { ...white, modules: 1 }),
    kit('for laptops', 60, 32, { ...white, form_factor: '262-pin SO-DIMM' }),
    kit('of an unknown form', 60, 32, { ...white, form_factor: undefined }),
    kit('of higher latency', 60, 32, { ...white, cas: 40 }),
    kit('of another colour', 60, 32, { ...white, color: ['BLACK'] }),
    kit('without lights', 80, 32, { ...white, rgb: undefined }),
    kit('fits', 90, 32, white),
  ])
  assert.deepEqual(describeReplacements(page), [
    'without lights | cheaper | $20 less | but RGB lighting not stated instead of Yes',
    'fits | cheaper | $10 less',
  ])
})

test('memory that does not state whether it is for laptops has no replacements', async () => {
  await using store = await anEmptyStore()
  const unknown = { form_factor: undefined }
  assert.deepEqual(describeReplacements(await pageOfFirst(store, [kit('asked for', 100, 32, unknown), kit('cheaper', 80, 32)])), [])
})

test('a board that has Wi-Fi, ECC and fast Ethernet is replaced by boards that have them at least as good; what a board is unknown to have, it lacks', async () => {
  await using store = await anEmptyStore()
  const has = {
    ...{ socket: 'AM5', form_factor: 'ATX', memory_type: 'DDR5', memory_slots: 4, chipset: 'AMD B650E' },
    ...{ wifi: 'Wi-Fi 6E', ecc: true, ethernet: [{ speed: '2.5 Gb/s', controller: 'Realtek' }] },
  }
  const board = (name: string, price: number, specs: object = {}) => ({
    ...{ name, price, category: 'motherboard', specs: { ...has, ...specs } },
  })
  const page = await pageOfFirst(store, [
    board('asked for', 200),
    board('without Wi-Fi', 100, { wifi: 'None' }),
    board('of unknown Wi-Fi', 100, { wifi: undefined }),
    board('with older Wi-Fi', 100, { wifi: 'Wi-Fi 6' }),
    board('with slow Ethernet', 100, { ethernet: [{ speed: '1 Gb/s', controller: 'Realtek' }] }),
    board('without ECC', 100, { ecc: false }),
    board('with another chipset', 150, { chipset: 'AMD B650', ethernet: [{ speed: '2.5 Gb/s', controller: 'Intel' }] }),
    board('with more', 160, { wifi: 'Wi-Fi 7', ethernet: [{ speed: '1 Gb/s' }, { speed: '10 Gb/s' }] }),
  ])
  assert.deepEqual(describeReplacements(page), [
    'with another chipset | cheaper | $50 less | but Chipset AMD B650 instead of AMD B650E',
    'with more | cheaper | $40 less | Wi-Fi 7 instead of Wi-Fi 6E | Ethernet 1 Gb/s, 10 Gb/s instead of 2.5 Gb/s (Realtek)',
  ])
})

test('a power supply is replaced by those with as good a rating, as loose cables and as many of each plug', async () => {
  await using store = await anEmptyStore()
  const has = { wattage_w: 1000, form_factor: 'ATX', efficiency: '80+ Platinum', modular: 'Semi-Modular', color: ['BLACK'] }
  const plugs = { eps_8_pin: 2, pcie_12vhpwr: 1, sata: 8 }
  const supply = (name: string, price: number, specs: object = {}) => ({
    ...{ name, price, category: 'power-supply', specs: { ...has, connectors: plugs, ...specs } },
  })
  const page = await pageOfFirst(store, [
    supply('asked for', 300),
    ...Array.from({ length: 10 }, (_, nth) => supply(`with one EPS plug ${nth}`, 100 + nth, { connectors: { ...plugs, eps_8_pin: 1 } })),
    supply('without 12VHPWR', 100, { connectors: { eps_8_pin: 2, sata: 8 } }),
    supply('of unknown plugs', 100, { connectors: undefined }),
    supply('rated lower', 100, { efficiency: '80+ Gold' }),
    supply('unrated', 100, { efficiency: undefined }),
    supply('with fixed cables', 100, { modular: 'Non-Modular' }),
    supply('with more plugs', 200, { connectors: { ...plugs, sata: 12 }, color: ['WHITE'] }),
    supply('rated higher', 250, { efficiency: '80+ Titanium', modular: 'Full' }),
  ])
  assert.deepEqual(describeReplacements(page), [
    'with more plugs | cheaper | $100 less | but Colour White instead of Black',
    'rated higher | cheaper | $50 less | Efficiency 80+ Titanium instead of 80+ Platinum | Modular cables Full instead of Semi-Modular',
  ])
})

test('a graphics card is replaced by cards of its colour, a processor with graphics by one with any, and all that is lost is said', async () => {
  const card = (name: string, price: number, specs: object = {}) => ({
    ...{ name, price, category: 'video-card' },
    specs: {
      chipset: 'GeForce RTX 4070',
      vram_gb: 12,
      color: ['WHITE'],
      boost_mhz: 2550,
      outputs: { hdmi_2_1: 2 },
      cooling: '3 Fans',
      ...specs,
    },
  })
  await using store = await anEmptyStore()
  assert.deepEqual(
    describeReplacements(
      await pageOfFirst(store, [
        card('asked for', 500),
        card('black', 400, { color: ['BLACK'] }),
        card('less', 450, { boost_mhz: 2500, outputs: { hdmi_2_1: 1 }, cooling: '2 Fans' }),
      ]),
    ),
    [
      'less | cheaper | $50 less | but Boost clock 2,500 MHz instead of 2,550 MHz | but Display outputs 1 x HDMI 2.1 instead of 2 x HDMI 2.1 | but Cooling 2 Fans instead of 3 Fans',
    ],
  )
  const processor = (name: string, price: number, igpu?: string) => ({
    ...{ name, price, category: 'cpu', specs: { socket: 'AM5', cores: 8, igpu } },
  })
  await using another = await anEmptyStore()
  const page = await pageOfFirst(another, [
    processor('one', 300, 'Radeon'),
    processor('none', 200),
    processor('another', 250, 'Graphics 2'),
  ])
  assert.deepEqual(describeReplacements(page), ['another | cheaper | $50 less | but Integrated graphics Graphics 2 instead of Radeon'])
})

const describeGoesWith = ({ goes_with: goesWith }: ProductPage) =>
  goesWith.map(({ category, fits, parts }) => [category.value, fits.join(', '), ...parts.map(({ name }) => name)])

test('of power supplies from a wattage those that hardly have more are shown first, of a middle price and none dearer than the card', async () => {
  const supply = (wattage_w: number, price: number) => ({
    ...{ name: `${wattage_w} W for ${price}`, price, category: 'power-supply', specs: { wattage_w } },
  })
  const supplies = [
    ...[450, 420].flatMap((watts) => [30, 40, 50, 60, 70].map((price) => supply(watts, price))),
    supply(1200, 45),
    supply(400, 45),
  ]
  const card = (price: number) => ({ name: 'card', price, category: 'video-card', specs: { tdp_w: 19 } })
  await using store = await anEmptyStore()
  const page = await pageOfFirst(store, [card(500), ...supplies])
  const shown = describeGoesWith(page)[0] ?? []
  assert.deepEqual(shown.slice(0, 2), ['power-supply', 'Power from 419 W'])
  assert.ok(shown.length === 5 && shown.slice(2).every((name) => /^4[25]0 W for [456]0$/.test(name)), `${shown}`)
  const listed = (await store.visitor.request('GET', `/search?${page.goes_with[0]?.query}`)).json()
  const names: string[] = listed.tools.map(({ name }: { name: string }) => name.split(' for ')[0])
  assert.deepEqual([...new Set(names)], ['420 W', '450 W', '1200 W'])

  await using another = await anEmptyStore()
  const ofCheap = describeGoesWith(await pageOfFirst(another, [card(42), ...supplies]))[0] ?? []
  assert.ok(ofCheap.length === 5 && ofCheap.slice(2).every((name) => /^4[25]0 W for [34]0$/.test(name)), `${ofCheap}`)

  await using few = await anEmptyStore()
  const ofFew = await pageOfFirst(few, [card(500), supply(1200, 45), supply(600, 45), supply(450, 45), supply(1600, 45)])
  assert.deepEqual(describeGoesWith(ofFew), [['power-supply', 'Power from 419 W', '450 W for 45', '600 W for 45', '1200 W for 45']])
})

test('a case shows boards of the largest form that fits it first, and tall coolers before flat ones', async () => {
  await using store = await anEmptyStore()
  const board = (form_factor: string) => ({ name: `${form_factor} board`, category: 'motherboard', specs: { form_factor } })
  const cooler = (height_mm: number) => ({ name: `${height_mm} mm`, category: 'cpu-cooler', specs: { height_mm, water_cooled: false } })
  const page = await pageOfFirst(store, [
    { name: 'case', category: 'case', specs: { motherboard_form_factors: ['Mini-ITX', 'Micro ATX', 'ATX'], max_cooler_mm: 165 } },
    ...['Mini-ITX', 'EATX', 'Micro ATX', 'ATX'].map(board),
    ...[36, 170, 158, 120].map(cooler),
  ])
  assert.deepEqual(describeGoesWith(page), [
    ['motherboard', 'Mini-ITX or Micro ATX or ATX', 'ATX board', 'Micro ATX board', 'Mini-ITX board'],
    ['cpu-cooler', 'Height up to 165 mm', '158 mm', '120 mm', '36 mm'],
  ])
})

test('an M.2 drive goes with boards that have a slot for its size, none for Wi-Fi cards alone, and boards with what fits their slots', async () => {
  await using store = await anEmptyStore()
  const board = (name: string, ...slots: [size: string, key: string][]) => {
    const m2_slots = slots.map(([size, key]) => ({ size, key, interface: 'PCIe x4' }))
    return { name, category: 'motherboard', specs: { m2_count: slots.length, m2_slots } }
  }
  const drive = (form_factor: string) => ({ name: form_factor, category: 'storage', specs: { form_factor, drive_type: 'M.2 NVMe SSD' } })
  const boards = [
    board('for short drives', ['2242-2260', 'M'], ['2280', 'E']),
    board('for Wi-Fi', ['2230', 'E']),
    board('for all', ['2230/ 2242-22110', 'M']),
    board('without'),
  ]
  assert.deepEqual(describeGoesWith(await pageOfFirst(store, [drive('M.2 2280'), ...boards])), [['motherboard', 'M.2 2280', 'for all']])
  await using another = await anEmptyStore()
  assert.deepEqual(describeGoesWith(await pageOfFirst(another, [...boards, drive('M.2 2280'), drive('M.2 2260')])), [
    ['storage', 'M.2 2242 or M.2 2260', 'M.2 2260'],
  ])
})

test('a monitor goes with no cards, since nothing decides between them', async () => {
  await using store = await anEmptyStore()
  const monitor = { name: 'monitor', category: 'monitor', specs: { resolution: '3440x1440', connectors: '1 x DisplayPort 1.4' } }
  const card = { name: 'card', category: 'video-card', specs: { outputs: { displayport_1_4a: 3 } } }
  assert.deepEqual(describeGoesWith(await pageOfFirst(store, [monitor, card])), [])
})

test('a fan is replaced by packs of as many fans', async () => {
  await using store = await anEmptyStore()
  const fans = (name: string, price: number, quantity?: number) => ({
    ...{ name, price, category: 'case-fan', specs: { size_mm: 120, connector: '4-pin', quantity } },
  })
  const page = await pageOfFirst(store, [fans('pack of five', 30, 5), fans('one', 7, 1), fans('one or more', 7), fans('five', 25, 5)])
  assert.deepEqual(describeReplacements(page), ['five | cheaper | $5 less'])
})
