import { amountToCents } from '#shared/money.ts'
import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import { isInStock } from '#store/catalogue/contract.ts'
import type { IndexedProduct, NumberRange, ParsedQuery } from '#store/search/parsed-query.ts'
import { indexTokens, normalizePartNumber, normalizeText, tokenize } from './tokens.ts'

/*
 * What an answer of the search must be, found by looking at every part for every question. It shares nothing with the index but the
 * definitions of the categories, and is written to be read and believed, not to be fast.
 */

/** The filter that a facet stands for; a facet is counted without its own. */
type FacetName = string

/** Which parts fit, and for each filter which would fit without it: for a facet counts what fits all filters but its own. */
export function fullScan(
  parts: IndexedProduct[],
  asked: ParsedQuery,
): { fitting: IndexedProduct[]; without(filter: FacetName): IndexedProduct[] } {
  const looked = parts.map((part) => ({ part, failed: failedFilters(part, asked) }))
  const pick = (fits: (failed: FacetName[]) => boolean) => looked.flatMap(({ part, failed }) => (fits(failed) ? [part] : []))
  const withouts = new Map<FacetName, IndexedProduct[]>()
  return {
    fitting: pick((failed) => failed.length === 0),
    without(filter) {
      const known = withouts.get(filter) ?? pick((failed) => failed.every((one) => one === filter))
      withouts.set(filter, known)
      return known
    },
  }
}

/** Every choice that these parts have, in the form that all its spellings have, with how many they are. */
export function countFacetValues(parts: IndexedProduct[], facet: FacetName): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of parts)
    for (const value of facetValuesOf(part, facet)) counts.set(formOf(value, facet), (counts.get(formOf(value, facet)) ?? 0) + 1)
  return counts
}

/** Of attributes neither case nor spaces, hyphens and commas tell two values apart, but between two digits: "2 280" is not "2280". */
export function formOf(value: string, facet: FacetName): string {
  if (!facet.startsWith('spec.')) return value
  const groups = value
    .toLowerCase()
    .split(/[\s,_-]+/)
    .filter((group) => group !== '')
  return groups.reduce((joined, group) => joined + (/\d$/.test(joined) && /^\d/.test(group) ? ' ' : '') + group, '')
}

/** Whether a part does not state what a filter asks for, although parts of its category can. */
export function isNotStated(part: IndexedProduct, facet: FacetName): boolean {
  if (facet === 'brand') return part.brand === null
  const attribute = attributeOf(part, facet)
  if (!attribute || attribute.kind === 'text') return false
  return attribute.kind === 'number' ? numericValueOf(part, facet) === undefined : facetValuesOf(part, facet).length === 0
}

/** The filters that a part does not fit. Words are no filter. */
function failedFilters(part: IndexedProduct, asked: ParsedQuery): FacetName[] {
  const failed: FacetName[] = []
  if (asked.category !== undefined && canonicalCategory(part.category) !== canonicalCategory(asked.category)) failed.push('category')
  const isUnknownAsked = (facet: FacetName) => (facet === 'brand' ? asked.isBrandUnknown : asked.unknownKeys.has(keyOf(facet)))
  const fail = (facet: FacetName) => {
    if (!(isUnknownAsked(facet) && isNotStated(part, facet))) failed.push(facet)
  }
  if (asked.brands.length > 0 ? !hasOneOf(part, 'brand', asked.brands) : asked.isBrandUnknown) fail('brand')
  if (part.brand !== null && asked.excludedBrands.includes(part.brand)) failed.push('brand.not')
  if (asked.excludedWords.some((words) => isNamed(part, words))) failed.push('q.not')
  if (asked.inStock && !isInStock(part)) failed.push('in_stock')
  if (asked.lowered && !isLowered(part)) failed.push('lowered')
  if (asked.stock === 'out' && isInStock(part)) failed.push('stock')
  if (asked.stock === 'low' && !(isInStock(part) && part.available_quantity < 3 * part.minimum_order_quantity)) failed.push('stock')
  if (asked.pieces !== undefined && !canBeOrdered(part, asked.pieces)) failed.push('pieces')
  if (!isInRange(amountToCents(part.price), asked.priceCents)) failed.push('price')
  for (const [key, values] of asked.selectedValues) if (!hasOneOf(part, specFacet(key), values)) fail(specFacet(key))
  for (const [key, range] of asked.ranges) if (!isInRange(numericValueOf(part, specFacet(key)), range)) fail(specFacet(key))
  for (const key of asked.statedKeys) {
    const attribute = attributeOf(part, specFacet(key))
    if (!attribute || attribute.kind === 'text' || isNotStated(part, specFacet(key))) failed.push(`spec.${key}.stated`)
  }
  for (const key of asked.unknownKeys) if (!asked.selectedValues.has(key) && !asked.ranges.has(key)) fail(specFacet(key))
  return failed
}

