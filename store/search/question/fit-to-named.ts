import { allCategories, categoryOf } from '#store/catalogue/categories.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import type { ListParams } from '#store/catalogue/find-shown-first.ts'
import { filtersThatFit } from '#store/catalogue/what-goes-with.ts'
import { parseAttributeParam, SearchQuery } from '../contract.ts'
import { parseProduct } from '../parse-product.ts'
import { type ParsedQuery, parseSearchQuery } from '../parsed-query.ts'
import type { SearchIndex } from '../search-index.ts'
import { areCounts, phraseKey } from './question-tokens.ts'
import type { Reading } from './reading.ts'
import type { Condition, ValueMeaning, Vocabulary } from './vocabulary.ts'

/** So many parts of the products that the words name, of so many products each, say what fits them. */
const samples = { parts: 5, ofEach: 20 }

/** More words are not tried in two parts. */
const maxWordsOfTwo = 6

/**
 * What a product of the category must have to fit what the words behind "for" name: of "motherboard for ryzen 5 7600" the socket. They may name
 * two products ("rtx 4090 and nh-d15"), or one beside words that name none. The definitions say what fits what.
 * @returns undefined if the words name nothing that goes with the category
 */
export function conditionsToFit(
  index: SearchIndex,
  { category, words }: Pick<Reading, 'category' | 'words'>,
): { conditions: Condition[]; leftOut: string[] } | undefined {
  if (category === undefined) return undefined
  const whole = conditionsOfOne(index, category, words)
  if (whole) return { conditions: whole, leftOut: [] }
  let one: { conditions: Condition[]; leftOut: string[] } | undefined
  for (let at = words.length - 1; at > 0 && words.length <= maxWordsOfTwo; at--) {
    const [first, last] = [words.slice(0, at), words.slice(at)]
    const [ofFirst, ofLast] = [conditionsOfOne(index, category, first), conditionsOfOne(index, category, last)]
    if (ofFirst && ofLast) return { conditions: [...ofFirst, ...ofLast], leftOut: [] }
    if (ofFirst) one ??= { conditions: ofFirst, leftOut: last }
    if (ofLast) one ??= { conditions: ofLast, leftOut: first }
  }
  return one
}

/** What fits each of them is looked up in several searches. */
const maxKindsToFit = 2

/** The reading with what has to fit the first kinds that a value is said of, instead of that value, and without what fits makers that are not wanted. */
export function withKindsFitted(index: SearchIndex, reading: Reading): Reading {
  const conditions = new Map(reading.conditions)
  for (const { words, readAs, decides } of reading.kindsToFit.slice(0, maxKindsToFit)) {
    const fitting = conditionsOfOne(index, reading.category ?? '', words)?.filter(({ key }) => decides.includes(key)) ?? []
    if (fitting.length > 0) for (const key of readAs) conditions.delete(key)
    for (const condition of fitting) conditions.set(condition.key, condition)
  }
  const excludedBrands = new Set(reading.excludedBrands)
  for (const [nth, { brand, isSaid }] of reading.brandsNotToFit.entries()) {
    const fitting = nth < maxKindsToFit ? conditionsOfOne(index, reading.category ?? '', [brand.toLowerCase()]) : undefined
    const chosen = fitting?.filter(({ values }) => values) ?? []
    if (chosen.length === 0) excludedBrands.add(brand) // "psu for rtx 4090 not corsair"
    // of "cooler for am5 not intel" the first says what it must fit, and it may fit the other besides
    const isOtherSaid = !isSaid && (reading.words.length > 0 || chosen.some(({ key }) => reading.conditions.get(key)?.values))
    for (const { key, values = [] } of isOtherSaid ? [] : chosen) conditions.set(key, { key, ...conditions.get(key), not: values })
  }
  return { ...reading, conditions, excludedBrands: [...excludedBrands] }
}

function conditionsOfOne(index: SearchIndex, category: string, words: string[]): Condition[] | undefined {
  let named: Named | undefined
  const sold = new Set(index.categoryCounts().map(({ key }) => key))
  for (const other of allCategories()) {
    if (!sold.has(other.key) || !other.goesWith?.some((rule) => rule.category === category)) continue
    const { found, isKindNamed } = findNamed(index, other.key, words, category)
    if (isKindNamed) {
      named = found
      break
    }
    if (found && found.total > (named?.total ?? 0)) named = found
  }
  const sample = named ? sampleOf(index, named) : []
  const filters = sample.map((product) => filtersThatFit(product, category)).filter((one) => one !== undefined)
  return filters.length > 0 ? fittingMost(filters) : undefined
}

