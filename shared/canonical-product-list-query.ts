/** The query parameters of /allproducts. All others, e.g. those that newsletters append to links, are ignored. */
const listQueryParamPattern =
  /^(q(\.not)?|category|brand(\.(not|unknown))?|in_stock|lowered|pieces|price\.(min|max)|sort|look|page|read|spec\.\w{1,60}(\.(min|max|not|unknown|stated))?)$/

/**
 * Canonical form of a query, so that equivalent URLs share one cache entry: known, non-empty parameters sorted by name, prices without
 * trailing zeros.
 */
export function canonicalProductListQuery(search: URLSearchParams): URLSearchParams {
  const known = [...search].filter(([name, value]) => listQueryParamPattern.test(name) && value.trim() !== '')
  const params = new URLSearchParams(known.map(([name, value]) => [name, name.startsWith('price.') ? withoutTrailingZeros(value) : value]))
  params.sort()
  return params
}

/** "12.50" is "12.5" and "12.00" is "12"; text that is no amount stays. */
const withoutTrailingZeros = (value: string) =>
  value.replace(/^([\p{L}\p{Sc}]*[,\s\d]*\d)(?:\.0+|(\.\d*?[1-9])0+)([\s\p{L}\p{Sc}]*)$/u, '$1$2$3')

/**
 * The look that a visitor has chosen before, of a list whose URL chooses none. The store adds it to the address under which it renders and
 * keeps the page; in the URL of a request it counts for nothing.
 */
export const preferredLookParam = 'preferred-look'