/** Whether the words, as whole words, all stand in what a part is called: the "ti" of "5070Ti" is one, too. */
function isNamed({ name, brand, mpn, sku }: IndexedProduct, words: string): boolean {
  const said = [name, brand ?? '', mpn ?? '', sku].flatMap((text) => [...indexTokens(text), ...unitsBehindNumbers(text)])
  const asked = tokenize(words)
  return asked.length > 0 && asked.every((word) => said.includes(word))
}

/** "ti" of "5070Ti", "gb" of "1.5gb" */
const unitsBehindNumbers = (text: string): string[] =>
  normalizeText(text).match(/(?<=(?<![\p{L}\p{N}])\d+)[a-z]{1,4}(?![\p{L}\p{N}])/gu) ?? []

const isLowered = ({ lowered }: IndexedProduct) =>
  lowered !== null && Date.now() < new Date(lowered.since).getTime() + 30 * 24 * 60 * 60 * 1000

const canBeOrdered = (part: IndexedProduct, pieces: number) =>
  part.minimum_order_quantity <= pieces && pieces <= part.available_quantity && pieces % part.order_multiple === 0

/** A number that is asked for by itself is a value too: one key may be a choice in one category and a number in another. */
const hasOneOf = (part: IndexedProduct, facet: FacetName, values: string[]) =>
  [...facetValuesOf(part, facet), ...[numericValueOf(part, facet) ?? []].flat().map(String)].some((value) =>
    values.some((asked) => formOf(asked, facet) === formOf(value, facet)),
  )

/** What facets of attributes are called. */
export const specFacet = (key: string) => `spec.${key}`
const keyOf = (facet: FacetName) => facet.replace(/^spec\./, '')

/** A category by its own name, also where a part carries another of its names. */
const canonicalCategory = (category: string | null): string | null => categoryOf(category)?.key ?? category

/** What is not known is within nothing. */
const isInRange = (number: number | undefined, { min, max }: NumberRange): boolean =>
  (min === undefined && max === undefined) || (number !== undefined && number >= (min ?? -Infinity) && number <= (max ?? Infinity))

/** What a part counts for in a facet of choices: every value of a list, each once. */
export function facetValuesOf(part: IndexedProduct, facet: FacetName): string[] {
  if (facet === 'category') return part.category === null ? [] : [canonicalCategory(part.category) ?? part.category]
  if (facet === 'brand') return part.brand === null ? [] : [part.brand]
  if (facet === 'in_stock') return isInStock(part) ? ['yes'] : []
  if (facet === 'lowered') return isLowered(part) ? ['yes'] : []
  const { kind, counted } = attributeOf(part, facet) ?? {}
  const value = part.specs[keyOf(facet)]
  if (kind !== 'choice' && kind !== 'yes/no') return []
  if (counted) return [...new Set([value].flat().flatMap(countedNames))].filter((name) => !/^(unknown)?$/i.test(name))
  if (keyOf(facet) === 'resolution' && Array.isArray(value)) return [value.join(' x ')]
  const said = [value]
    .flat()
    .flatMap((one) =>
      typeof one === 'boolean' ? (one ? 'Yes' : 'No') : isStringOrNumber(one) ? `${one}`.trim() : [...speedOf(one), ...drivesOf(one)],
    )
  return [...new Set(said.filter((one) => !/^(unknown)?$/i.test(one)))]
}

/** The names of what is counted: of `{ "hdmi": 2 }` and of "2 x HDMI, 1 x VGA". */
function countedNames(said: unknown): string[] {
  if (typeof said === 'string') return said.split(',').map((one) => one.trim().replace(/^\d+ ?[xX] ?/, ''))
  const isCounted = (count: unknown) => typeof count === 'number' && count > 0
  return typeof said === 'object' && said !== null ? Object.keys(said).filter((name) => isCounted(Reflect.get(said, name))) : []
}

/** Of a network connection, its speed is the choice. */
function speedOf(said: unknown): string[] {
  const speed: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, 'speed') : undefined
  return typeof speed === 'string' ? [speed.trim()] : []
}

