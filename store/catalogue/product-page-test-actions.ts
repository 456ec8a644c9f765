import assert from 'node:assert/strict'
import type { Store } from '#test/store.ts'
import type { ProductPage } from './product-page-contract.ts'
import * as catalogue from './rules.ts'

/* What tests of product pages do: parts are added, and the page of the first is read. */

const ddr5 = { memory_type: 'DDR5', form_factor: '288-pin DIMM', ecc: false, registered: 'Unbuffered' }
export const kit = (name: string, price: number, capacity: number, specs: object = {}) => ({
  ...{ name, price, category: 'memory', specs: { ...ddr5, capacity_gb: capacity, speed_mts: 6000, ...specs } },
})

export type Given = Partial<catalogue.ProductRecord> & { name: string }

/** Adds parts and answers with the page of the first. */
export async function pageOfFirst(store: Store, given: Given[]): Promise<ProductPage> {
  await catalogue.addProducts(
    store.db,
    given.map((part) => ({ description: 'A part.', price: 100, minimum_order_quantity: 1, available_quantity: 50, ...part })),
  )
  await store.search.catchUp()
  const all: { _id: string; name: string }[] = (await store.visitor.request('GET', '/tools')).json()
  const page = await store.visitor.request('GET', `/products/${all.find(({ name }) => name === given[0]?.name)?._id}`)
  assert.equal(page.statusCode, 200, page.body)
  return page.json()
}
