import { canonicalProductListQuery } from '#shared/canonical-product-list-query.ts'
import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents, withoutCurrency } from '#shared/money.ts'
import { formatUnitPrice, pricePerUnit } from '#store/catalogue/unit-price.ts'
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

/** Whether the facet is an attribute of the chosen category, such as the capacity of memory. The key of a facet is also its URL parameter. */
export const isAttributeFacet = ({ key, category }: Pick<Facet, 'key' | 'category'>): boolean => key.startsWith('spec.') && !category

/** The attributes that a list shows of its products, and the figures that follow from their prices, such as the price per GB. */
export function shownAttributes(facets: Facet[]): { stated: Facet[]; derived: Facet[] } {
  const { stated = [], derived = [] } = Object.groupBy(facets.filter(isAttributeFacet), (facet) =>
    facet.kind === 'number' && facet.price_per !== undefined ? 'derived' : 'stated',
  )
  return { stated, derived }
}

/** Number of results in stock, if the facets contain it. */
export const inStockCount = (facets: Facet[]): number | undefined =>
  facets.flatMap((facet) => (facet.key === 'in_stock' && facet.kind === 'choice' ? facet.choices : [])).find(({ value }) => value === 'yes')
    ?.count

/** A filter set in the URL, with its label. */
export type AppliedFilter = { name: string; value: string; label: string }

/** All filters of a URL except search text and category, one item for each value. */
export function listAppliedFilters(search: URLSearchParams, facets: Facet[]): AppliedFilter[] {
  const byName = new Map(facets.map((facet) => [facet.key, facet]))
  const params = readSearchParams(search)
  const isAsked = (facet: string) => ['', '.min', '.max'].some((end) => params[`${facet}${end}`])
  return Object.entries(params)
    .filter(([name]) => !['q', 'category', 'sort', 'read'].includes(name))
    .flatMap(([name, values]) =>
      values.map((value) => {
        const label = formatFilter(name, value, byName)
        return { name, value, label: name.endsWith('.unknown') && isAsked(name.slice(0, -8)) ? label.replace('not', 'or not') : label }
      }),
    )
}

function formatFilter(name: string, value: string, facets: Map<string, Facet>): string {
  if (name === 'in_stock') return 'In stock'
  if (name === 'pieces') return `${formatIfNumber(value)} pieces`
  const [, chosen = name, bound] = name.match(/^(.+)\.(min|max|not|unknown)$/) ?? []
  if (chosen === 'price') return `Price: ${formatTypedPrice(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const facet = facets.get(chosen)
  const label = facet?.label ?? labelFromKey(chosen)
  if (bound === 'unknown') return `${label}: not stated`
  const number = facet?.kind === 'number' && value !== '' ? appendUnit(formatFacetNumber(facet, value), facet.unit) : undefined
  if (bound && bound !== 'not') return `${label}: ${number ?? formatIfNumber(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const choice = facet?.kind === 'choice' ? facet.choices.find((one) => one.value === value) : undefined
  return `${label}: ${bound ? 'not ' : ''}${choice?.label ?? number ?? value}`
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

/** A number of a facet without its unit: years are not grouped, amounts have the symbol of the currency. */
export function formatFacetNumber({ key, price_per }: Extract<Facet, { kind: 'number' }>, value: string | number): string {
  const number = Number(value)
  if (key.endsWith('_year') || !Number.isFinite(number)) return `${value}`
  return key === 'price' || price_per !== undefined ? formatUnitPrice(number) : formatNumber(number)
}

/** Attribute value of a product as text without the unit; undefined if unknown or too complex for one line. */
export function attributeTextWithoutUnit(
  { specs, price }: { specs: Record<string, unknown>; price: number },
  facet: Facet,
): string | undefined {
  if (facet.kind === 'number' && facet.price_per !== undefined) {
    const amount = pricePerUnit(price, specs[facet.price_per])
    return amount === undefined ? undefined : formatUnitPrice(amount)
  }
  const spec = specs[facet.key.replace('spec.', '')]
  if (typeof spec === 'number')
    return facet.kind !== 'number' ? formatIfNumber(spec) : spec < 0 && facet.unit !== '°C' ? undefined : formatFacetNumber(facet, spec)
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
