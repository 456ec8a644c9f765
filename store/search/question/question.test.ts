import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import type { IndexedProduct } from '../parsed-query.ts'
import { buildIndex, type SearchIndex } from '../search-index.ts'
import { answerQuestion } from './answer-question.ts'

let count = 0
const product = (category: string, name: string, specs: Record<string, unknown>, more: Partial<IndexedProduct> = {}): IndexedProduct => ({
  _id: `00000000-0000-4000-8000-${`${++count}`.padStart(12, '0')}`,
  position: count,
  ...{ sku: `S-${count}`, name, brand: null, mpn: null, category, description: '', img: '', price: 100, specs },
  ...{ price_breaks: [], incoming: null, lowered: null, minimum_order_quantity: 1, order_multiple: 1, available_quantity: 50, ...more },
})

const parts = [
  product(
    'video-card',
    'MSI RTX 4070 Ventus',
    { chipset: 'GeForce RTX 4070', chipset_vendor: 'NVIDIA', length_mm: 242, vram_gb: 12 },
    { brand: 'MSI' },
  ),
  product(
    'video-card',
    'ASUS RTX 4070 Ti TUF',
    { chipset: 'GeForce RTX 4070 Ti', chipset_vendor: 'NVIDIA', length_mm: 336, vram_gb: 12 },
    { brand: 'ASUS' },
  ),
  product('power-supply', 'Seasonic GPU-850', { wattage_w: 850, efficiency: '80+ Gold' }, { brand: 'Seasonic', mpn: 'GPU-850' }),
  product(
    'memory',
    'Kingston 32GB kit',
    { memory_type: 'DDR5', speed_mts: 6000, cas: 30, modules: 2, module_gb: 16, capacity_gb: 32, ecc: false, rgb: false },
    { brand: 'Kingston' },
  ),
  product(
    'memory',
    'Micron server',
    { memory_type: 'DDR5', speed_mts: 4800, modules: 1, module_gb: 16, capacity_gb: 16, ecc: true, rgb: false },
    { price: 60 },
  ),
  product(
    'memory',
    'Lit memory',
    { memory_type: 'DDR4', modules: 2, module_gb: 8, capacity_gb: 16, ecc: false, rgb: true },
    { price: 40, available_quantity: 0 },
  ),
  product('storage', 'Fast drive', { type: 'SSD', nvme: true, pcie_gen: 4, capacity_gb: 1000, interface: 'M.2 PCIe 4.0 x4' }),
  product('storage', 'Old drive', {
    type: 'HDD',
    nvme: false,
    capacity_gb: 1000,
    rpm: 7200,
    form_factor: '3.5"',
    interface: 'SATA 6.0 Gb/s',
  }),
  product('monitor', 'Screen one', { size_class_in: 27, size_in: 26.96, refresh_hz: 165, panel: 'Nano IPS', resolution: '2560x1440' }),
  product('monitor', 'Screen two', { size_class_in: 24, size_in: 23.8, refresh_hz: 60, panel: 'IPS', resolution: '1920x1080' }),
  product('cpu-cooler', 'Noctua low cooler', { height_mm: 37, water_cooled: false, sockets: ['AM5', 'LGA1700'] }, { brand: 'Noctua' }),
  product('cpu-cooler', 'Big AIO', { radiator_mm: 360, water_cooled: true, sockets: ['AM5'], color: ['WHITE'] }),
  product('case', 'Wide case', { max_gpu_mm: 410, max_cooler_mm: 170, form_factor: 'ATX Mid Tower', color: ['WHITE'] }),
  product('motherboard', 'Small board', {
    socket: 'AM5',
    chipset: 'AMD B650',
    form_factor: 'Mini-ITX',
    memory_type: 'DDR5',
    wifi: 'Wi-Fi 6E',
  }),
  product(
    'motherboard',
    'ASUS Noctua board',
    { socket: 'LGA1700', chipset: 'Intel Z790', form_factor: 'ATX', memory_type: 'DDR5', wifi: 'None' },
    { brand: 'ASUS', available_quantity: 0 },
  ),
  product('case-fan', 'Quiet fan', { size_mm: 120, quantity: 3, noise_db: 18, led: 'Addressable RGB' }, { minimum_order_quantity: 10 }),
]
const byId = new Map(parts.map((part) => [part._id, part.name]))
let index: SearchIndex
before(async () => {
  index = await buildIndex(parts)
})

const ask = (q: string, more: Partial<typeof emptyQuery> = {}) => answerQuestion(index, { ...emptyQuery, q, ...more })
const names = (q: string) => ask(q).ids.map((id) => byId.get(id))

