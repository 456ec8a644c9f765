import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overloadedError } from '#platform/concurrency-limiter.ts'
import { findReviewsOnProductPage } from '#store/reviews/product-reviews.ts'
import { findByFiltersIn } from '#store/search/find-by-filters.ts'
import { anEmptyStore } from '#test/store.ts'
import type { ProductPage } from './product-page-contract.ts'
import { type Given, kit, pageOfFirst } from './product-page-test-actions.ts'
import { type AskedOfOthers, getProductPage } from './product-pages.ts'

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

test('what costs less than a third is of another class, and replaces nothing', async () => {
  await using store = await anEmptyStore()
  const { replacements } = await pageOfFirst(store, [kit('asked for', 100, 32), kit('a third', 34, 32), kit('less', 33, 32)])
  assert.deepEqual(
    replacements.map(({ part }) => part.name),
    ['a third'],
  )
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
    ...{ name, price, category: 'cpu', specs: { socket: 'AM5', core_family: 'Raphael', memory_types: ['DDR5'], cores: 8, igpu } },
  })
  await using another = await anEmptyStore()
  const page = await pageOfFirst(another, [
    processor('one', 300, 'Radeon'),
    processor('none', 200),
    processor('another', 250, 'Graphics 2'),
  ])
  assert.deepEqual(describeReplacements(page), ['another | cheaper | $50 less | but Integrated graphics Graphics 2 instead of Radeon'])
})

test('a fan is replaced by packs of as many fans', async () => {
  await using store = await anEmptyStore()
  const fans = (name: string, price: number, quantity?: number) => ({
    ...{ name, price, category: 'case-fan', specs: { size_mm: 120, connector: '4-pin', quantity } },
  })
  const page = await pageOfFirst(store, [fans('pack of five', 30, 5), fans('one', 7, 1), fans('one or more', 7), fans('five', 25, 5)])
  assert.deepEqual(describeReplacements(page), ['five | cheaper | $5 less'])
})

test('a case with a power supply is replaced by cases with one', async () => {
  await using store = await anEmptyStore()
  const chassis = (name: string, price: number, psu_included?: string) => ({
    ...{ name, price, category: 'case', specs: { form_factor: 'Mini-ITX Tower', motherboard_form_factors: ['Mini-ITX'], psu_included } },
  })
  const page = await pageOfFirst(store, [chassis('asked for', 100, '300 W'), chassis('without', 50), chassis('weaker', 80, '200 W')])
  assert.deepEqual(describeReplacements(page), ['weaker | cheaper | $20 less | but Power supply included 200 W instead of 300 W'])
})

test('a processor is replaced by those that go with all of its chipsets, and a board by those that take all of its processors', async () => {
  const processor = (core_family: string, price: number, socket = 'LGA1151', specs: object = {}) => ({
    ...{ name: core_family, price, category: 'cpu', specs: { socket, core_family, memory_types: ['DDR4'], cores: 4, ...specs } },
  })
  const board = (chipset: string, price: number) => ({
    ...{ name: chipset, price, category: 'motherboard', specs: { socket: 'AM4', chipset, form_factor: 'ATX', memory_type: 'DDR4' } },
  })
  const replacing = async (given: Given[]) => {
    await using store = await anEmptyStore()
    return (await pageOfFirst(store, given)).replacements.map(({ part }) => part.name)
  }
  const older = [processor('Skylake', 80), processor('Coffee Lake', 70), processor('Coffee Lake-S WS', 60)]
  assert.deepEqual(await replacing([processor('Kaby Lake', 100), ...older]), ['Skylake'])
  assert.deepEqual(await replacing([processor('Coffee Lake-S WS', 100), ...older.slice(0, 2)]), ['Coffee Lake'])
  const forServers = processor('Coffee Lake', 60, 'LGA1151', { igpu: 'Intel HD Graphics P630' })
  assert.deepEqual(await replacing([processor('Coffee Lake Refresh', 100), forServers]), [], 'it runs on server chipsets alone')
  assert.deepEqual(await replacing([processor('of a family that nobody knows', 100), ...older]), [])
  assert.deepEqual(await replacing([processor('Raptor Cove', 100, 'LGA1700'), processor('Golden Cove', 80, 'LGA1700')]), ['Golden Cove'])
  const boards = [board('AMD A320', 60), board('AMD X470', 70), board('AMD B550', 80)]
  assert.deepEqual(await replacing([board('AMD B450', 100), ...boards]), ['AMD X470'])
  assert.deepEqual(await replacing([board('AMD A520', 100), ...boards]), ['AMD X470', 'AMD B550'])
})
