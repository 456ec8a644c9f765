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

test('addresses that ask the same are one: in any order, with empty parameters or those of others, such as of a newsletter', () => {
  const canonical = (query: string) => canonicalProductListQuery(new URLSearchParams(query)).toString()
  assert.equal(
    canonical('sort=price&q=fan&brand=&utm_source=mail&category=%20&spec.size=120&spec.a%20b=1'),
    'q=fan&sort=price&spec.size=120',
  )
  assert.equal(canonical('lowered=yes&in_stock=yes'), 'in_stock=yes&lowered=yes')
  assert.equal(canonical('brand=B&q=fan&brand=A'), 'brand=B&brand=A&q=fan')
})
