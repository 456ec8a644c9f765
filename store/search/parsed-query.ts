import { categoryOf } from '#store/catalogue/categories.ts'
import type { ProductDetails, StockLevel } from '#store/catalogue/contract.ts'
import { type Facet, type Family, parseAttributeParam, type SearchQuery } from './contract.ts'

/** A product as the index stores it. */
export type IndexedProduct = ProductDetails & {
  /** sequence number of creation */
  position: number
}

/** A parsed search query. A product must match all filters; of several values of one filter it must have at least one. */
export type ParsedQuery = {
  q: string
  /** texts of which none may stand in the name or part number: all words of it, whole */
  excludedWords: string[]
  /** a key of the definitions, or any other category that products carry */
  category: string | undefined
  brands: string[]
  /** makers that a product must not be of; one without a maker fits */
  excludedBrands: string[]
  inStock: boolean
  /** only prices that are shown as lowered */
  lowered: boolean
  stock: StockLevel | undefined
  pieces: number | undefined
  priceCents: NumberRange
  /** by attribute key */
  selectedValues: Map<string, string[]>
  /** by attribute key: values that a product must not have; one whose values are not known fits */
  excludedValues: Map<string, string[]>
  ranges: Map<string, NumberRange>
  /** keys of attributes: a product that does not state the attribute fits its filter, whatever else is asked of it */
  unknownKeys: Set<string>
  /** keys of attributes that a product must state, whatever it says of them */
  statedKeys: Set<string>
  /** a product without a maker fits the filter by makers */
  isBrandUnknown: boolean
  sort: string | undefined
  /** false: the question is words only */
  isRead: boolean
  offset: number
  limit: number
  facets: boolean
  /** of each family only the product that fits best */
  collapsesFamilies: boolean
  /** whether a search in all categories has the facets of the category that has the most of its products */
  hasFacetsOfLargest: boolean
}
export type NumberRange = { min?: number | undefined; max?: number | undefined }
/** How words are matched, and products ordered that fit them equally well. */
export type WordOptions = {
  /** a number among the words must stand in the name or part number, as a whole; a single letter must be a whole word: "usb c" */
  isNumberInName?: boolean
  /** every word must stand in the name or part number, as a whole */
  isInName?: boolean
  /** no typing errors are corrected, and no word is left out */
  isExactOnly?: boolean
  /** products of these makers come first */
  firstBrands?: string[]
  /** what is in stock comes first; without words then what is newer */
  isStockFirst?: boolean
}
export type FoundCounts = {
  total: number
  /** products, or families where these are collapsed */
  rows: number
  /** how the words were matched */
  words: WordMatch
}
export type ResultPage = {
  /** of the products of `ids`, where families are collapsed */
  families: Family[]
  ids: string[]
  /** the products of `ids` as JSON, see `serializeProduct` */
  productsJson: string[]
  facets: Facet[]
}
export type SearchResult = FoundCounts & ResultPage
/** What is found, before its page and its facets are written out, which takes longer than to find it. */
export type Found = FoundCounts & { /** to be called before the index changes */ writePage(): ResultPage }
type WordMatch = {
  /** with every word and without typing errors */
  isExact: boolean
  /** the products are those whose part number is the whole text */
  isPartNumber: boolean
  /** words that no product has together with the others */
  leftOut: string[]
}

/** Converts a price bound to cents without rounding it: at most $12.345 is not $12.35. Binary fractions make 114.99999999999999 of $1.15, hence `toFixed`. */
const toCents = (amount: number | undefined) => (amount === undefined ? undefined : Number((amount * 100).toFixed(6)))

/** Parses the filters of a URL or API call. Empty values are ignored. */
export function parseSearchQuery(query: SearchQuery): ParsedQuery {
  const selectedValues = new Map<string, string[]>()
  const excludedValues = new Map<string, string[]>()
  const ranges = new Map<string, NumberRange>()
  const unknownKeys = new Set<string>()
  const statedKeys = new Set<string>()
  for (const [name, value] of Object.entries(query)) {
    const { key, bound } = parseAttributeParam(name) ?? {}
    if (key === undefined || !Array.isArray(value)) continue
    const values = value.filter((item) => item !== '')
    const [first] = values
    if (first === undefined) continue
    if (bound === 'is') selectedValues.set(key, values)
    if (bound === 'not') excludedValues.set(key, values)
    if (bound === 'unknown') unknownKeys.add(key)
    if (bound === 'stated') statedKeys.add(key)
    if (bound === 'min' || bound === 'max') ranges.set(key, { ...ranges.get(key), [bound]: Number(first) })
  }
  return {
    q: query.q ?? '',
    excludedWords: (query['q.not'] ?? []).filter((words) => words !== ''),
    category: categoryOf(query.category || null)?.key ?? (query.category || undefined),
    brands: (query.brand ?? []).filter((brand) => brand !== ''),
    excludedBrands: (query['brand.not'] ?? []).filter((brand) => brand !== ''),
    inStock: query.in_stock === 'yes',
    lowered: query.lowered === 'yes',
    stock: query.stock,
    pieces: query.pieces,
    priceCents: { min: toCents(query['price.min']), max: toCents(query['price.max']) },
    selectedValues,
    excludedValues,
    ranges,
    unknownKeys,
    statedKeys,
    isBrandUnknown: query['brand.unknown'] === 'yes',
    sort: query.sort,
    isRead: query.read !== 'no',
    offset: query.cursor ?? 0,
    limit: query.limit,
    facets: query.facets !== 'no',
    collapsesFamilies: query.families === 'yes',
    hasFacetsOfLargest: true,
  }
}

/** The query with nothing but the words that it is for, in any category. */
export const withoutFilters = (query: ParsedQuery): ParsedQuery => ({
  ...{ ...query, excludedWords: [], category: undefined, brands: [], excludedBrands: [], isBrandUnknown: false },
  ...{ inStock: false, lowered: false, stock: undefined, pieces: undefined, priceCents: {} },
  ...{ unknownKeys: new Set<string>(), statedKeys: new Set<string>(), selectedValues: new Map(), excludedValues: new Map() },
  ...{ ranges: new Map(), facets: false, collapsesFamilies: false, offset: 0, limit: 1 },
})
