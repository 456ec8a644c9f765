import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalProductListQuery } from './canonical-product-list-query.ts'

test('one price has one spelling in an address, with the symbol of any currency before or after it, and what is no price stays', () => {
  for (const [typed, canonical] of [
    ['12.50', '12.5'],
    ['€12.00', '€12'],
    ['CHF 12.50', 'CHF 12.5'],
    ['R$1,200.50', 'R$1,200.5'],
    ['zł12.50', 'zł12.5'],
    ['12.50 €', '12.5 €'],
    ['.5.0', '.5.0'],
    ['(12.50', '(12.50'],
    ['12.x0', '12.x0'],
  ])
    assert.equal(canonicalProductListQuery(new URLSearchParams({ 'price.max': `${typed}` })).get('price.max'), canonical, typed)
})
