import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productJsonLd } from './product-json-ld.ts'

const noReviews = { count: 0, average: null, stars: [0, 0, 0, 0, 0], newest: [] }

test('structured data of a product say its price with both cents or none', () => {
  const part = { _id: '', name: 'Drill', img: '/d.svg', description: 'Turns.', minimum_order_quantity: 1, available_quantity: 1 }
  const further = {
    ...{ sku: 'D-1', brand: null, mpn: null, category: null, specs: {} },
    ...{ order_multiple: 1, price_breaks: [], incoming: null },
  }
  for (const [price, said] of [
    [12.35, '12.35'],
    [12.5, '12.50'],
    [12, '12'],
    [1250, '1250'],
  ] as const) {
    const page = { part: { ...part, ...further, price }, category: null, details: [], related: [], reviews: noReviews }
    const { offers } = productJsonLd(page, 'https://shop.example/products/1', { tax: null }) as { offers: { price: unknown } }
    assert.equal(offers.price, said)
  }
})

test('structured data of a product with price breaks say each price with the quantity from which it holds', () => {
  const part = {
    ...{ _id: '', name: 'Drill', img: '/d.svg', description: 'Turns.', price: 12, minimum_order_quantity: 5, available_quantity: 9 },
    ...{ sku: 'D-1', brand: null, mpn: null, category: null, specs: {}, order_multiple: 5, incoming: null },
    price_breaks: [{ min_quantity: 25, price: 11.3 }],
  }
  const { offers } = productJsonLd(
    { part, category: null, details: [], related: [], reviews: noReviews },
    'https://shop.example/products/1',
    {
      tax: null,
    },
  ) as {
    offers: { price: string; priceSpecification: { price: string; eligibleQuantity: { minValue: number } }[] }
  }
  assert.equal(offers.price, '12')
  assert.deepEqual(
    offers.priceSpecification.map(({ price, eligibleQuantity }) => [price, eligibleQuantity.minValue]),
    [
      ['12', 5],
      ['11.30', 25],
    ],
  )
})

test('structured data of a product say of each price whether it contains tax, where something is taxed', () => {
  const part = {
    ...{ _id: '', name: 'Drill', img: '/d.svg', description: 'Turns.', price: 12, minimum_order_quantity: 5, available_quantity: 9 },
    ...{ sku: 'D-1', brand: null, mpn: null, category: null, specs: {}, order_multiple: 5, incoming: null, price_breaks: [] },
  }
  const page = { part, category: null, details: [], related: [], reviews: noReviews }
  const pricesOf = (tax: 'included' | 'excluded' | null) => {
    const { offers } = productJsonLd(page, 'https://shop.example/products/1', { tax }) as { offers: { priceSpecification?: object[] } }
    return offers.priceSpecification
  }
  const price = { '@type': 'UnitPriceSpecification', price: '12', priceCurrency: 'USD' }
  const eligibleQuantity = { '@type': 'QuantitativeValue', minValue: 5, unitCode: 'C62' }
  assert.deepEqual(pricesOf('included'), [{ ...price, valueAddedTaxIncluded: true, eligibleQuantity }])
  assert.deepEqual(pricesOf('excluded'), [{ ...price, valueAddedTaxIncluded: false, eligibleQuantity }])
  assert.equal(pricesOf(null), undefined)
})

test('structured data of a product have its average and its newest reviews, and say nothing of a rating where there is none', () => {
  const part = {
    ...{ _id: '', name: 'Drill', img: '/d.svg', description: 'Turns.', price: 12, minimum_order_quantity: 5, available_quantity: 9 },
    ...{ sku: 'D-1', brand: null, mpn: null, category: null, specs: {}, order_multiple: 5, incoming: null, price_breaks: [] },
  }
  const newest = [{ _id: '', name: 'Ada', about: 'Quiet.', rating: 4.5, bought: true, postedAt: '2026-11-03T09:00:00.000Z' }]
  const said = (reviews: object) =>
    productJsonLd({ part, category: null, details: [], related: [], reviews }, 'https://shop.example/products/1', { tax: null }) as {
      aggregateRating?: object
      review?: object[]
    }
  const none = said(noReviews)
  assert.deepEqual(['aggregateRating' in none, 'review' in none], [false, false])
  const { aggregateRating, review } = said({ count: 12, average: 4.04, stars: [0, 0, 0, 12, 0], newest })
  const range = { bestRating: 5, worstRating: 1 }
  assert.deepEqual(aggregateRating, { '@type': 'AggregateRating', ratingValue: '4.0', reviewCount: 12, ...range })
  assert.deepEqual(review, [
    {
      '@type': 'Review',
      author: { '@type': 'Person', name: 'Ada' },
      datePublished: '2026-11-03',
      reviewRating: { '@type': 'Rating', ratingValue: 4.5, ...range },
      reviewBody: 'Quiet.',
    },
  ])
})