test('kinds, values and numbers with units mean what the filters of the same name find', () => {
  for (const [q, ...expected] of [
    ['gpu', 'MSI RTX 4070 Ventus', 'ASUS RTX 4070 Ti TUF'],
    ['grafics cards', 'MSI RTX 4070 Ventus', 'ASUS RTX 4070 Ti TUF'],
    ['rtx4070', 'MSI RTX 4070 Ventus'],
    ['gpu under 32 cm', 'MSI RTX 4070 Ventus'],
    ['graphics card over 300mm', 'ASUS RTX 4070 Ti TUF'],
    ['850w gold', 'Seasonic GPU-850'],
    ['80+ gold psu', 'Seasonic GPU-850'],
    ['psu 80 plus gold', 'Seasonic GPU-850'],
    ['power supply 0.85 kW', 'Seasonic GPU-850'],
    ['2x16gb ddr5-6000 cl30', 'Kingston 32GB kit'],
    ['2 x 16 GB ram', 'Kingston 32GB kit'],
    ['ecc ram', 'Micron server'],
    ['non-ecc ddr5', 'Kingston 32GB kit'],
    ['ram without rgb 16gb', 'Micron server'],
    ['ddr5 from 5000 to 6400 mt/s', 'Kingston 32GB kit'],
    ['1tb nvme gen4', 'Fast drive'],
    ['pcie 4.0 ssd', 'Fast drive'],
    ['7200 rpm 3.5" hard disk', 'Old drive'],
    ['27 inch 144hz ips', 'Screen one'],
    ['27" 1440p', 'Screen one'],
    ['low profile cooler under 50mm', 'Noctua low cooler'],
    ['lga1700 cooler', 'Noctua low cooler'],
    ['360mm aio white', 'Big AIO'],
    ['case for 400mm gpu', 'Wide case'],
    ['b650 m-itx wifi', 'Small board'],
    ['motherboard no wifi', 'ASUS Noctua board'],
    ['argb fans 3 pack', 'Quiet fan'],
    ['10 pieces case fan', 'Quiet fan'],
  ] as const)
    assert.deepEqual(names(q).sort(), [...expected].sort(), q)
})

test('cheap is an order, in stock a filter, and what is out of stock comes last', () => {
  assert.deepEqual(names('cheap ram'), ['Lit memory', 'Micron server', 'Kingston 32GB kit'])
  assert.deepEqual(names('cheapest memory in stock'), ['Micron server', 'Kingston 32GB kit'])
  assert.equal(names('motherboards').at(-1), 'ASUS Noctua board')
  assert.deepEqual(names('ram $50 to $70'), ['Micron server'])
})

test('a name of a maker alone shows the products of the maker first, then those that mention it', () => {
  assert.deepEqual(names('noctua'), ['Noctua low cooler', 'ASUS Noctua board'])
})

test('what is chosen stays, whatever the question says', () => {
  assert.deepEqual(
    ask('gpu', { category: 'power-supply' }).ids.map((id) => byId.get(id)),
    ['Seasonic GPU-850'],
  )
})

test('a part number stands alone, digits of a short code are not corrected, and words that nothing has are said', () => {
  assert.deepEqual(names('gpu850'), ['Seasonic GPU-850'])
  assert.equal(ask('cr2032').total, 0)
  assert.deepEqual([ask('gpu asus wifi7').leftOut, ask('gpu asus wifi7').isNear], [['wifi7'], true])
  assert.equal(ask('gefroce rtx').isNear, true)
})

test('what a category is for is no product to find, nor a maker: what fits no product of the category is left out, and said', () => {
  const answer = ask('psu for rtx 4070')
  assert.deepEqual([answer.ids.map((id) => byId.get(id)), answer.leftOut, answer.isNear], [['Seasonic GPU-850'], ['rtx', '4070'], true])
  assert.deepEqual(names('ram for asus noctua board').sort(), ['Kingston 32GB kit', 'Lit memory', 'Micron server'])
  assert.deepEqual(names('memory for kingston server'), ['Micron server'])
})

test('several numbers of one kind are one of them, however many, and what is not wanted is no filter', () => {
  assert.deepEqual(names('ram 16gb 32gb 64gb').sort(), ['Kingston 32GB kit', 'Lit memory', 'Micron server'])
  const denied = ask('ram not kingston')
  assert.deepEqual([denied.total, denied.leftOut], [3, ['not kingston']])
  const excluded = ask('case not black', { excludedValues: new Map([['color', ['WHITE']]]) }).asked.excludedValues.get('color') ?? []
  assert.ok(excluded.includes('WHITE'))
})

test('of a kind that the shop does not have nothing is found, but where the nearest are', () => {
  for (const q of ['hdmi cable 2m', 'usb stick 64gb']) {
    const { total, nearest } = ask(q)
    assert.equal(total, 0, q)
    assert.ok(nearest.length > 0, q)
  }
})

test('limits that exclude each other find nothing and are told', () => {
  const { total, reading } = ask('gpu under 100mm over 200mm')
  assert.deepEqual([total, reading?.isContradiction], [0, true])
})

test('any text is answered', () => {
  for (const q of [
    ...['x'.repeat(2000), 'a '.repeat(200), '\u{1F642}'.repeat(200), "'; drop table tools; --", 'mm gb hz w', 'under over max'],
    ...['-'.repeat(500), '9'.repeat(300), '2x2x2x2x', '$ $ $', 'from to', 'no no no', '<= >= <', '0gb', '\u0000', '1tb '.repeat(200)],
  ])
    assert.ok(ask(q).total >= 0, q.slice(0, 40))
})
