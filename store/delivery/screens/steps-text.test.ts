import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSteps, parseSteps, parseWeight } from './steps-text.ts'

test('steps of a price are typed a line each, by weight or by goods, and shown the same', () => {
  const byWeight = [
    { upTo: 500, priceCents: 200 },
    { upTo: 31_500, priceCents: 990 },
    { upTo: null, priceCents: 4900 },
  ]
  assert.deepEqual(parseSteps('500 g: 2\n\n 31.5kg : $9.90 \nmore: 49', 'weight'), byWeight)
  assert.equal(formatSteps(byWeight, 'weight'), '500 g: 2\n31.5 kg: 9.90\nmore: 49')
  assert.deepEqual(parseSteps(formatSteps(byWeight, 'weight'), 'weight'), byWeight)
  const byGoods = [
    { upTo: 5000, priceCents: 490 },
    { upTo: 123_450, priceCents: 0 },
  ]
  assert.deepEqual(parseSteps('50: 4.90\n1,234.50: 0', 'goods'), byGoods)
  assert.deepEqual(parseSteps(formatSteps(byGoods, 'goods'), 'goods'), byGoods)
  assert.deepEqual(parseSteps('4.90', 'weight'), [{ upTo: null, priceCents: 490 }], 'a price for everything')
  assert.deepEqual(parseSteps('1,5 kg: 4,90', 'weight'), [{ upTo: 1500, priceCents: 490 }], 'with decimal commas')
  assert.deepEqual(parseSteps('', 'weight'), [])
  for (const wrong of ['2: 4.90', '2 kg 4.90', '2 kg: four', '2 lb: 4.90', ': 4.90'])
    assert.deepEqual(parseSteps(`1 kg: 1\n${wrong}`, 'weight'), { wrongLine: wrong })
})

test('a weight is typed in grams or kilograms', () => {
  assert.deepEqual(['500 g', '2kg', '31.5 KG', '0.001 kg', '31,5 kg', '0,250 kg'].map(parseWeight), [500, 2000, 31_500, 1, 31_500, 250])
  for (const wrong of ['', '2', '1.5 g', '1,500 kg', '0.0001 kg', '-1 kg', 'kg']) assert.equal(parseWeight(wrong), Number.NaN, wrong)
})
