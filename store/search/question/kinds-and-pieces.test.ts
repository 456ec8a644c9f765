import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'

/** As many other products of a kind as make a figure that one of them has a rare one. */
const others = (category: string, specs: Record<string, unknown>) =>
  Array.from({ length: 30 }, (_, nth) => testProduct(category, `Plain ${category} number${nth}`, specs))
const ethernet = { connector_a: 'RJ45', connector_b: 'RJ45' }
const supplies = [
  testProduct('cable', 'HDMI cable, 6 ft', { connector_a: 'HDMI', connector_b: 'HDMI', length_mm: 1830 }, { available_quantity: 500 }),
  testProduct(
    'cable',
    'USB 2.0 cable, A to B',
    { connector_a: 'USB-A', connector_b: 'USB-B', length_mm: 1830 },
    { available_quantity: 500 },
  ),
  testProduct(
    'cable',
    'Cat6 patch cable, 10 ft',
    { ...ethernet, length_mm: 3048 },
    { minimum_order_quantity: 60, available_quantity: 500 },
  ),
  testProduct('webcam', 'Webcam with USB-C cable', {}),
  testProduct('monitor', 'Cat6 screen 5m', { size_class_in: 27, response_ms: 5 }),
  testProduct('monitor', 'Small screen', { size_class_in: 20 }),
  ...others('monitor', { size_class_in: 24 }),
  testProduct('mouse', 'Rival 100 mouse', { connectivity: ['Wired'] }, { available_quantity: 20 }),
  testProduct('mouse', 'Office mouse', { connectivity: ['Wired'] }, { available_quantity: 400 }),
  testProduct('keyboard', 'Wireless keyboard', { connectivity: ['Wireless'] }, { price: 25 }),
  testProduct('keyboard', '20 key wireless pad', { connectivity: ['Wireless'] }, { price: 28, available_quantity: 9 }),
  testProduct('keyboard', '8-function wireless pad', { connectivity: ['Wireless'] }, { price: 28, available_quantity: 7 }),
  testProduct('video-card', 'MSI RTX 5060 10G', { chipset: 'GeForce RTX 5060', length_mm: 242, cooling: '2 Fans' }),
  testProduct('video-card', 'MSI GTX 1660', { chipset: 'GeForce GTX 1660', length_mm: 300, cooling: '1 Fan' }, { available_quantity: 5 }),
  testProduct('video-card', 'Long RTX 4090', { chipset: 'GeForce RTX 4090', length_mm: 336, cooling: '3 Fans' }),
  testProduct('video-card', 'Old RX 550', { chipset: 'Radeon RX 550', length_mm: 170, cooling: '1 Fan' }),
  testProduct('power-supply', 'Half a kilowatt', { wattage_w: 500 }),
  testProduct('power-supply', 'More power', { wattage_w: 850 }),
  testProduct('cpu', 'Ryzen 7 5800X', { socket: 'AM4', cores: 8 }),
  testProduct('cpu-cooler', 'Flat cooler', { height_mm: 60, water_cooled: false }),
  testProduct('cpu-cooler', 'Tall heatsink', { sockets: ['AM4'], height_mm: 165, water_cooled: false, noise_db_max: 22 }),
  testProduct('case', 'be quiet! Silent Base', { form_factor: 'ATX Mid Tower' }, { brand: 'be quiet!' }),
  testProduct('case', 'Small case', { form_factor: 'Mini-ITX Desktop' }),
  testProduct('storage', 'Cooled drive w/Heatsink', { type: 'SSD', nvme: true, capacity_gb: 2000 }, { price: 140 }),
  testProduct('storage', 'Bare drive', { type: 'SSD', nvme: true, capacity_gb: 2000 }, { price: 130 }),
  testProduct('memory', 'Cooled memory', { memory_type: 'DDR5', modules: 2, module_gb: 16, capacity_gb: 32, heat_spreader: true }),
  testProduct('', 'Lowered cable', {}, { category: null }),
  testProduct('memory', 'Bare memory', { memory_type: 'DDR5', modules: 1, module_gb: 32, capacity_gb: 32, heat_spreader: false }),
]
const nameById = new Map(supplies.map((part) => [part._id, part.name]))
const index = await buildIndex(supplies)

/** The number of pieces, the category and the words that a question is read as, and what it finds. */
function ask(q: string) {
  const { asked, ids, leftOut, isNear, reading } = answerQuestion(index, { ...emptyQuery, q, limit: 50 })
  const { category, pieces, priceCents } = asked
  return {
    category,
    pieces,
    words: asked.q,
    maxCents: priceCents.max,
    reading,
    leftOut,
    isNear,
    names: ids.map((id) => nameById.get(id)),
  }
}

