import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceForm } from './choice-spelling.ts'
import { formatUnitPrice, pricePerUnit } from './unit-price.ts'

test('a price per unit has cents, below 1 three digits that count, and what is not known or zero has none', () => {
  for (const [price, units, amount, text] of [
    [83.15, 1000, 0.0832, '$0.0832'],
    [83, 1000, 0.083, '$0.083'],
    [80, 32, 2.5, '$2.50'],
    [100, 3, 33.33, '$33.33'],
    [1250, 1, 1250, '$1,250'],
    [0.01, 20_000, 0.0000005, '$0.0000005'],
    [50, 100, 0.5, '$0.50'],
    [99.99, 100, 1, '$1'],
  ] as const) {
    assert.equal(pricePerUnit(price, units), amount, text)
    assert.equal(formatUnitPrice(amount), text)
  }
  for (const units of [0, -1, undefined, null, '32', Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(pricePerUnit(10, units), undefined)
})

test('spellings of a value have one form, and other values another', () => {
  for (const spelling of ['M.2-2280', 'm.2 2280', ' M.2  2280 ']) assert.equal(choiceForm(spelling), choiceForm('M.2 2280'))
  assert.equal(choiceForm('Wi-Fi 6E'), choiceForm('WiFi 6E'))
  assert.equal(choiceForm('3-pin, 4-pin'), choiceForm('3-pin,4-pin'))
  for (const [one, other] of [
    ['1 2', '12'],
    ['AM3', 'AM3+'],
    ['2.5"', '25"'],
    ['LGA2011-3', 'LGA20113'],
    ['No', 'Non'],
  ] as const)
    assert.notEqual(choiceForm(one), choiceForm(other))
})
