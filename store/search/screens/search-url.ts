import { canonicalProductListQuery } from '#shared/canonical-product-list-query.ts'
import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents, withoutCurrency } from '#shared/money.ts'
import type { Facet } from '#store/search/contract.ts'

/** Products per page of /allproducts. */
export const perPage = 24
/** More pages than any catalogue has. The cursor of the last one is within the limit of the API. */
const maxPage = 400_000

export const numberParamPattern = /^pieces$|\.(min|max)$/
/** Parameters that may have several values, of which a product must have one. */
const multiValueParamPattern = /^(brand|spec\.\w+(\.not)?)$/

/**
 * The parameters of `GET /search` in a URL, under the same names. Amounts may be typed as "$1,250.50"; "12,50" is none. Empty values are left out. `limit` and
 * the like are set by the caller and not part of the URL.
 */
export function readSearchParams(search: URLSearchParams): Record<string, string[]> {
  const params: Record<string, string[]> = {}
  const query = canonicalProductListQuery(search)
  for (const name of new Set(query.keys())) {
    if (name === 'page' || name === 'look') continue
    const values = query
      .getAll(name)
      .map((value) =>
        numberParamPattern.test(name) ? withoutCurrency(value).replace(/\s|(?<=^\d[\d,]*),(?=\d{3}(?!\d))/g, '') : value.trim(),
      )
    const distinct = [...new Set(values.filter((value) => value !== ''))]
    if (distinct.length > 0) params[name] = multiValueParamPattern.test(name) ? distinct : distinct.slice(0, 1)
  }
  return params
}

export const readPageNumber = (search: URLSearchParams): number =>
  Math.min(maxPage, Math.max(1, Math.trunc(Number(search.get('page'))) || 1))

export const isTableView = (search: URLSearchParams): boolean => search.get('look') === 'table'

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

/** Whether the facet is an attribute of the category, such as the capacity of memory. The key of a facet is also its URL parameter. */
export const isAttributeFacet = ({ key }: Pick<Facet, 'key'>): boolean => key.startsWith('spec.')

const countOfYes = (facets: Facet[], key: string): number | undefined =>
  facets.flatMap((facet) => (facet.key === key && facet.kind === 'choice' ? facet.choices : [])).find(({ value }) => value === 'yes')?.count

/** Number of results in stock, if the facets contain it. */
export const inStockCount = (facets: Facet[]): number | undefined => countOfYes(facets, 'in_stock')

/** Number of results whose price is shown as lowered, if the facets contain it. */
export const loweredCount = (facets: Facet[]): number | undefined => countOfYes(facets, 'lowered')

/** A filter set in the URL, with its label. */
export type AppliedFilter = { name: string; value: string; label: string }

/** All filters of a URL except search text and category, one item for each value. */
export function listAppliedFilters(search: URLSearchParams, facets: Facet[]): AppliedFilter[] {
  const byName = new Map(facets.map((facet) => [facet.key, facet]))
  return Object.entries(readSearchParams(search))
    .filter(([name]) => !['q', 'category', 'sort', 'read'].includes(name))
    .flatMap(([name, values]) => values.map((value) => ({ name, value, label: formatFilter(name, value, byName) })))
}

function formatFilter(name: string, value: string, facets: Map<string, Facet>): string {
  if (name === 'in_stock') return 'In stock'
  if (name === 'lowered') return 'Price lowered'
  if (name === 'pieces') return `${formatIfNumber(value)} pieces`
  const [, chosen = name, bound] = name.match(/^(.+)\.(min|max|not)$/) ?? []
  if (chosen === 'price') return `Price: ${formatTypedPrice(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const facet = facets.get(chosen)
  const label = facet?.label ?? labelFromKey(chosen)
  if (bound && bound !== 'not')
    return `${label}: ${appendUnit(formatIfNumber(value), facet?.kind === 'number' ? facet.unit : undefined)} or ${bound === 'min' ? 'more' : 'less'}`
  const choice = facet?.kind === 'choice' ? facet.choices.find((one) => one.value === value) : undefined
  return `${label}: ${bound ? 'not ' : ''}${choice?.label ?? value}`
}

/** "12.5" is "$12.50". A bound may have more decimals than a price, such as "12.345", and an invalid one is shown as it is. */
const formatTypedPrice = (value: string): string =>
  /^\d+(\.\d{1,2})?$/.test(value) ? formatCents(amountToCents(Number(value))) : `${storeCurrency().symbol}${formatIfNumber(value)}`

/** Derives a label from an unknown key: "video-card" is "Video card". */
export function labelFromKey(key: string): string {
  const words = key.replace(/^spec\./, '').replace(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const appendUnit = (figure: string, unit: string | undefined): string => (unit ? `${figure} ${unit}` : figure)

/** Formats a number as "4,680"; other text is returned as it is. */
export function formatIfNumber(value: string | number): string {
  const number = Number(value)
  return Number.isFinite(number) ? formatNumber(number) : `${value}`
}

/** Attribute value of a product as text without the unit; undefined if unknown or too complex for one line. */
export function attributeTextWithoutUnit({ specs }: { specs: Record<string, unknown> }, facet: Facet): string | undefined {
  const spec = specs[facet.key.replace('spec.', '')]
  if (typeof spec === 'number') return spec < 0 && facet.kind === 'number' && facet.unit !== '°C' ? undefined : formatIfNumber(spec)
  const labels = facet.kind === 'choice' ? facet.choices : []
  const texts = [spec].flat().flatMap((item) => {
    if (typeof item === 'boolean') return item ? 'Yes' : 'No'
    if (typeof item !== 'string' && typeof item !== 'number') return []
    return labels.find(({ value }) => value === `${item}`)?.label ?? `${item}`
  })
  return texts.length > 0 ? texts.join(', ') : undefined
}

/**
 * Sort options with labels, including the number attributes of the category.
 * @param sort current sort order, possibly chosen in a table header; it is always among the options
 */
export function sortOptions(facets: Facet[], hasWords: boolean, sort = '', hasCategory = false): { value: string; words: string }[] {
  const both = (value: string, label: string) => ({
    up: { value, words: `${label}, lowest first` },
    down: { value: `-${value}`, words: `${label}, highest first` },
  })
  const byNumber = facets.flatMap((facet) => {
    if (facet.kind !== 'number' || !isAttributeFacet(facet)) return []
    const { up, down } = both(facet.key, facet.label)
    return facet.better === 'more' ? [down] : facet.better === 'less' ? [up] : [up, down]
  })
  const price = both('price', 'Price')
  const offered = [
    { value: '', words: hasWords ? 'Best match' : hasCategory ? 'In stock, newest' : 'As added' },
    price.up,
    price.down,
    { value: 'newest', words: 'Newest' },
    { value: 'name', words: 'Name' },
    ...byNumber,
  ]
  if (offered.some(({ value }) => value === sort)) return offered
  const by = sort.replace(/^-/, '')
  const { up, down } = both(by, facets.find(({ key }) => key === by)?.label ?? labelFromKey(by))
  return [...offered, sort.startsWith('-') ? down : up]
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
