import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWholeNumber } from './parse-whole-number.ts'
import { numberInputSchema, wholeNumberSchema } from './whole-number.ts'

test('a whole number on the wire is a number without fraction or its digits, nothing else', () => {
  const read = (value: unknown) => wholeNumberSchema('needed').safeParse(value).data
  for (const value of [25, '25', ' 25 ', '+25', '025']) assert.equal(read(value), 25)
  assert.equal(read('-3'), -3)
  for (const value of [
    '1.5',
    '1e3',
    '',
    ' ',
    '0x19',
    '1,250',
    '2 5',
    '1'.repeat(16),
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    [25],
  ])
    assert.equal(read(value), undefined, JSON.stringify(value))
})

test('a whole number as people type it may carry blanks around it and commas between thousands', () => {
  for (const [text, number] of [
    [' 25 ', 25],
    ['1,250', 1250],
    ['1,250,000', 1_250_000],
    ['0', 0],
    ...['2.5', '1e3', '', ' ', '-5', '1,25', '12,50', '1,2500', ',250', '1 250', 'ten', '0x10'].map((text) => [text, Number.NaN] as const),
  ] as const)
    assert.equal(parseWholeNumber(text), number, text)
})

test('a form says apart that a figure is missing, that it is no whole number, and that it is too high', () => {
  const price = numberInputSchema(
    wholeNumberSchema('price is required', (number) => number.max(100, 'at most 100')),
    'no cents',
  )
  const said = (text: string) => price.safeParse(text).error?.issues.map(({ message }) => message)

  assert.equal(price.parse(' 16 '), 16)
  assert.deepEqual(said(' '), ['price is required'])
  for (const text of ['12.50', '1e3', '-1', 'ten']) assert.deepEqual(said(text), ['no cents'], text)
  for (const text of ['101', '1,250', '9'.repeat(30)]) assert.deepEqual(said(text), ['at most 100'], text)
})
