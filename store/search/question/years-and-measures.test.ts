import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { questionsTo } from './question-test-actions.ts'

const index = await buildIndex([
  testProduct('monitor', 'Old screen', { released_year: 2024, refresh_hz: 100, size_class_in: 27, size_in: 27 }),
  testProduct('monitor', 'New screen', { released_year: 2025, refresh_hz: 60, size_class_in: 32, size_in: 31.5 }),
  testProduct('video-card', 'Small card', { vram_gb: 16, length_mm: 299.5 }, { price: 400 }),
  testProduct('video-card', 'Large card', { vram_gb: 24, length_mm: 320 }, { price: 900 }),
  testProduct('cpu', 'Eight cores', { cores: 8 }),
  testProduct('cpu', 'Twelve cores', { cores: 12 }),
  testProduct('cpu', 'Sixteen cores', { cores: 16 }),
  testProduct('memory', 'Cool memory', { voltage: 1.1 }),
  testProduct('memory', 'Warm memory', { voltage: 1.5 }),
  testProduct('case-fan', 'Quiet fan', { max_noise_level: 19 }),
  testProduct('case-fan', 'Loud fan', { max_noise_level: 35 }),
  testProduct('cpu-cooler', 'Passive cooler', { fanless: true }),
  testProduct('webcam', 'Webcam 60 fps', {}, { price: 30 }),
])

const { ask, names } = questionsTo(index)

test('"newer than 2024" is of the year of a part, and no price', () => {
  for (const q of ['monitor newer than 2024', 'monitor 2025 or newer', 'monitor since 2025', 'monitor after 2024'])
    assert.deepEqual([names(q), ask(q).asked.priceCents], [['New screen'], {}], q)
  for (const q of ['monitor older than 2025', 'monitor before 2025', 'monitor 2024 or older']) assert.deepEqual(names(q), ['Old screen'], q)
  assert.equal(ask('monitor under 2000').asked.priceCents.max, 2000_00)
})

test('years of release are none of prices, however they are said', () => {
  for (const q of ['monitor from 2025', 'monitor released in 2025', 'monitor 2025+', 'monitor from 2025 on', 'monitor released after 2024'])
    assert.deepEqual([names(q), ask(q).asked.priceCents], [['New screen'], {}], q)
  for (const q of ['monitor from 2024 to 2025', 'monitor 2024-2025', 'monitor launched in 2024 or 2025', 'monitor between 2024 and 2025'])
    assert.deepEqual([names(q).length, ask(q).asked.ranges.get('released_year')], [2, { min: 2024, max: 2025 }], q)
  assert.deepEqual([ask('gpu from 2000').leftOut, ask('monitor from $2025').leftOut], [['$2,000 or more'], ['$2,025 or more']])
  assert.equal(ask('monitor from 2025 hz').reading?.conditions.has('released_year') ?? false, false)
})

test('a phrase ends before a comparison: "fan less than" asks for no fanless one', () => {
  assert.deepEqual(names('fan less than 20 db'), ['Quiet fan'])
  assert.deepEqual(names('fanless cooler'), ['Passive cooler'])
})

test('a measure in a unit of which the kind has none is left out and said, and no word or price', () => {
  const { asked, leftOut } = ask('gpu under 100 hz')
  assert.deepEqual([asked.priceCents, asked.q, leftOut], [{}, '', ['under 100 hz']])
  assert.deepEqual(ask('monitor over 90% srgb').asked.priceCents, {})
})

test('a count named before a comparison is one, too', () => {
  assert.deepEqual(names('cpu cores under 12'), ['Eight cores'])
})

test('a measure that is named before a comparison is no price', () => {
  assert.deepEqual(names('gpu length under 300'), ['Small card'])
  assert.deepEqual(names('ram voltage not over 1.35'), ['Cool memory'])
})

test('a number with the unit of what no filter measures is a word, and no price', () => {
  const { asked } = ask('webcam at least 60 fps')
  assert.deepEqual([asked.priceCents, asked.q], [{}, '60 fps'])
})

test('"more than 16 gb" is not 16, where all have whole numbers, but what is "under 320 mm" may be 320', () => {
  for (const q of ['gpu more than 16gb', 'gpu over 16 gb', 'gpu >16gb']) assert.deepEqual(names(q), ['Large card'], q)
  assert.deepEqual(names('monitor less than 100 hz'), ['New screen'])
  assert.equal(names('gpu under 320mm').length, 2)
})

test('"1.000 gb" is a thousand', () => {
  assert.deepEqual(ask('gpu 1.000 gb').asked.ranges.get('vram_gb') ?? ask('gpu 1.000 gb').leftOut, ['1000 gb'])
})

test('a price per unit is one only where it is said, in its unit', () => {
  assert.deepEqual(ask('gpu price per gb under 26').asked.ranges.get('price_per_gb'), { min: undefined, max: 26 })
  assert.equal(ask('cheapest gpu per gb under 500').asked.priceCents.max, 500_00)
  for (const q of ['gpu under 26 per gb', 'gpu under $26 per gb'])
    assert.deepEqual([ask(q).asked.ranges.get('price_per_gb')?.max, ask(q).asked.priceCents], [26, {}], q)
})

test('two limits share the unit of the second', () => {
  assert.deepEqual(names('cpu more than 8 but fewer than 16 cores'), ['Twelve cores'])
})

test('31.5 inch is no size class, but a size', () => {
  assert.equal(ask('under 300 for 10 monitors').reading?.conditions.size, 0, 'a price of 30 each, and no inches')
  for (const q of ['monitor 31.5 inch', 'monitor 31.5']) assert.deepEqual(names(q), ['New screen'], q)
  assert.deepEqual(names('monitor 27 inch'), ['Old screen'])
})
