/** The query parameters of /allproducts. All others, e.g. those that newsletters append to links, are ignored. */
const listQueryParamPattern = /^(q|category|brand|in_stock|pieces|price\.(min|max)|sort|look|page|spec\.\w{1,60}(\.(min|max))?)$/

/** Canonical form of a query, so that equivalent URLs share one cache entry: known, non-empty parameters sorted by name. */
export function canonicalListQuery(search: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams([...search].filter(([name, value]) => listQueryParamPattern.test(name) && value.trim() !== ''))
  params.sort()
  return params
}
