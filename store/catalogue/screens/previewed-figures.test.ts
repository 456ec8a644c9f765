import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewedFigures } from './previewed-figures.ts'

const typed = {
  price: '11.90',
  minimum_order_quantity: '30',
  available_quantity: '1,262',
  order_multiple: '5',
  price_breaks: '25: 11.30\n100: 10',
}
const stored = {
  price: 9,
  minimum_order_quantity: 4,
  available_quantity: 3,
  order_multiple: 2,
  price_breaks: [{ min_quantity: 8, price: 7 }],
}

test('the preview of a product form costs what an order would, with packs and price breaks', () => {
  const { smallestOrderCents, unitPriceCents, lowestPrice, order_multiple, inStock } = previewedFigures(typed)
  assert.deepEqual(
    { smallestOrderCents, unitPriceCents, lowestPrice, order_multiple, inStock },
    {
      smallestOrderCents: 33_900, // the minimum is above the first price break
      unitPriceCents: 1130,
      lowestPrice: { quantity: 100, unitPriceCents: 1000 },
      order_multiple: 5,
      inStock: true,
    },
  )
})

test('a lower price of a larger quantity is named where there is so much', () => {
  assert.equal(previewedFigures({ ...typed, available_quantity: '90' }).lowestPrice, undefined)
})

test('the preview of a product form keeps the stored figures where what is typed is none', () => {
  const wrong = { price: '11.905', minimum_order_quantity: '', available_quantity: 'few', order_multiple: '2.5', price_breaks: '25:' }
  const { price, minimum_order_quantity, available_quantity, order_multiple, price_breaks, inStock } = previewedFigures(wrong, stored)
  assert.deepEqual({ price, minimum_order_quantity, available_quantity, order_multiple, price_breaks }, stored)
  assert.equal(inStock, false)
  assert.deepEqual(previewedFigures({ ...wrong, price_breaks: '' }, stored).price_breaks, [], 'price breaks that were taken out')
})

test('the preview of a new product says neither a price nor a lack of stock before they are typed', () => {
  const empty = { price: '', minimum_order_quantity: '10', available_quantity: '', order_multiple: '1', price_breaks: '' }
  const { unitPriceCents, inStock } = previewedFigures(empty)
  assert.deepEqual({ unitPriceCents, inStock }, { unitPriceCents: undefined, inStock: true })
  assert.equal(previewedFigures({ ...empty, available_quantity: '9' }).inStock, false)
})