/** The products of a category that the words name: by their own names, or by a value, such as a socket. */
function findNamed(index: SearchIndex, category: string, words: string[], into: string): { found?: Named; isKindNamed: boolean } {
  const { phrases } = index.vocabulary()
  const isOfCategory = (one: { category: string }) => one.category === category
  const said = words.filter((word) => !phrases.get(phraseKey(word))?.kinds.some((kind) => isOfCategory(kind) && !kind.isHint))
  const isKindNamed = said.length < words.length
  if (said.length === 0) return { isKindNamed }
  const query = parseSearchQuery(SearchQuery.parse({ category, limit: samples.ofEach, facets: 'no' }))
  const meant = phrases.get(said.map(phraseKey).join(''))?.values.find(isOfCategory)
  const { key, values } = meant && (isKindNamed || namesProducts(meant, into)) ? meant : {}
  // "rtx 4070" is a graphics processor, whose cards are fewer than those that have it in their names: the 4070 Ti is another
  const byValue = key !== undefined && values ? { ...query, selectedValues: new Map([[key, values]]) } : undefined
  const ofValue = byValue ? index.find(byValue).total : 0
  if (byValue && ofValue > 0) return { found: { query: byValue, total: ofValue }, isKindNamed }
  const byName = { ...query, q: said.join(' ') }
  const ofName =
    isModel(said, phrases) && (isKindNamed || said.some((word) => word.length > maxShortWord))
      ? index.find(byName, { isInName: true }).total
      : 0
  return ofName > 0 ? { found: { query: byName, total: ofName }, isKindNamed } : { isKindNamed }
}

/** "am5" stands for processors, and "usb-c" for no graphics cards, though they have it. @param into the category of what has to fit */
const namesProducts = ({ category, key, decides }: ValueMeaning, into: string): boolean => {
  const { attributes = [], goesWith = [] } = categoryOf(category) ?? {}
  const isNamed = attributes.some((one) => one.key === key && one.asked?.named)
  return decides || isNamed || goesWith.some((rule) => rule.category === into && rule.fits.some(({ own }) => own === key))
}

/** "x2" of "hdmi 2.1 x2" names no case, unless "case" is said, too. */
const maxShortWord = 2

type Named = { query: ParsedQuery; total: number }

/** Products from all of what is named: the first alone may be of one generation. */
function sampleOf(index: SearchIndex, { query, total }: Named): ProductDetails[] {
  const step = Math.max(samples.ofEach, Math.floor(total / samples.parts))
  const offsets = Array.from({ length: samples.parts }, (_, nth) => nth * step).filter((offset) => offset < total)
  return offsets.flatMap((offset) => index.search({ ...query, offset }, { isInName: true }).productsJson.map(parseProduct))
}

/** "pcie 5" */
const isVersion = ([name = '', number = '', ...more]: string[], phrases: Vocabulary['phrases']): boolean =>
  more.length === 0 && /^[\d.]+$/.test(number) && (phrases.get(phraseKey(name))?.numberPrefixes.length ?? 0) > 0

/** "250w" */
function isMeasure(word: string, phrases: Vocabulary['phrases']): boolean {
  const [, unit] = word.match(/^[\d.]+(\p{L}+)$/u) ?? []
  return unit !== undefined && (phrases.get(unit)?.numberUnits.length ?? 0) > 0
}

/**
 * Whether words can name a model, and not a purpose, a measure, a number of pieces or a maker alone: one has a digit, or there is a maker with
 * something else.
 */
const isModel = (words: string[], phrases: Vocabulary['phrases']): boolean =>
  (!areCounts(words) && !isVersion(words, phrases) && words.some((word) => /\d/.test(word) && !isMeasure(word, phrases))) ||
  (words.length > 1 && words.some((word) => phrases.get(phraseKey(word))?.brand !== undefined))

/**
 * What fits nine of ten of them by each limit, and any choice that one of ten has: of a name there are versions that need far more, or state
 * something wrong. What fewer ask for is not asked: "for ryzen 5" names processors of several sockets, and the chipset decides for one alone.
 */
function fittingMost(filters: ListParams[]): Condition[] {
  const conditions = new Map<string, Condition>()
  for (const name of new Set(filters.flatMap((params) => Object.keys(params)))) {
    const { key = '', bound = '' } = parseAttributeParam(name) ?? {}
    const stated = filters.flatMap((params) => (params[name] ? [params[name]] : []))
    if (stated.length < filters.length * mostShare) continue
    const before = conditions.get(key) ?? { key }
    const isFrequent = (value: string) => stated.filter((values) => values.includes(value)).length >= filters.length * (1 - mostShare)
    const isOfMost = (value: string) => stated.filter((values) => values.includes(value)).length >= filters.length * mostShare
    conditions.set(key, { ...before, ...conditionOf(bound, stated, { isFrequent, isOfMost }) })
  }
  return [...conditions.values()].filter(({ values }) => values?.length !== 0)
}
const mostShare = 0.9

type Frequency = Record<'isFrequent' | 'isOfMost', (value: string) => boolean>

/** @param stated the values of one filter of each product that has it */
function conditionOf(bound: string, stated: string[][], { isFrequent, isOfMost }: Frequency): Omit<Condition, 'key'> {
  const values = [...new Set(stated.flat())]
  if (bound === 'not') return { not: values.filter(isOfMost) }
  if (bound === 'stated' || bound === 'unknown') return { isStated: bound === 'stated' }
  if (bound !== 'min' && bound !== 'max') return { values: values.filter(isFrequent) }
  const sign = bound === 'max' ? -1 : 1
  const numbers = stated.map(([first]) => sign * Number(first)).sort((one, other) => one - other)
  return { [bound]: sign * (numbers[Math.ceil((numbers.length - 1) * mostShare)] ?? 0) }
}
