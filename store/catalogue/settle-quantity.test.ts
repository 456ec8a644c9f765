import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#proof/seeded-random.ts'
import { storeCurrency } from '#shared/currency.ts'
import { formatPriceBreaks, parsePriceBreaks } from './price-breaks-text.ts'
import { priceSteps, type QuantityTerms, settleQuantity, unitPriceAt } from './settle-quantity.ts'

const bracket: QuantityTerms = {
  ...{ price: 11.9, minimum_order_quantity: 5, order_multiple: 5, available_quantity: 262 },
  price_breaks: [
    { min_quantity: 25, price: 11.3 },
    { min_quantity: 100, price: 10.83 },
    { min_quantity: 250, price: 10.36 },
  ],
}
const codes = (product: QuantityTerms, quantity: number) => settleQuantity(product, quantity).problems.map(({ code }) => code)
const firstMessage = (product: QuantityTerms, quantity: number) => settleQuantity(product, quantity).problems[0]?.message

test('a price break begins at its quantity, and one that is dearer than the price of a piece counts for nothing', () => {
  const prices = [5, 20, 25, 95, 100, 250, 260].map((quantity) => settleQuantity(bracket, quantity).unitPriceCents)
  assert.deepEqual(prices, [1190, 1190, 1130, 1130, 1083, 1036, 1036])
  assert.equal(settleQuantity(bracket, 100).totalCents, 108_300)
  assert.equal(unitPriceAt({ ...bracket, price: 11 }, 30), 1100)
})

test('the steps of a price begin at the smallest order, and name only what costs less', () => {
  const steps = (product: QuantityTerms) => priceSteps(product).map(({ quantity, unitPriceCents }) => [quantity, unitPriceCents])
  assert.deepEqual(steps(bracket), [
    [5, 1190],
    [25, 1130],
    [100, 1083],
    [250, 1036],
  ])
  assert.deepEqual(steps({ ...bracket, price: 11, minimum_order_quantity: 30 }), [
    [30, 1100],
    [100, 1083],
    [250, 1036],
  ])
  assert.deepEqual(steps({ ...bracket, minimum_order_quantity: 100 }), [
    [100, 1083],
    [250, 1036],
  ])
  assert.deepEqual(steps({ ...bracket, price: 9 }), [[5, 900]])
})

test('only whole packs can be ordered, and the nearest quantities that can be are named', () => {
  assert.equal(firstMessage(bracket, 12), 'Sold in packs of 5: order 10 or 15 pieces')
  assert.equal(firstMessage(bracket, 261), 'Sold in packs of 5: order 260 pieces')
  assert.deepEqual(
    [12, 261].map((quantity) => settleQuantity(bracket, quantity).quantity),
    [15, 260],
  )
  assert.deepEqual(codes(bracket, 3), ['below_minimum', 'not_a_multiple'], 'the words of the specification come first')
  assert.equal(firstMessage(bracket, 263), "You can't order more than 260 pieces", 'in whole packs')
  assert.equal(firstMessage({ ...bracket, available_quantity: 4 }, 5), "You can't order more than 4 pieces")
  assert.equal(settleQuantity({ ...bracket, available_quantity: 4 }, 5).quantity, undefined, 'none can be ordered')
})

