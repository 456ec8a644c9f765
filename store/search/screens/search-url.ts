import { canonicalProductListQuery } from '#shared/canonical-product-list-query.ts'
import { withoutCurrency } from '#shared/money.ts'

// Only what many pages need: each of them loads this file.

/** Products per page of /allproducts. */
export const perPage = 24
/** More pages than any catalogue has. The cursor of the last one is within the limit of the API. */
const maxPage = 400_000

export const numberParamPattern = /^pieces$|\.(min|max)$/
/** Parameters that may have several values, of which a product must have one. */
const multiValueParamPattern = /^(q\.not|brand(\.not)?|spec\.\w+(\.not)?)$/

/**
 * The parameters of `GET /search` in a URL, under the same names. Numbers may be typed as "$1,250.50" and "12,50", as in other forms. Empty values are left out. `limit`
 * and the like are set by the caller and not part of the URL.
 */
export function readSearchParams(search: URLSearchParams): Record<string, string[]> {
  const params: Record<string, string[]> = {}
  const query = canonicalProductListQuery(search)
  for (const name of new Set(query.keys())) {
    if (name === 'page' || name === 'look') continue
    const values = query.getAll(name).map((value) => (numberParamPattern.test(name) ? plainNumber(value) : value.trim()))
    const distinct = [...new Set(values.filter((value) => value !== ''))]
    if (distinct.length > 0) params[name] = multiValueParamPattern.test(name) ? distinct : distinct.slice(0, 1)
  }
  return params
}

/** A number as typed without spaces, currency and commas between thousands, with a point before its decimals. */
const plainNumber = (typed: string) =>
  withoutCurrency(typed)
    .replace(/\s|(?<=^\d[\d,]*),(?=\d{3}(?!\d))/g, '')
    .replace(/^(\d+),(\d{1,2})$/, '$1.$2')

export const readPageNumber = (search: URLSearchParams): number =>
  Math.min(maxPage, Math.max(1, Math.trunc(Number(search.get('page'))) || 1))

/** How a list is shown: as rows of a table, or as cards. */
export type ListLook = 'table' | 'cards'

export const readLook = (value: string | null): ListLook | undefined => (value === 'table' || value === 'cards' ? value : undefined)

/** The look that the URL chooses, which the links of a list carry. */
export const chosenLook = (search: URLSearchParams): ListLook | undefined => readLook(search.get('look'))

/** URL of the listing with these parameters replaced or removed. It starts at the first page. Empty values and `page=1` are left out. */
export function productsUrlWithParams(search: URLSearchParams, change: Record<string, string | string[] | undefined>): string {
  const params = new URLSearchParams(search)
  for (const [name, values] of Object.entries({ page: '', ...change })) {
    params.delete(name)
    for (const value of [values ?? []].flat()) if (name !== 'page' || value !== '1') params.append(name, value)
  }
  const query = `${canonicalProductListQuery(params)}`
  return `/allproducts${query && `?${query}`}`
}

/** Page numbers to link, 0 for a gap: the first, the last, and those around the current page. */
export function visiblePageNumbers(page: number, pages: number): number[] {
  const offered = [...new Set([1, page - 1, page, page + 1, pages])]
    .filter((one) => one >= 1 && one <= pages)
    .sort((one, other) => one - other)
  return offered.flatMap((one, index) => {
    const before = offered[index - 1] ?? one
    return one - before === 2 ? [one - 1, one] : one - before > 2 ? [0, one] : [one]
  })
}
