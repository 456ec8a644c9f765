import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEmptyStore } from '#test/store.ts'
import type { ProductPage } from './product-page-contract.ts'
import { type Given, kit, pageOfFirst } from './product-page-test-actions.ts'
import type * as catalogue from './rules.ts'

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
      ['Motherboards', 'LGA1700, DDR4 or DDR5, some need a newer BIOS first', 5, 2],
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

test('a card goes with power supplies that have its plug and power for the rest of a computer, and they with such cards', async () => {
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
  assert.deepEqual(await fitting([newer, ...supplies]), [['power-supply', 'Power from 700 W', 'with both']])
  assert.deepEqual(await fitting([older, ...supplies]), [['power-supply', 'Power from 750 W', 'with both', 'with the older plug']])
  const drawing = (tdp_w: number) => fitting([card('without plugs', tdp_w, {}), supply('weak', 300, both), supply('strong', 850, both)])
  assert.deepEqual(await drawing(75), [['power-supply', 'Power from 300 W', 'strong', 'weak']])
  assert.deepEqual(await drawing(76), [['power-supply', 'Power from 450 W', 'strong']])
  assert.deepEqual(await fitting([supply('of 850 W', 850, both), ...cards]), [
    ['video-card', 'Power draw (TDP) up to 412 W', 'with older plugs', 'with the new plug'],
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

const describeGoesWith = ({ goes_with: goesWith }: ProductPage) =>
  goesWith.map(({ category, fits, parts }) => [category.value, fits.join(', '), ...parts.map(({ name }) => name)])

test('of power supplies from a wattage those that hardly have more are shown first, of a middle price and none dearer than the card', async () => {
  const supply = (wattage_w: number, price: number) => ({
    ...{ name: `${wattage_w} W for ${price}`, price, category: 'power-supply', specs: { wattage_w } },
  })
  const supplies = [
    ...[480, 450].flatMap((watts) => [30, 40, 50, 60, 70].map((price) => supply(watts, price))),
    supply(1200, 45),
    supply(400, 45),
  ]
  const card = (price: number) => ({ name: 'card', price, category: 'video-card', specs: { tdp_w: 90 } })
  await using store = await anEmptyStore()
  const page = await pageOfFirst(store, [card(500), ...supplies])
  const shown = describeGoesWith(page)[0] ?? []
  assert.deepEqual(shown.slice(0, 2), ['power-supply', 'Power from 450 W'])
  assert.ok(shown.length === 5 && shown.slice(2).every((name) => /^4[58]0 W for [456]0$/.test(name)), `${shown}`)
  const listed = (await store.visitor.request('GET', `/search?${page.goes_with[0]?.query}`)).json()
  const names: string[] = listed.tools.map(({ name }: { name: string }) => name.split(' for ')[0])
  assert.deepEqual([...new Set(names)], ['450 W', '480 W', '1200 W'])

  await using another = await anEmptyStore()
  const ofCheap = describeGoesWith(await pageOfFirst(another, [card(42), ...supplies]))[0] ?? []
  assert.ok(ofCheap.length === 5 && ofCheap.slice(2).every((name) => /^4[58]0 W for [34]0$/.test(name)), `${ofCheap}`)

  await using few = await anEmptyStore()
  const ofFew = await pageOfFirst(few, [card(500), supply(1200, 45), supply(600, 45), supply(450, 45), supply(1600, 45)])
  assert.deepEqual(describeGoesWith(ofFew), [['power-supply', 'Power from 450 W', '450 W for 45', '600 W for 45', '1200 W for 45']])
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

const processor = (name: string, socket: string, core_family: string, specs: object = {}) => ({
  ...{ name, category: 'cpu', specs: { socket, core_family, memory_types: ['DDR4'], ...specs } },
})
const board = (chipset: string, socket: string, form_factor = 'ATX') => ({
  ...{ name: `${chipset} ${form_factor}`, category: 'motherboard', specs: { socket, chipset, form_factor, memory_type: 'DDR4' } },
})

test('where the socket alone does not decide, a processor goes with boards whose chipset takes its core family, and a board with such processors', async () => {
  const boards = [
    ...['AMD A320', 'AMD B450', 'AMD B550'].map((chipset) => board(chipset, 'AM4')),
    ...['Intel Z270', 'Intel B360', 'Intel C236', 'Intel C246'].map((chipset) => board(chipset, 'LGA1151')),
  ]
  const processors = [
    processor('1800X', 'AM4', 'Summit Ridge'),
    processor('5600X', 'AM4', 'Vermeer'),
    processor('7400', 'LGA1151', 'Kaby Lake'),
    processor('8400', 'LGA1151', 'Coffee Lake'),
    processor('E3-1240', 'LGA1151', 'Skylake-DT'),
    processor('E-2174G', 'LGA1151', 'Coffee Lake', { igpu: 'Intel HD Graphics P630' }),
    processor('of a family that nobody knows', 'LGA1151', 'Lake'),
  ]
  const fitting = async (first: Given) => {
    await using store = await anEmptyStore()
    const page = await pageOfFirst(store, [first, ...[...boards, ...processors].filter((one) => one !== first)])
    const group = page.goes_with.find(({ category }) => category.value === (first.category === 'cpu' ? 'motherboard' : 'cpu'))
    const listed = (await store.visitor.request('GET', `/search?${group?.query}`)).json()
    return [first.name, ...(group ? listed.tools.map(({ name }: Given) => name).sort() : [])].join(' | ')
  }
  const found: string[] = []
  for (const one of [...processors, ...boards]) found.push(await fitting(one))
  assert.deepEqual(found, [
    '1800X | AMD A320 ATX | AMD B450 ATX',
    '5600X | AMD B450 ATX | AMD B550 ATX',
    '7400 | Intel C236 ATX | Intel Z270 ATX',
    '8400 | Intel B360 ATX | Intel C246 ATX',
    'E3-1240 | Intel C236 ATX',
    'E-2174G | Intel C246 ATX',
    'of a family that nobody knows',
    'AMD A320 ATX | 1800X',
    'AMD B450 ATX | 1800X | 5600X',
    'AMD B550 ATX | 5600X',
    'Intel Z270 ATX | 7400',
    'Intel B360 ATX | 8400',
    'Intel C236 ATX | 7400 | E3-1240',
    'Intel C246 ATX | 8400 | E-2174G',
  ])
})

test('a small board goes with memory of full length where boards of its socket take it, and with small cases first', async () => {
  await using store = await anEmptyStore()
  const sizes = { modules: 2, memory_type: 'DDR4' }
  const small = board('AMD B550', 'AM4', 'Mini-ITX')
  const sized = (one: typeof small) => ({ ...one, specs: { ...one.specs, memory_slots: 2, memory_max_gb: 64 } })
  const page = await pageOfFirst(store, [
    sized(small),
    kit('of full length', 100, 32, sizes),
    kit('for laptops', 100, 32, { ...sizes, form_factor: '260-pin SO-DIMM' }),
    { name: 'small case', category: 'case', specs: { form_factor: 'Mini-ITX Tower', motherboard_form_factors: ['Mini-ITX'] } },
    { name: 'large case', category: 'case', specs: { form_factor: 'ATX Mid Tower', motherboard_form_factors: ['Mini-ITX', 'ATX'] } },
  ])
  assert.deepEqual(describeGoesWith(page), [
    ['memory', 'DDR4, Capacity up to 64 GB, Modules up to 2', 'of full length'],
    ['case', 'Mini-ITX', 'small case', 'large case'],
  ])
  for (const other of [board('Intel Q370', 'LGA1151', 'Mini-ITX'), board('CPU Integrated', 'Integrated Atom', 'Mini-ITX')]) {
    await using another = await anEmptyStore()
    const ofOther = await pageOfFirst(another, [sized(other), kit('of full length', 100, 32, sizes)])
    assert.deepEqual(describeGoesWith(ofOther), [], 'boards for devices take the memory of laptops')
  }
})

test('a dear part is shown with dearer parts than a cheap one of its kind, and neither with the cheapest nor the dearest', async () => {
  const shownWith = async (price: number) => {
    const processors = Array.from({ length: 40 }, (_, nth) => ({
      ...processor(`processor ${nth}`, 'AM5', 'Raphael'),
      price: 80 + 15 * nth,
    }))
    const boards = Array.from({ length: 40 }, (_, nth) => ({ ...board('AMD B650', 'AM5'), name: `board ${nth}`, price: 50 + 5 * nth }))
    await using store = await anEmptyStore()
    const page = await pageOfFirst(store, [{ ...processor('asked for', 'AM5', 'Raphael'), price }, ...processors, ...boards])
    return page.goes_with[0]?.parts.map((one) => one.price) ?? []
  }
  assert.deepEqual([...(await shownWith(90)), ...(await shownWith(640))], [90, 85, 175, 180])
})

test('of what costs about the same the newest is shown', async () => {
  await using store = await anEmptyStore()
  const boards = Array.from({ length: 80 }, (_, nth) => ({
    ...{ ...board('AMD B650', 'AM5'), name: `board of ${2000 + (nth % 8)}`, price: 100 + nth / 100 },
    specs: { ...board('AMD B650', 'AM5').specs, released_year: 2000 + (nth % 8) },
  }))
  const page = await pageOfFirst(store, [{ ...processor('processor', 'AM5', 'Raphael'), price: 500 }, ...boards])
  assert.deepEqual(
    page.goes_with[0]?.parts.map(({ name }) => name),
    ['board of 2007', 'board of 2006'],
  )
})

test('a case that brings a power supply goes with none, and is offered with no card, since what the card needs is not known of it', async () => {
  const cases = ['300 W', undefined].map((psu_included) => ({
    ...{ name: psu_included ?? 'without', category: 'case' },
    specs: { max_gpu_mm: 400, expansion_slots: 7, psu_form_factors: ['ATX'], max_psu_mm: 200, psu_included },
  }))
  const supply = { name: 'supply', category: 'power-supply', specs: { form_factor: 'ATX', length_mm: 150 } }
  const fitting = async (...given: Given[]) => {
    await using store = await anEmptyStore()
    return describeGoesWith(await pageOfFirst(store, given)).map(([category, , ...names]) => [category, ...names].join(' | '))
  }
  const card = { name: 'card', category: 'video-card', specs: { length_mm: 300, slots: 2 } }
  assert.deepEqual(await fitting(card, ...cases), ['case | without'])
  const [bringsOne, bringsNone] = cases
  assert.ok(bringsOne && bringsNone)
  assert.deepEqual(await fitting(bringsOne, supply), [])
  assert.deepEqual(await fitting(bringsNone, supply), ['power-supply | supply'])
})
