import { resolveCategoryAlias } from '#store/catalogue/categories.ts'
import type { SearchResponse } from './contract.ts'
import type { IndexedProduct } from './parsed-query.ts'

/**
 * A product of `GET /search` as two halves of its JSON, made when the product changes, so that a result page only concatenates strings: what it
 * is, and the terms on which it is sold, which change without the product being indexed anew.
 */
export function serializeProduct(product: IndexedProduct): { content: string; terms: string } {
  const { position: _, price, lowered, price_breaks, incoming, available_quantity, minimum_order_quantity, ...content } = product
  const terms = { price, lowered, price_breaks, incoming, available_quantity, minimum_order_quantity }
  return { content: JSON.stringify(resolveCategoryAlias(content)).slice(0, -1), terms: `,${JSON.stringify(terms).slice(1)}` }
}

/** The response body of `GET /search`. Its schema is `SearchResponse`. */
export const serializeSearchResponse = (found: Omit<SearchResponse, 'tools'>, productsJson: string[]): string =>
  `${JSON.stringify(found).slice(0, -1)},"tools":[${productsJson.join()}]}`
