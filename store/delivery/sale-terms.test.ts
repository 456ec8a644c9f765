import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '#platform/database.ts'
import type { SaleTerms } from '#shared/sale-terms.ts'
import { addProducts } from '#store/catalogue/rules.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { anEmptyStore } from '#test/store.ts'
import { createSaleTermsReader } from './sale-terms.ts'

const nothing: SaleTerms = { tax: null, chargesDelivery: false }

test('pages know of tax and delivery from the moment either is set, and none that was kept from before is shown', async () => {
  await using store = await anEmptyStore()
  const read = createSaleTermsReader(store.db, store.changes)
  const announced: string[] = []
  store.changes.subscribe((topic) => announced.push(topic))
  const change = async (method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object) => {
    announced.length = 0
    const answer = await store.admin.request(method, path, body)
    assert.ok(answer.statusCode < 300, answer.body)
    assert.ok(announced.includes('sale-terms'), `${method} ${path}`)
    return answer.json()
  }
  const inGermany = (pricesIncludeTax: boolean) => ({ country: 'DE', state: null, pricesIncludeTax })

  assert.deepEqual(await read(), nothing)
  await change('PUT', '/tax/settings', inGermany(false))
  assert.deepEqual(await read(), nothing, 'no rate is set yet')
  const rate = await change('POST', '/tax/rates', { country: 'DE', taxClass: 'standard', ratePpm: 190_000 })
  assert.deepEqual(await read(), { tax: 'excluded', chargesDelivery: false })
  await change('PUT', '/tax/settings', inGermany(true))
  assert.deepEqual(await read(), { tax: 'included', chargesDelivery: false })
  await change('DELETE', `/tax/rates/${rate._id}`)
  assert.deepEqual(await read(), nothing)
  const { parcel, express } = await setUpTaxAndDelivery(store)
  assert.deepEqual(await read(), { tax: 'excluded', chargesDelivery: true })
  await change('PUT', '/tax/settings', { country: null, state: null, pricesIncludeTax: false })
  assert.deepEqual(await read(), { tax: null, chargesDelivery: true })
  await change('DELETE', `/delivery/methods/${parcel}`)
  await change('DELETE', `/delivery/methods/${express}`)
  assert.deepEqual(await read(), nothing)
  assert.deepEqual(cacheUntilChanged('reviews'), { 'x-cache-tags': 'sale-terms reviews' }, 'every page that is kept')
})

test('a product page says what delivery costs at least, and how long the cheapest and the quickest take; and nothing before there is a method', async () => {
  await using store = await anEmptyStore()
  await addProducts(store.db, [{ name: 'Drill', description: 'Turns.', price: 10, minimum_order_quantity: 1, available_quantity: 9 }])
  const [product] = (await store.visitor.request('GET', '/tools')).json()
  const said = async () => (await store.visitor.request('GET', `/products/${product._id}`)).json().delivery

  assert.equal(await said(), null)
  const { express } = await setUpTaxAndDelivery(store)
  const cheapest = { priceCents: 490, daysFrom: 1, daysTo: 3 }
  assert.deepEqual(await said(), { cheapest, quickest: { priceCents: 1490, daysFrom: 1, daysTo: 1 } })
  await store.admin.request('DELETE', `/delivery/methods/${express}`)
  assert.deepEqual(await said(), { cheapest, quickest: null })
})

test('while the database does not answer pages have the terms that were read last', async () => {
  await using store = await anEmptyStore()
  await setUpTaxAndDelivery(store)
  let isAway = false
  const db = { execute: (query: never) => (isAway ? Promise.reject(new Error('away')) : store.db.execute(query)) } as unknown as Database
  const read = createSaleTermsReader(db, store.changes)
  const known = await read()
  assert.deepEqual(known, { tax: 'excluded', chargesDelivery: true })
  isAway = true
  store.events.saleTermsChanged()
  assert.deepEqual(await read(), known)
  isAway = false
  await store.admin.request('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: true })
  assert.deepEqual(await read(), { tax: 'included', chargesDelivery: true })
})