test('a number before the plural of a kind, with an x before any, or behind an x at the end, is how many pieces are needed', () => {
  for (const [q, pieces, category, ...expected] of [
    ['50 hdmi cables', 50, 'cable', 'HDMI cable, 6 ft'],
    ['50 x hdmi cable', 50, 'cable', 'HDMI cable, 6 ft'],
    ['50x hdmi cable', 50, 'cable', 'HDMI cable, 6 ft'],
    ['hdmi cable qty 50', 50, 'cable', 'HDMI cable, 6 ft'],
    ['quantity: 50 hdmi cable', 50, 'cable', 'HDMI cable, 6 ft'],
    ['we need 50 hdmi cables', 50, 'cable', 'HDMI cable, 6 ft'],
    ['we need 50x hdmi cable', 50, 'cable', 'HDMI cable, 6 ft'],
    ['100 mice', 100, 'mouse', 'Office mouse'],
    ['10 graphics cards rtx 5060', 10, 'video-card', 'MSI RTX 5060 10G'],
    ['20 keyboards wireless under 30', 20, 'keyboard', 'Wireless keyboard'],
    ['20 wireless keyboards under 30', 20, 'keyboard', 'Wireless keyboard'],
    ['30 27 inch monitors', 30, 'monitor', 'Cat6 screen 5m'],
    ['2x 2tb ssd under 135', 2, 'storage', 'Bare drive'],
    ['hdmi cable x 50', 50, 'cable', 'HDMI cable, 6 ft'],
    ['hdmi cable x50', 50, 'cable', 'HDMI cable, 6 ft'],
    ['rtx 5060 x 10', 10, 'video-card', 'MSI RTX 5060 10G'],
    ['20 x office mouse', 20, 'mouse', 'Office mouse'],
    ['20 x lowered', 20, undefined, 'Lowered cable'],
    ['20x lowered', 20, undefined, 'Lowered cable'],
  ] as const) {
    const asked = ask(q)
    assert.deepEqual([asked.pieces, asked.category, asked.names], [pieces, category, expected], q)
  }
  assert.equal(ask('20 monitors').pieces, 20)
  assert.equal(ask('cable pieces 6 ft').pieces, undefined, 'a number with a unit of its own')
  assert.deepEqual(
    ['5 ssd 1tb', '20 mouse wired', '60 mouse', '27 monitor'].map((q) => ask(q).pieces),
    [5, 20, undefined, undefined],
  )
  for (const q of ['mouse x4', 'hdmi cable 6 ft x 2']) assert.ok((ask(q).pieces ?? 0) > 1, q)
  for (const q of [
    'graphics card pcie x16',
    'graphics card pcie x 16',
    'ssd gen4 x 4',
    'monitor 1920 x 1080',
    'fan 120mm x 25',
    'memory 2 x 16',
    'x 20',
  ])
    assert.equal(ask(q).pieces, undefined, `${q}: lanes, sizes, or nothing before them`)
  assert.equal(ask('20 keyboards under 30').maxCents, 3000)
})

test('a number at the start that belongs to a name or is a figure of the kind is no number of pieces', () => {
  for (const [q, ...expected] of [
    ['500 w power supplies', 'Half a kilowatt'],
    ['850 power supplies', 'More power'],
    ['27 inch monitors', 'Cat6 screen 5m'],
    ['27 monitors', 'Cat6 screen 5m'],
    ['1660 graphics cards', 'MSI GTX 1660'],
    ['550 graphics cards', 'Old RX 550'],
    ['4090 cards', 'Long RTX 4090'],
    ['2 fans graphics card', 'MSI RTX 5060 10G'],
    ['2 fans graphics cards', 'MSI RTX 5060 10G'],
    ['5800x processors', 'Ryzen 7 5800X'],
    ['8 function keyboards', '8-function wireless pad'],
    ['20 key keyboards', '20 key wireless pad'],
    ['100 mouse', 'Rival 100 mouse'],
    ['2x16gb memory modules', 'Cooled memory'],
  ] as const) {
    const { pieces, names } = ask(q)
    assert.deepEqual([pieces, names], [undefined, expected], q)
  }
  const { pieces, names } = ask('24 monitors')
  assert.deepEqual([pieces, names.length], [undefined, 30])
})

