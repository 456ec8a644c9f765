import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'
import { questionsTo } from './question-test-actions.ts'
import { questionTokens } from './question-tokens.ts'

const index = await buildIndex([
  ...[550, 650, 750, 850].map((wattage_w) =>
    testProduct('power-supply', `Gold ${wattage_w}`, { wattage_w, efficiency_rating: '80+ Gold' }),
  ),
  testProduct('power-supply', 'Platinum 850', { wattage_w: 850, efficiency_rating: '80+ Platinum' }, { brand: 'Corsair' }),
  testProduct('monitor', 'Sharp screen', { resolution: '3840x2160', screen_size_in: 27, curved: false }, { brand: 'LG' }),
  testProduct('monitor', 'Round screen', { resolution: '2560x1440', screen_size_in: 24, curved: true }, { brand: 'Dell' }),
  testProduct('video-card', 'Short card', { slots: 2, length_mm: 230, vram_gb: 16, chipset_vendor: 'AMD' }),
  testProduct('video-card', 'Long card', { slots: 3, length_mm: 330, vram_gb: 16, chipset_vendor: 'NVIDIA' }),
  testProduct('case', 'Wide case', { max_gpu_mm: 400 }),
  testProduct('case', 'Slim case', { max_gpu_mm: 250 }),
  testProduct('cpu', 'Ryzen 5 7600', { base_ghz: 3.8, boost_ghz: 5.1, socket: 'AM5' }, { brand: 'AMD', available_quantity: 3 }),
  testProduct('cpu', 'Ryzen 7 9800X3D', { base_ghz: 4.7, boost_ghz: 5.2, socket: 'AM5' }, { brand: 'AMD', available_quantity: 3 }),
  testProduct('cpu', 'Core 5', { base_ghz: 2.5, boost_ghz: 4.6, socket: 'LGA1700' }, { brand: 'Intel' }),
  testProduct('motherboard', 'Board for AMD', { memory_max_gb: 256, socket: 'AM5' }, { brand: 'ASUS' }),
  testProduct('motherboard', 'Old board', { memory_max_gb: 64, socket: 'AM4' }, { brand: 'ASUS' }),
  testProduct('motherboard', 'Other board', { memory_max_gb: 128, socket: 'AM5' }, { brand: 'MSI' }),
  testProduct('cpu-cooler', 'Air cooler', { water_cooled: false, sockets: ['AM5', 'LGA1700'], radiator_mm: undefined }, { price: 30 }),
  testProduct(
    'cpu-cooler',
    'Water cooler',
    { water_cooled: true, sockets: ['LGA1700'], radiator_mm: 240 },
    { brand: 'Noctua', mpn: 'NH-D15' },
  ),
  testProduct('case-fan', 'Three fans', { quantity: 3, size_mm: 120 }, { brand: 'Corsair' }),
  testProduct('case-fan', 'Three large fans', { quantity: 3, size_mm: 140 }),
  testProduct('memory', 'Laptop memory', { form_factor: '262-pin SO-DIMM', cas: 40 }),
  testProduct('memory', 'Plain memory', { form_factor: '288-pin DIMM', cas: 28 }),
  testProduct('storage', 'Drive 1000', { type: 'SSD', capacity_gb: 1000, form_factor: 'M.2-2280' }, { available_quantity: 500 }),
  testProduct('storage', 'Drive 2000', { type: 'SSD', capacity_gb: 2000, form_factor: 'M.2-2280' }, { available_quantity: 5 }),
  testProduct('keyboard', 'Wordy keyboard', {}, { brand: 'Deck' }),
  testProduct('headphones', 'Acme 8000 closed headphones', {}),
  testProduct('headphones', 'Acme closed headphones', {}),
  testProduct('case', 'Triple slot case', {}),
  testProduct('webcam', 'Logi C920', {}, { brand: 'Logi' }),
  testProduct('webcam', 'Logi C270', {}, { brand: 'Logi' }),
  testProduct('mouse', 'Logi G Pro', { weight_g: 60 }, { brand: 'Logi' }),
  testProduct('mouse', 'Logi M1', { weight_g: 90 }, { brand: 'Logi' }),
])

const { ask, names } = questionsTo(index)

