import type { IndexedProduct } from './parsed-query.ts'

let count = 0

/** A product of a category with these attributes, as the index of the search takes it. */
export const testProduct = (
  category: string,
  name: string,
  specs: Record<string, unknown>,
  more: Partial<IndexedProduct> = {},
): IndexedProduct => ({
  _id: `00000000-0000-4000-8000-${`${++count}`.padStart(12, '0')}`,
  position: count,
  ...{ sku: `S-${count}`, name, brand: null, mpn: null, category, description: '', img: '', price: 100, specs },
  ...{ price_breaks: [], incoming: null, lowered: null, minimum_order_quantity: 1, order_multiple: 1, available_quantity: 50, ...more },
})