test('quiet is a figure of what makes noise, of other kinds it is left out and said, and never the half of a name of a maker', () => {
  for (const q of ['quiet case for mini-itx', 'quiet mini-itx case', 'mini-itx case quiet']) {
    const { names, leftOut } = ask(q)
    assert.deepEqual([names, leftOut], [['Small case'], ['quiet']], q)
  }
  assert.deepEqual(ask('quiet cpu cooler').names, ['Tall heatsink'])
  for (const q of ['be quiet case', 'be quiet! cases']) {
    const { names, leftOut } = ask(q)
    assert.deepEqual([names, leftOut], [['be quiet! Silent Base'], []], q)
  }
  assert.deepEqual(ask('silent case').names, ['be quiet! Silent Base'])
})

test('a measure of what a product goes into is the most that it may have', () => {
  for (const q of [
    'graphics card that fits a 300mm case',
    'gpu for a 300mm case',
    'gpus that fit in a case with 300 mm',
    'rtx 5060 for a case up to 30 cm',
  ])
    assert.deepEqual(ask(q).reading?.conditions.get('length_mm'), { key: 'length_mm', max: 300 }, q)
  const cooler = ask('cpu cooler that fits a 160mm case')
  assert.deepEqual([cooler.names, cooler.words, cooler.leftOut], [['Flat cooler'], '', []])
  assert.deepEqual(ask('gpu for a 300mm case').words, '')
  assert.deepEqual(ask('gpu 300mm').names, ['MSI GTX 1660'])
})

test('a word at the end that another kind has too does not overrule the kind that the rest of a question tells', () => {
  assert.deepEqual(ask('nvme 2tb under 150 heatsink').names, ['Cooled drive w/Heatsink'])
  assert.deepEqual(ask('nvme 2tb heatsink').names, ['Cooled drive w/Heatsink'])
  assert.deepEqual(ask('ram 32gb heatsink').names, ['Cooled memory'])
  assert.equal(ask('am4 cpu heatsink').category, 'cpu-cooler')
})

test('a product of no kind is found by its name, though one of its words names a kind', () => {
  assert.deepEqual(ask('Lowered cable').names, ['Lowered cable'])
})

test('a name of which the shop has none, a generation and a length are no numbers of pieces', () => {
  for (const q of ['9950x cables', '50 series cables', '12 gen cables', '5 foot hdmi cables', '60 percent cables'])
    assert.equal(ask(q).pieces, undefined, q)
})

test('what a question means is the same on every page and in every order', () => {
  const shown = (more: Partial<typeof emptyQuery>) => {
    const { total, isTakenAsWords, asked } = answerQuestion(index, { ...emptyQuery, q: 'Lowered cable', ...more })
    return { total, isTakenAsWords, category: asked.category }
  }
  assert.deepEqual(shown({ offset: 24 }), shown({}))
  assert.deepEqual(shown({ sort: '-price' }), shown({}))
})

test('a question that names a kind is not answered by other kinds alone: what none of it has is left out and said', () => {
  for (const [q, leftOut, ...expected] of [
    ['cat6 cable 5m', ['5m'], 'Cat6 patch cable, 10 ft'],
    ['cat6 cable 5 m', ['5 m'], 'Cat6 patch cable, 10 ft'],
    ['hdmi cable 2m', ['2m'], 'HDMI cable, 6 ft'],
    ['hdmi 2.1 cable', ['2.1'], 'HDMI cable, 6 ft'],
    ['50 usb-c cables', ['usb-c'], 'HDMI cable, 6 ft', 'USB 2.0 cable, A to B'],
    ['usb-c cable', ['usb-c'], 'Cat6 patch cable, 10 ft', 'HDMI cable, 6 ft', 'USB 2.0 cable, A to B'],
    ['usb-c to usb-c cable', ['usb-c'], 'Cat6 patch cable, 10 ft', 'HDMI cable, 6 ft', 'USB 2.0 cable, A to B'],
    ['usb c cable', ['usb c'], 'Cat6 patch cable, 10 ft', 'HDMI cable, 6 ft', 'USB 2.0 cable, A to B'],
  ] as const) {
    const answer = ask(q)
    assert.deepEqual([answer.leftOut, answer.isNear, answer.names.toSorted()], [leftOut, true, expected], q)
  }
  for (const q of ['cat6 cable', 'cat6 cable 10 ft', 'cat6 cable 3m', 'cable 6ft hdmi']) assert.equal(ask(q).isNear, false, q)
})
