import type { FindByFilters } from '#store/catalogue/find-shown-first.ts'
import { SearchQuery } from './contract.ts'
import type { LiveSearchIndex } from './live-index.ts'
import { parseProduct } from './parse-product.ts'
import { parseSearchQuery } from './parsed-query.ts'

/** Finds products by filters as the list with the same address does, of each family one. What an address cannot hold finds nothing. */
export const findByFiltersIn =
  (search: Pick<LiveSearchIndex, 'answer'>): FindByFilters =>
  (params, limit) => {
    const given = Object.entries(params).map(([name, values]) => [name, name.startsWith('spec.') ? values : values[0]])
    const query = SearchQuery.safeParse({ ...Object.fromEntries(given), families: 'yes', facets: 'no', limit })
    if (!query.success) return undefined
    const found = search.answer(parseSearchQuery(query.data))
    return found && { total: found.total, rows: found.rows, products: found.productsJson.map(parseProduct) }
  }
