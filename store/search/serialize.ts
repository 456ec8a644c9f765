import { resolveCategoryAlias } from '#store/catalogue/categories.ts'
import type { SearchResponse } from './contract.ts'
import type { IndexedProduct } from './parsed-query.ts'

/** A product of `GET /search` as JSON. It is serialized when the product changes, so that a result page only concatenates strings. */
export const serializeProduct = ({ position: _, ...product }: IndexedProduct): string => JSON.stringify(resolveCategoryAlias(product))

/** The response body of `GET /search`. Its schema is `SearchResponse`. */
export const serializeSearchResponse = (found: Omit<SearchResponse, 'tools'>, productsJson: string[]): string =>
  `${JSON.stringify(found).slice(0, -1)},"tools":[${productsJson.join()}]}`