/** Of an M.2 slot for drives, the sizes that it takes are choices. */
function drivesOf(said: unknown): string[] {
  const [size, key] = typeof said === 'object' && said !== null ? [Reflect.get(said, 'size'), Reflect.get(said, 'key')] : []
  if (typeof size !== 'string' || typeof key !== 'string' || !key.includes('M')) return []
  const takes = (length: number) =>
    size.split(/[/,]/).some((part) => {
      const [from = Number.NaN, to = from] = part.split('-').map((end) => Number(/^2[25](\d+)$/.exec(end.trim())?.[1]))
      return length >= from && length <= to
    })
  return [30, 42, 60, 80, 110].filter(takes).map((length) => `M.2 22${length}`)
}

/** Some of the data says -1 where a length is not known; below nothing are only temperatures. */
export function numericValueOf(part: IndexedProduct, facet: FacetName): number | undefined {
  if (facet === 'price') return part.price
  const attribute = attributeOf(part, facet)
  if (attribute?.derived) return priceOf(part.price, part.specs[attribute.derived.price_per])
  if (attribute?.kind !== 'number') return undefined
  const isKnown = (value: unknown): value is number => typeof value === 'number' && (value >= 0 || attribute.unit === '°C')
  return [attribute.key, attribute.orElse ?? ''].map((key) => part.specs[key]).find(isKnown)
}

/** The price of one of so many, to the cent, or where that is less than 1 to three digits that count; half of the last is rounded up. */
function priceOf(price: number, units: unknown): number | undefined {
  if (typeof units !== 'number' || units <= 0) return undefined
  const decimals = price / units >= 1 ? 2 : 2 - Math.floor(Math.log10(price / units))
  const binaryError = 1e-9
  return Number(`${Math.floor((price / units) * 10 ** decimals + 0.5 + binaryError)}e-${decimals}`)
}

const attributeOf = (part: IndexedProduct, facet: FacetName): AttributeDefinition | undefined =>
  categoryOf(part.category)?.attributes.find(({ key }) => key === keyOf(facet))

/** Which direction is better for a number of this category. */
export const betterDirection = (category: string | undefined, facet: FacetName): 'more' | 'less' | undefined =>
  categoryOf(category ?? null)?.attributes.find(({ key }) => key === keyOf(facet))?.better

/**
 * What a part is sorted by: a number or a text, undefined where it is not known. Without an order, or by "newest", it is the order in
 * which parts were added.
 */
export function sortValueOf(part: IndexedProduct, sort: string): number | string | undefined {
  const by = sort.replace(/^-/, '')
  if (by === 'name') return normalizeText(part.name)
  if (by === 'price') return part.price
  if (by === 'minimum') return part.minimum_order_quantity
  if (by === 'available') return part.available_quantity
  return numericValueOf(part, by)
}

/**
 * Whether the whole order is right: what is not known comes last in either direction, and between those that are known none comes before
 * one that it should follow. Parts that are alike may stand in any order.
 */
export function isSorted(parts: IndexedProduct[], sort: string | undefined): boolean {
  if (sort === undefined || sort === 'newest') {
    const step = sort === 'newest' ? -1 : 1
    return parts.every((part, nth) => nth === 0 || (part.position - (parts[nth - 1]?.position ?? 0)) * step > 0)
  }
  const values = parts.map((part) => sortValueOf(part, sort))
  const known = values.filter((value) => value !== undefined)
  if (!values.every((value, nth) => (value !== undefined) === nth < known.length)) return false
  return known.every((value, nth) => {
    const before = known[nth - 1]
    if (before === undefined) return true
    const step = compare(before, value)
    return sort.startsWith('-') ? step >= 0 : step <= 0
  })
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return one < other ? -1 : one > other ? 1 : 0
}

/** All that is said of a part, as words; each part number is one word, too. */
export function searchableTokens(part: IndexedProduct): string[] {
  const category = categoryOf(part.category)
  const ofCategory = category ? [category.key, category.label, ...category.words, ...category.aliases] : [part.category ?? '']
  const specs = Object.values(part.specs).flatMap((value) => [value].flat().map((one) => (isStringOrNumber(one) ? `${one}` : '')))
  const texts = [part.name, part.brand ?? '', part.mpn ?? '', part.sku, ...ofCategory, ...specs, part.description]
  return [...texts.flatMap(indexTokens), normalizePartNumber(part.mpn ?? ''), normalizePartNumber(part.sku)]
}

const isStringOrNumber = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Whether each of these words stands in what is said of the part, whole. */
export function containsAllWords(part: IndexedProduct, words: string[]): boolean {
  const said = new Set(searchableTokens(part))
  return words.every((word) => said.has(word))
}

/** Whether each of these words stands in this text, or a longer word that begins with it. */
export const matchesAllPrefixes = (text: string[], words: string[]): boolean =>
  words.every((word) => text.some((one) => one.startsWith(word)))