test('what fits into a measure is at most so long, and what a case takes at least', () => {
  for (const q of ['gpu with 16gb that fits in 240mm', 'gpu that fits 240mm', 'gpu to fit 24 cm'])
    assert.deepEqual(names(q), ['Short card'], q)
  assert.deepEqual(names('fan that fits 140mm'), ['Three large fans'], 'but a fan has one size')
  for (const q of ['case that fits 300mm gpu', 'case fits 300 mm card']) assert.deepEqual(names(q), ['Wide case'], q)
})

test('a number of pieces that must be in stock is no price', () => {
  for (const q of ['ssd 1tb stock at least 100', 'ssd stock more than 99', 'ssd in stock at least 100']) {
    assert.deepEqual([names(q), ask(q).asked.priceCents], [['Drive 1000'], {}], q)
  }
})

test('where nothing can be ordered in a quantity the part is shown all the same, and that is said', () => {
  assert.deepEqual(names('8000 closed headphones'), ['Acme 8000 closed headphones'], 'but a name is a name')
  for (const q of ['5 x 9800X3D', '5 x ryzen 7 9800x3d', '5 pieces 9800x3d']) {
    assert.deepEqual([names(q), ask(q).leftOut], [['Ryzen 7 9800X3D'], ['5 pieces']], q)
  }
})

test('base and boost clock are two things, and "max memory" names one', () => {
  for (const q of ['cpu base clock over 4 ghz', 'cpu at least 4 ghz base']) assert.deepEqual(names(q), ['Ryzen 7 9800X3D'], q)
  assert.deepEqual(names('cpu over 5 ghz'), ['Ryzen 5 7600', 'Ryzen 7 9800X3D'])
  for (const q of ['motherboard max memory 256gb', 'motherboard 256gb max memory']) assert.deepEqual(names(q), ['Board for AMD'], q)
  assert.deepEqual(names('motherboard max 64gb ram'), ['Old board'])
  assert.deepEqual(ask('gpu max memory 12gb').asked.ranges.get('vram_gb'), { min: undefined, max: 12 }, 'of another kind it is a limit')
})

test('"up to" behind a grade or a number is a limit of its own, or the end of a range', () => {
  assert.deepEqual(names('psu gold up to 650w'), ['Gold 550', 'Gold 650'])
  assert.deepEqual(names('psu 650w up to 750w'), ['Gold 650', 'Gold 750'])
  assert.deepEqual(ask('monitor 27 up to $300').asked.priceCents, { max: 300_00 })
  assert.deepEqual(ask('ssd 1tb up to 100').asked.priceCents, { max: 100_00 }, 'what has no unit behind one is a price')
})

test('a cheap thing of a resolution has no price of thousands', () => {
  assert.deepEqual([names('budget 4k monitor'), ask('budget 4k monitor').asked.priceCents], [['Sharp screen'], {}])
  assert.deepEqual(ask('monitor budget 4k').asked.priceCents, { max: 4000_00 })
  assert.deepEqual(ask('best budget 4060 gpu').asked.priceCents, {}, 'nor has a model before its kind')
  assert.deepEqual(ask('budget of 100 mouse').asked.priceCents, { max: 100_00 })
})

test('a price is of one or of all as the question says, in any words for it', () => {
  for (const q of ['5 psus for $300 a piece', '5 psus for $300 ea', '5 psus for $300 a unit', 'psu budget 300 each for 5 pieces'])
    assert.deepEqual([ask(q).asked.priceCents.max, ask(q).asked.q], [300_00, ''], q)
  for (const q of ['5 psus for 1500 total', '5 psus for 1500 in total', '5 psus for 1500 max'])
    assert.equal(ask(q).asked.priceCents.max, 300_00, q)
  assert.equal(ask('in total 10 monitors under 3000').asked.priceCents.max, 3000_00, 'and no $10')
})

test('a maker that is not wanted is left out behind "for" and "with" too, unless products fit it', () => {
  assert.deepEqual(names('am5 board with memory not asus'), ['Other board'])
  assert.deepEqual(names('cooler for am5 not intel'), ['Air cooler'], 'which may fit Intel besides')
  const { asked } = ask('psu not noctua or corsair 750')
  assert.deepEqual([asked.excludedBrands, asked.ranges.get('wattage_w')], [['Noctua', 'Corsair'], { min: 750, max: 750 }])
  assert.deepEqual(names('motherboard for ryzen 5 7600 not am4'), ['Board for AMD', 'Other board'])
})

