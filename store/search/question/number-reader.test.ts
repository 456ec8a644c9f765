import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setStoreCurrency, storeCurrency } from '#shared/currency.ts'
import { emptyQuery } from '../../../proof/random-queries.ts'
import { buildIndex, type SearchIndex } from '../search-index.ts'
import { testProduct } from '../test-product.ts'
import { answerQuestion } from './answer-question.ts'

let index: SearchIndex
/** Graphics cards of every price. */
let priced: SearchIndex
before(async () => {
  priced = await buildIndex([10, 90, 99, 250, 600, 1200].map((price) => testProduct('video-card', `Card of ${price}`, {}, { price })))
  index = await buildIndex([
    testProduct('storage', 'Half a terabyte', { type: 'SSD', capacity_gb: 500 }),
    testProduct('storage', 'Terabyte', { type: 'SSD', capacity_gb: 1000 }),
    testProduct('storage', '480 GB SSD of one maker', { type: 'SSD', capacity_gb: 480 }, { mpn: '480GB SSD' }),
    testProduct('storage', 'Another', { type: 'SSD', capacity_gb: 480 }),
    testProduct('monitor', 'Fast screen', { refresh_hz: 165, size_class_in: 27 }),
    testProduct('video-card', 'Short card', { length_mm: 242, tdp_w: 200, vram_gb: 12 }, { brand: 'ASUS', price: 250 }),
    testProduct('video-card', 'Long card', { length_mm: 336, tdp_w: 300, vram_gb: 16 }, { brand: 'MSI', price: 500 }),
    testProduct('memory', 'Two modules', { modules: 2, module_gb: 16, capacity_gb: 32, rgb: false }),
    testProduct('memory', 'Lit module', { modules: 1, module_gb: 16, capacity_gb: 16, rgb: true }),
  ])
})

/** The names that a question finds, and the words that it leaves out. */
function ask(q: string) {
  const { productsJson, leftOut, asked } = answerQuestion(index, { ...emptyQuery, q })
  return { names: productsJson.map((json): string => JSON.parse(json).name).sort(), leftOut, asked }
}
const priceOf = (q: string) => answerQuestion(priced, { ...emptyQuery, q }).asked.priceCents
const found = (q: string) => {
  const { names, leftOut } = ask(q)
  assert.deepEqual(leftOut, [], q)
  return names
}

test('the ends of a range may have units of their own, and amounts on both sides of a dash are one range', () => {
  for (const q of ['ssd 500gb - 1tb', 'ssd from 500 gb to 1 tb', 'ssd 500 gb–1 tb', 'ssd 500-1tb'])
    assert.deepEqual(ask(q).asked.ranges.get('capacity_gb'), { min: 500, max: 1000 }, q)
  for (const q of ['gpu $200-$300', 'gpu 200$-300$', 'gpu $200 - 300']) assert.deepEqual(priceOf(q), { min: 20_000, max: 30_000 }, q)
  for (const q of ['gpu $500 - $1k', 'gpu between 500 and 1k dollars', 'gpu 500 - 1.000 €'])
    assert.deepEqual(priceOf(q), { min: 50_000, max: 100_000 }, q)
  assert.deepEqual(priceOf('gpu 1.000 - 2.000 €'), { min: 100_000, max: 200_000 })
})

test('a measure and an amount on two sides of a dash are two, and either of two measures fits', () => {
  const { asked } = ask('ssd 500gb - $100')
  assert.deepEqual([asked.ranges.get('capacity_gb'), asked.priceCents.max], [{ min: 500, max: 500 }, 10_000])
  assert.deepEqual(ask('120hz or 144hz monitor').asked.ranges.get('refresh_hz'), { min: 120, max: undefined })
  for (const dash of ['-', '–', '—']) assert.deepEqual(ask(`gpu ${dash}asus`).asked.excludedBrands, ['ASUS'], dash)
})

test('a unit may stand behind "or more", and a comparison before what is measured', () => {
  assert.deepEqual(ask('monitor 144+ hz').asked.ranges.get('refresh_hz'), { min: 144, max: undefined })
  assert.deepEqual(found('ssd 1 or more tb'), ['Terabyte'])
  for (const q of ['gpu max length 300mm', 'gpu max length 300', 'max length of 300 mm gpu', 'gpu max tdp 250'])
    assert.deepEqual(found(q), ['Short card'], q)
})

test('signs for at least, at most and times are read as those that keyboards have', () => {
  assert.deepEqual(found('gpu ≤ 300mm'), ['Short card'])
  assert.deepEqual(found('gpu ≥300mm'), ['Long card'])
  for (const q of ['memory 2×16gb', 'memory 2 × 16 GB']) assert.deepEqual(found(q), ['Two modules'], q)
})

test('a minus before a word is "without"', () => {
  assert.deepEqual(found('gpu -asus'), ['Long card'])
  assert.deepEqual(found('memory -rgb'), ['Two modules'])
})

test('a comma before one digit, or before the cents of an amount, is a decimal point', () => {
  const maxCents = (q: string) => priceOf(q).max
  assert.deepEqual(
    ['gpu under 99,99', 'gpu under 1.250,50 euro', 'gpu under 250,5', 'gpu under 1,250'].map(maxCents),
    [9_999, 125_050, 25_050, 125_000],
  )
  assert.deepEqual(ask('ssd 0,5 tb').asked.ranges.get('capacity_gb'), { min: 500, max: 500 })
})

test('amounts are in the currency of the shop, whichever that is', async (t) => {
  const before = storeCurrency()
  t.after(() => setStoreCurrency(before))
  setStoreCurrency({ code: 'CHF', symbol: 'CHF', minCents: 50 })
  const inFrancs = await buildIndex([testProduct('video-card', 'Card', {}, { price: 90 })])
  const { asked, leftOut } = answerQuestion(inFrancs, { ...emptyQuery, q: 'gpu under 100 chf' })
  assert.deepEqual([asked.priceCents, leftOut], [{ max: 10_000 }, []])
})

test('a part number with spaces that says what many products are finds all of them', () => {
  assert.deepEqual(found('480gb ssd'), ['480 GB SSD of one maker', 'Another'])
})

test('where nothing costs as little, the price is left out, and the cheapest with the rest comes first', () => {
  const { names, leftOut, asked } = ask('gpu 16gb under $100')
  assert.deepEqual([names, leftOut, asked.sort], [['Long card'], ['$100 or less'], 'price'])
})
