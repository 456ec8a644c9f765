import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountInputSchema, amountSchema } from './amount-schema.ts'
import { type CurrencyCode, currencies, currencyCodes } from './currencies.ts'
import { setStoreCurrency, storeCurrency } from './currency.ts'
import { amountToCents, centsToAmount, formatCents, lineTotal } from './money.ts'
import { formatPlainCents, parseAmountToCents } from './typed-amount.ts'

const usd = storeCurrency()

test('money has both cents or none', () => {
  assert.deepEqual([0, 5, 50, 1250, 40_000, 123_456_789, -1250].map(formatCents), [
    '$0',
    '$0.05',
    '$0.50',
    '$12.50',
    '$400',
    '$1,234,567.89',
    '-$12.50',
  ])
})

test('an amount is read as people type it, and nothing else is one', () => {
  for (const [text, cents] of [
    ['12.35', 1235],
    ['12', 1200],
    ['0.05', 5],
    ['12.50', 1250],
    ['12.5', 1250],
    [' $1,250 ', 125000],
    ['0.01', 1],
    ['400', 40000],
    ['19.99', 1999],
    ['1.15', 115],
    ['12,50', 1250],
    ['4,9', 490],
    ['$1.250,50', 125050],
    ['1,250', 125000],
  ] as const)
    assert.equal(parseAmountToCents(text), cents, text)
  for (const text of ['', '12.505', '1e3', '-5', '1.250', '1,25,5', '1.25,50', '12,505,5', '.', 'ten', '0x10', '12. 5', '.5', '5.'])
    assert.equal(parseAmountToCents(text), Number.NaN, text)
  for (const cents of [1, 115, 1250, 40000]) assert.equal(parseAmountToCents(formatPlainCents(cents)), cents)
})

test('every amount up to the highest price is the same in cents, on the wire and as text', () => {
  for (let cents = 1; cents <= 99_999_900; cents += cents < 200_000 ? 1 : 99_991) {
    const amount = centsToAmount(cents)
    if (amountToCents(amount) !== cents || Number(`${amount}`) !== amount || parseAmountToCents(`${amount}`) !== cents)
      assert.fail(`${cents} cents`)
  }
  assert.equal(centsToAmount(lineTotal(amountToCents(0.07), 300)), 21, '0.07 * 300 is 21.000000000000004')
  assert.equal(centsToAmount(lineTotal(1235, 3)), 37.05)
})

test('an amount on the wire is a number with at most two decimals or the same as text, nothing else', () => {
  const read = (value: unknown) => amountSchema('needed').safeParse(value).data
  for (const value of [12.35, '12.35', ' 12.35 ', '+12.35', '012.35']) assert.equal(read(value), 12.35)
  assert.deepEqual([25, '25', '25.0', '0.05', '12.5', -3.5, '-3.5'].map(read), [25, 25, 25, 0.05, 12.5, -3.5, -3.5])
  const invalid = ['1.005', '12,50', '1e3', '', ' ', '.5', '5.', '0x19', '1,250', '1 2', '1'.repeat(16)]
  const invalidNumbers = [1.005, 0.1 + 0.2, 12.350000000000001, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]
  for (const value of [...invalid, ...invalidNumbers, null, undefined, true, [25], {}]) {
    const { success, error } = amountSchema('needed').safeParse(value)
    assert.deepEqual([success, error?.issues.map(({ message }) => message)], [false, ['needed']], JSON.stringify(value))
  }
})

test('a form says apart that an amount is missing, that it is none, and that it is too high', () => {
  const price = amountInputSchema(
    amountSchema('price is required', (number) => number.max(100, 'at most 100')),
    'two decimals',
  )
  const said = (text: string) => price.safeParse(text).error?.issues.map(({ message }) => message)

  assert.deepEqual(
    [' 16 ', '12.35', '$99.9', '12,50'].map((text) => price.parse(text)),
    [16, 12.35, 99.9, 12.5],
  )
  assert.deepEqual(said(' '), ['price is required'])
  for (const text of ['12.505', '12,5050', '1e3', '-1', 'ten']) assert.deepEqual(said(text), ['two decimals'], text)
  for (const text of ['100.01', '1,250', '9'.repeat(30)]) assert.deepEqual(said(text), ['at most 100'], text)
})

test('money is shown in the currency of the store and may be typed with its symbol before or after it, and with no other', (t) => {
  t.after(() => setStoreCurrency(usd))
  const shown = (code: CurrencyCode, cents: number) => {
    setStoreCurrency({ code, ...currencies[code] })
    return formatCents(cents)
  }
  assert.deepEqual(
    [shown('eur', 1250), shown('gbp', 40_000), shown('chf', 5), shown('sek', -50)],
    ['€12.50', '£400', 'CHF\u00a00.05', '-kr\u00a00.50'],
  )
  setStoreCurrency({ code: 'eur', ...currencies.eur })
  for (const text of ['€1,250.50', ' € 1,250.50', '1250.50', '1250.50 €', '1,250.50€'])
    assert.equal(parseAmountToCents(text), 125_050, text)
  for (const text of ['$12', 'USD 12', '€12€', '€€12', '1€50']) assert.equal(parseAmountToCents(text), Number.NaN, text)
})

test('each currency of a store is known to the platform, and has two decimals and its symbol there', () => {
  for (const code of currencyCodes) {
    const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }).formatToParts(1)
    assert.equal(parts.find(({ type }) => type === 'fraction')?.value, '00', code)
    const symbol = parts.find(({ type }) => type === 'currency')?.value ?? ''
    assert.ok([symbol, code.toUpperCase()].includes(currencies[code].symbol.trim()), `${code}: ${symbol}`)
  }
  assert.deepEqual(usd, { code: 'usd', ...currencies.usd })
})