test('an order that a card cannot pay is refused, at the price that the quantity has', () => {
  const washer = {
    ...bracket,
    price: 0.02,
    minimum_order_quantity: 5,
    available_quantity: 10_000_000,
    price_breaks: [{ min_quantity: 30, price: 0.01 }],
  }
  assert.deepEqual(
    [20, 25, 30, 45, 50].map((quantity) => codes(washer, quantity)),
    [['costs_too_little'], [], ['costs_too_little'], ['costs_too_little'], []],
  )
  const server = { ...bracket, price: 9000, order_multiple: 1, available_quantity: 500, price_breaks: [{ min_quantity: 112, price: 8900 }] }
  assert.deepEqual(
    [111, 112, 113].map((quantity) => codes(server, quantity)),
    [[], [], ['costs_too_much']],
  )
  assert.equal(settleQuantity(server, 400).quantity, 112)
  // What costs less each may cost too little, or be the first that does not cost too much: then there is a gap.
  assert.equal(settleQuantity(washer, 30).quantity, 50)
  assert.deepEqual(settleQuantity(washer, 25).cheaper, { quantity: 50, totalCents: 50 }, 'not 30, which would cost too little')
  assert.equal(settleQuantity({ ...washer, available_quantity: 40 }, 40).quantity, 25)
  const gap = { ...server, price_breaks: [{ min_quantity: 115, price: 8000 }] }
  assert.deepEqual(
    [112, 124, 125].map((quantity) => settleQuantity(gap, quantity).quantity),
    [115, 124, 124],
  )
  assert.equal(settleQuantity({ ...gap, minimum_order_quantity: 112 }, Number.NaN).quantity, 115)
  assert.deepEqual(settleQuantity(gap, 1).orderable, { lowest: 5, highest: 124 })
  const pairs = { ...bracket, order_multiple: 2, price_breaks: [{ min_quantity: 25, price: 0.01 }] }
  assert.equal(settleQuantity(pairs, 23).quantity, 24, 'the last pack before the price falls too low')
})

test('a larger quantity that costs no more is named, and none that costs more', () => {
  assert.deepEqual(settleQuantity({ ...bracket, order_multiple: 1 }, 24).cheaper, { quantity: 25, totalCents: 28_250 })
  assert.equal(settleQuantity(bracket, 20).cheaper, undefined)
  assert.equal(settleQuantity({ ...bracket, order_multiple: 1, available_quantity: 24 }, 24).cheaper, undefined, 'not in stock')
  assert.equal(settleQuantity(bracket, Number.NaN).quantity, 5)
})

test('whatever the product, a proposed quantity can be ordered, and a cheaper one costs no more', () => {
  const random = seededRandom(16)
  for (let nth = 0; nth < 20_000; nth++) {
    const multiple = [1, 1, 5, 10, 25][random.below(5)] ?? 1
    const price = (1 + random.below(random.coin() ? 300 : 2_000_000)) / 100
    let [quantity, breakCents] = [1, Math.round(price * 100)]
    const price_breaks = Array.from({ length: random.below(5) }, () => {
      quantity += 1 + random.below(60)
      breakCents -= 1 + random.below(Math.ceil(breakCents / 10))
      return { min_quantity: quantity, price: breakCents / 100 }
    }).filter(({ price }) => price > 0)
    const product: QuantityTerms = {
      ...{ price, price_breaks, order_multiple: multiple, minimum_order_quantity: multiple * (1 + random.below(8)) },
      available_quantity: random.below(random.coin() ? 400 : 2_000_000),
    }
    const requested = random.below(500)
    const settled = settleQuantity(product, requested)
    const context = JSON.stringify({ product, requested, settled })
    if (settled.problems.length > 0) assert.notEqual(settled.quantity, requested, context)
    if (settled.quantity === undefined) continue
    assert.deepEqual(codes(product, settled.quantity), [], context)
    assert.ok(settled.problems.length > 0 || settled.totalCents >= storeCurrency().minCents, context)
    if (!settled.cheaper) continue
    assert.ok(settled.cheaper.quantity > requested && settled.cheaper.totalCents <= settled.totalCents, context)
    assert.deepEqual(codes(product, settled.cheaper.quantity), [], context)
  }
})

test('price breaks are read as they are written', () => {
  assert.equal(formatPriceBreaks(bracket.price_breaks), '25: 11.30; 100: 10.83; 250: 10.36')
  const read = parsePriceBreaks(' 25: 11.30\n100 : $10.83;250:10.36\n')
  assert.deepEqual(
    read?.map(({ min_quantity, price }) => ({ min_quantity: Number(min_quantity), price: Number(price) })),
    bracket.price_breaks,
  )
  assert.deepEqual(parsePriceBreaks(' \n'), [])
  assert.deepEqual(parsePriceBreaks('1,000: 0.06'), [{ min_quantity: '1000', price: '0.06' }])
  for (const wrong of ['25', '25: ', 'a: 1', '25: 1,000', '1,00: 5', '25: 11.30, 100: 10.83', '-5: 1'])
    assert.equal(parsePriceBreaks(wrong), undefined, wrong)
})