test('numbers, models and ranges that are not wanted are no wishes, and said to stay where nothing leaves them out', () => {
  for (const [q, said] of [
    ['monitor must not be 27 inch', 'must not be 27 inch'],
    ['not a 27 inch monitor', 'not a 27 inch'],
    ['psu that is not a 500w', 'not a 500w'],
    ['gpu not triple slot', 'not triple slot'],
  ] as const)
    assert.deepEqual([ask(q).reading?.notExcluded, ask(q).asked.ranges.size], [[said], 0], q)
  assert.deepEqual([names('cpu cooler not noctua nh-d15'), ask('cpu cooler not noctua nh-d15').asked.q], [['Air cooler'], ''])
  assert.deepEqual(names('mouse not logi g pro'), ['Logi M1'])
  assert.deepEqual(names('webcam not logi c920'), ['Logi C270'], 'which is no latency')
  assert.equal(ask('cooler not stock').asked.q, '')
  assert.deepEqual(ask('no more corsair fans').asked.excludedBrands, ['Corsair'])
  assert.deepEqual(ask('gpu not triple slot').asked.excludedWords, [], 'names do not tell all of it')
  assert.equal(ask('gpu not triple slot under 500').asked.priceCents.max, 500_00)
  assert.deepEqual(ask('cooler not water 240').asked.selectedValues.get('water_cooled'), ['No'], 'a size is no model')
})

test('behind "no … or" a maker is not wanted either, and behind "without … and" a kind', () => {
  assert.deepEqual(names('monitor no curved or lg'), [])
  assert.deepEqual(ask('psu without case and fans').asked.category, 'power-supply')
  assert.deepEqual(names('nothing but corsair fans'), ['Three fans'])
})

test('air, water and the number of fans are read as what they are of', () => {
  for (const q of ['air cooler not water under 50', 'cooler not water']) assert.deepEqual(names(q), ['Air cooler'], q)
  assert.deepEqual(names('3 pack 120 fans'), ['Three fans'])
  assert.deepEqual(names('ram for laptop'), ['Laptop memory'])
  assert.deepEqual(names('memory cl under 30'), ['Plain memory'])
})

test('a word that is also a maker hides nothing', () => {
  assert.deepEqual(
    [names('m.2 ssd 1tb steam deck'), ask('m.2 ssd 1tb steam deck').leftOut.join(' ').toLowerCase()],
    [['Drive 1000'], 'steam deck'],
  )
})

test('of words that products have, none is taken for another, where the kind and the rest find something', async () => {
  const cables = Array.from({ length: 600 }, (_, nth) => testProduct('cable', `Cable ${nth}`, {}))
  const shown = await buildIndex([
    ...cables,
    testProduct('sound-card', 'Internal sound card', {}),
    testProduct('storage', 'Sound of card internal drive', { type: 'HDD' }),
    testProduct('webcam', 'External view', {}),
  ])
  const { productsJson, leftOut } = answerQuestion(shown, { ...emptyQuery, q: 'sound card external' })
  assert.deepEqual([productsJson.map((json) => JSON.parse(json).name), leftOut], [['Internal sound card'], ['external']])
})

test('of measures "less than 60" is all below it, though most numbers are whole', async () => {
  const heights = [...Array.from({ length: 28 }, (_, nth) => 40 + nth), 59.4, 59.6]
  const coolers = await buildIndex(heights.map((height_mm) => testProduct('cpu-cooler', `Cooler of ${height_mm}`, { height_mm })))
  const { asked } = answerQuestion(coolers, { ...emptyQuery, q: 'cpu cooler less than 60mm' })
  assert.deepEqual([...asked.ranges], [['height_mm', { min: undefined, max: 60 }]])
})

test('"w/" is with, but W/(m·K) is a unit', () => {
  const texts = (q: string) => questionTokens(q).map(({ text }) => text)
  assert.deepEqual([texts('board w/backlight'), texts('paste 8 w/mk')[2]], [['board', 'with', 'backlight'], 'w'])
})
