import { formatPieces } from '#shared/format-pieces.ts'
import { formatCents } from '#shared/money.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { maxExcludedWords } from '../contract.ts'
import {
  type Found,
  type FoundCounts,
  type NumberRange,
  type ParsedQuery,
  type ResultPage,
  type SearchResult,
  withoutFilters,
} from '../parsed-query.ts'
import type { SearchIndex } from '../search-index.ts'
import { normalizeText } from '../tokens.ts'
import { canBeWords, countProducts, hasUnknownWord, isNamedWithoutCategory } from './can-be-words.ts'
import { rangeText } from './describe-reading.ts'
import { conditionsToFit, withKindsFitted } from './fit-to-named.ts'
import { narrow } from './number-conditions.ts'
import { areCounts, joinCode, phraseKey } from './question-tokens.ts'
import { type Reading, readQuestion } from './reading.ts'

/** How a question was answered. */
export type Answer = SearchResult & {
  /** the question as filters, order and words: what was searched for */
  asked: ParsedQuery
  /** what was read from the question and used; undefined if it was searched for as words */
  reading: Reading | undefined
  /** a reading found nothing, so the question was searched for as words */
  isTakenAsWords: boolean
  /** words that were left out, because nothing has them with the rest */
  leftOut: string[]
  /** no product is exactly what was asked for; these are near */
  isNear: boolean
  /** keys of categories to look at instead, where nothing was found */
  nearest: string[]
}

/** An answer that may be discarded for a better one: its page is written only once it is chosen. */
type Draft = Omit<Answer, keyof ResultPage> & Found

/** Fewer words are left out one by one, more are not. */
const maxWordsToLeaveOut = 6

/**
 * Answers a question: its filters as if they had been chosen, and its other words. If that finds nothing, the question is searched for as
 * words, or without the words that nothing has.
 */
export function answerQuestion(index: SearchIndex, query: ParsedQuery): Answer {
  const { writePage, ...chosen } = chooseAnswer(index, query)
  return { ...chosen, ...writePage() }
}

function chooseAnswer(index: SearchIndex, query: ParsedQuery): Draft {
  const isPartNumber = index.hasPartNumber(query.q)
  const isWords = query.q.trim() === '' || !query.isRead || (isPartNumber && !/\s/.test(query.q.trim()))
  const read = isWords
    ? undefined
    : readQuestion(query.q, {
        vocabulary: index.vocabulary(),
        isKnownWord: (word) => index.hasTerm(word),
        isPartNumber: (chunk) => index.hasPartNumber(chunk),
        countProducts: (category, having) => countProducts(index, query, category, having),
        chosenCategory: query.category,
        chosenPieces: query.pieces,
      })
  // "480gb ssd" is the part number of one drive, and means many; "RTX 4070 SUPER 12G VENTUS" is one of two cards of that name
  if (!read || (isPartNumber && read.words.length > 0)) return answerWords(index, query)
  const reading = withKindsFitted(index, read)
  if (reading.isContradiction) return withoutProducts(answerWith(index, query, { ...reading, words: [] }, []))
  if (reading.nearest.length > 0 || lacksCategory(index, reading)) {
    const [nearest] = reading.nearest
    const ofNearest = reading.nearest.length === 1 ? { ...query, category: query.category ?? nearest } : undefined
    const namedThere = ofNearest && index.find(ofNearest, { isInName: true, isStockFirst: true })
    if (ofNearest && namedThere && namedThere.total > 0) return wordsOnly(ofNearest, namedThere)
    const named = index.find(query, { isInName: true, isStockFirst: true })
    // The name of what is not sold stands in names of other products too: "laptop" in those of speakers.
    const isOfOthers = reading.nearest.length > 0 && reading.words.length === 0 && !isNamedWithoutCategory(index, query)
    return named.total > 0 && !isOfOthers ? wordsOnly(query, named) : answerNone(index, query, reading)
  }

  // "memory for am5": what fits the socket, not the one whose description names it
  const fitting = reading.saysWhatFor && isValueToFit(index, reading.words) ? answerFitting(index, query, reading) : undefined
  if (fitting) return fitting

  const whole = answerWith(index, query, reading, reading.words)
  if (isSure(whole, reading)) return whole
  const inAnyQuantity = answerInAnyQuantity(index, query, reading)
  if (inAnyQuantity) return inAnyQuantity
  if (reading.saysWhatFor) return answerFitting(index, query, reading) ?? answerWithoutSomeWords(index, query, reading) ?? whole
  if (reading.words.length === 0 && reading.isCategoryNamed && !reading.isBrandFilter)
    return whole.total > 0 ? whole : (answerWithoutMeasures(index, query, reading) ?? whole)
  if (!canBeWords(index, query, reading)) {
    if (whole.total > 0 && whole.words.leftOut.length === 0) return whole
    const fewerWords = answerWithoutSomeWords(index, query, reading) ?? answerOfAnyMaker(index, query, reading)
    return fewerWords ?? answerWithoutMeasures(index, query, reading) ?? whole
  }
  const words = { ...answerWords(index, query, reading.brands), isTakenAsWords: reading.isMoreThanBrands }
  if (words.total > 0 && words.words.isExact) return words
  if (whole.total > 0 && reading.saysMoreThanWords) return whole
  const isOnlyBrandMissing = reading.isBrandFilter && reading.words.length === 0
  // "moniter 27" is a monitor. A mistyped word beside others may as well be of a name.
  const isReadingTelling = reading.isCorrected
    ? reading.isCategoryNamed && reading.words.length === 0
    : reading.isCategoryNamed && reading.conditions.size > 0 && !hasUnknownWord(index, reading)
  // Where nothing has a digit, words that products have are hardly mistyped for others.
  const isMistyped = reading.isCorrected || /\d/.test(query.q) || hasUnknownWord(index, reading)
  if (words.total > 0 && words.leftOut.length === 0 && isMistyped && !reading.saysMoreThanWords && !isOnlyBrandMissing && !isReadingTelling)
    return words
  return answerWithoutSomeWords(index, query, reading) ?? (whole.total > 0 || isSet(reading.priceCents) ? whole : words)
}

const withoutProducts = (draft: Draft): Draft => ({
  ...draft,
  ...{ total: 0, rows: 0, writePage: () => ({ ...draft.writePage(), families: [], ids: [], productsJson: [] }) },
})

/** Whether every word fits exactly. A part number of several groups, and a corrected word beside others, are rather words. */
const isSure = ({ total, words, isNear }: Draft, { words: left, isCorrected, isOneChunk }: Reading) =>
  total > 0 && !isNear && words.leftOut.length === 0 && (left.length === 0 || !(isCorrected || isOneChunk))

/** A category opens with what is in stock; the list of everything, and lists of admins, are in the order in which products were added. */
export const opensStockFirst = ({ isRead, category }: ParsedQuery): boolean => isRead && category !== undefined

function answerWords(index: SearchIndex, query: ParsedQuery, brands: string[] = []): Draft {
  const hasWords = query.q.trim() !== ''
  const options = { isStockFirst: hasWords || opensStockFirst(query), firstBrands: brands }
  if (hasWords && query.category !== undefined) {
    // The words that a reading has left beside a chosen category are matched as in the reading.
    const found = index.find(query, { ...options, isNumberInName: true })
    if (found.total > 0 && found.words.isExact) return wordsOnly(query, found)
  }
  const asked = withCodeJoined(index, query)
  return wordsOnly(asked, index.find(asked, options))
}

/** With its code in one piece where more products have it so, whatever filters are chosen. */
function withCodeJoined(index: SearchIndex, query: ParsedQuery): ParsedQuery {
  const joined = joinCode(query.q)
  if (joined === undefined || !index.hasTerm(normalizeText(joined))) return query
  const [apart, inOnePiece] = [query.q, joined].map((q) => index.find({ ...withoutFilters(query), q }).total)
  return (inOnePiece ?? 0) > (apart ?? 0) ? { ...query, q: joined } : query
}

/** The answer to a query whose question was searched for as words. */
export function wordsOnly<Result extends FoundCounts>(query: ParsedQuery, found: Result): Result & Omit<Answer, keyof SearchResult> {
  const { isExact, leftOut } = found.words
  return { ...found, asked: query, reading: undefined, isTakenAsWords: false, leftOut, isNear: found.total > 0 && !isExact, nearest: [] }
}

function answerWith(index: SearchIndex, query: ParsedQuery, reading: Reading, words: string[], isExactOnly = false): Draft {
  const asked = applyReading(query, reading, words)
  const found = index.find(asked, {
    isNumberInName: asked.category !== undefined,
    isStockFirst: asked.q.trim() !== '' || opensStockFirst(asked),
    firstBrands: reading.isBrandFilter ? [] : reading.brands,
    isExactOnly,
  })
  const leftOut = [...new Set([...reading.words.filter((word) => !words.includes(word)), ...reading.denied, ...found.words.leftOut])]
  return { ...found, asked, reading, isTakenAsWords: false, leftOut, isNear: found.total > 0 && !found.words.isExact, nearest: [] }
}

/** The answer with fewer pieces than are asked for, where no product can be ordered so; undefined if that is not why nothing is found. */
function answerInAnyQuantity(index: SearchIndex, query: ParsedQuery, reading: Reading): Draft | undefined {
  if (reading.pieces === undefined || query.pieces !== undefined) return undefined
  if (index.find(query, { isInName: true }).total > 0) return undefined // "8000 closed headphones"
  const found = answerWith(index, query, { ...reading, pieces: undefined }, reading.words)
  return isSure(found, reading) ? { ...found, leftOut: [formatPieces(reading.pieces), ...found.leftOut], isNear: true } : undefined
}

/** The answer without one word, or where that is not enough without those that do not fit. Undefined if nothing fits the filters either. */
function answerWithoutSomeWords(index: SearchIndex, query: ParsedQuery, reading: Reading, keepsSome = true): Draft | undefined {
  const { words } = reading
  const fewer = words.length > 1 && words.length <= maxWordsToLeaveOut ? words.map((_, at) => words.toSpliced(at, 1)) : []
  for (const kept of fewer) {
    if (areCounts(kept)) continue
    const found = answerWith(index, query, reading, kept, true)
    if (fitsExactly(found)) return { ...found, isNear: true }
  }
  const fewest = words.length > 0 ? answerWithEachThatFits(index, query, reading, keepsSome && fewer.length > 2) : undefined
  if (fewest && fitsExactly(fewest)) return { ...fewest, isNear: true }
  if (!reading.isBrandFilter) return undefined
  const found = answerWith(index, query, { ...reading, brands: [], isBrandFilter: false }, reading.words)
  return found.total > 0 && !found.isNear ? { ...found, leftOut: [...reading.brands, ...found.leftOut], isNear: true } : undefined
}

/** The answer without a maker and some words, where nothing of it fits: "Deck" of "ssd steam deck" is none. */
function answerOfAnyMaker(index: SearchIndex, query: ParsedQuery, reading: Reading): Draft | undefined {
  if (!reading.isBrandFilter || reading.words.length === 0) return undefined
  const found = answerWithoutSomeWords(index, query, { ...reading, brands: [], isBrandFilter: false })
  return found && { ...found, leftOut: [...reading.brands, ...found.leftOut] }
}

const fitsExactly = ({ total, words, isNear }: Draft): boolean => total > 0 && words.leftOut.length === 0 && !isNear

/** The answer without the words, or with each in turn that some product still has with those before. */
function answerWithEachThatFits(index: SearchIndex, query: ParsedQuery, reading: Reading, keepsSome: boolean): Draft {
  let best = answerWith(index, query, reading, [], true)
  let kept: string[] = []
  for (const word of keepsSome ? reading.words : []) {
    const more = [...kept, word]
    const found = areCounts(more) ? undefined : answerWith(index, query, reading, more, true)
    if (!found || !fitsExactly(found)) continue
    best = found
    kept = [...kept, word]
  }
  return best
}

/** The answer with what fits what the words name; undefined if that is not known, or nothing fits. */
function answerFitting(index: SearchIndex, query: ParsedQuery, reading: Reading): Draft | undefined {
  const fitting = conditionsToFit(index, reading)
  const conditions = new Map(reading.conditions)
  for (const { key, ...condition } of fitting?.conditions ?? [])
    if (!reading.conditions.get(key)?.values)
      conditions.set(key, { ...conditions.get(key), key, ...condition, ...narrow(conditions.get(key) ?? {}, condition) })
  // "cooler for amd am5": the socket says more than the maker, and must be one of its sockets
  const isSaid = fitting?.conditions.every(({ key, values }) => values?.some((one) => reading.conditions.get(key)?.values?.includes(one)))
  const isMore = [...conditions].some(([key, one]) => one !== reading.conditions.get(key))
  if (!fitting || !(isMore || isSaid)) return undefined
  const found = answerWith(index, query, { ...reading, conditions, words: fitting.leftOut }, [])
  return found.total > 0 ? { ...found, isNear: fitting.leftOut.length > 0 } : undefined
}

/** Whether words are a value by which something fits, such as a socket. */
const isValueToFit = (index: SearchIndex, words: string[]): boolean => {
  const { values = [] } = index.vocabulary().phrases.get(words.map(phraseKey).join('')) ?? {}
  return values.some(({ category, key }) => categoryOf(category)?.goesWith?.some(({ fits }) => fits.some(({ own }) => own === key)))
}

/** Each that is left out alone costs several searches. */
const maxMeasuresToLeaveOut = 2

/**
 * The answer without one number that no product has, or without any: without a limit of the price before others, the cheapest first. Undefined if
 * nothing fits the rest either.
 */
function answerWithoutMeasures(index: SearchIndex, query: ParsedQuery, reading: Reading): Draft | undefined {
  const measures = [...new Map(reading.measures.map((one) => [one.keys.join(), one])).values()]
  const price = isSet(reading.priceCents) ? [{ text: rangeText(reading.priceCents, formatCents), keys: [] }] : []
  const alone = measures.length > 1 && measures.length <= maxMeasuresToLeaveOut ? measures.map((one) => [one]) : []
  for (const left of [price, ...alone, measures]) {
    if (left.length === 0) continue
    const conditions = new Map(reading.conditions)
    for (const key of left.flatMap(({ keys }) => keys)) conditions.delete(key)
    const withoutPrice = left === price && { priceCents: {}, sort: reading.sort ?? 'price' }
    const rest = { ...reading, conditions, measures: [], ...withoutPrice }
    const whole = answerWith(index, query, rest, rest.words)
    const found = isSure(whole, rest) ? whole : answerWithoutSomeWords(index, query, rest, false)
    if (found && found.total > 0) return { ...found, leftOut: [...left.map(({ text }) => text), ...found.leftOut], isNear: true }
  }
  return undefined
}

const lacksCategory = (index: SearchIndex, { category, isCategoryNamed }: Reading) =>
  isCategoryNamed && category !== undefined && index.categoryCounts().every(({ key }) => key !== category)

/** Nothing: the shop has no such category. */
function answerNone(index: SearchIndex, query: ParsedQuery, reading: Reading): Draft {
  const found = index.find({ ...query, q: '', offset: 0, limit: 1 })
  const sold = index.categoryCounts().map(({ key }) => key)
  const nearest = reading.nearest.filter((key) => sold.includes(key)).slice(0, maxNearest)
  return withoutProducts({ ...found, asked: query, reading, isTakenAsWords: false, leftOut: [], isNear: false, nearest })
}
const maxNearest = 3

/** The query with what was read from its question, as if it had been chosen. What is chosen already stays. */
function applyReading(query: ParsedQuery, reading: Reading, words: string[]): ParsedQuery {
  const selectedValues = new Map(query.selectedValues)
  const excludedValues = new Map(query.excludedValues)
  const ranges = new Map(query.ranges)
  const unknownKeys = new Set(query.unknownKeys)
  const statedKeys = new Set(query.statedKeys)
  for (const { key, values, not, min, max, isStated } of reading.conditions.values()) {
    if (query.selectedValues.has(key) || query.ranges.has(key) || query.unknownKeys.has(key)) continue
    if (isStated !== undefined) (isStated ? statedKeys : unknownKeys).add(key)
    if (values) selectedValues.set(key, values)
    if (not) excludedValues.set(key, [...new Set([...(excludedValues.get(key) ?? []), ...not])])
    if (min !== undefined || max !== undefined) ranges.set(key, { min, max })
  }
  return {
    ...query,
    q: words.join(' '),
    excludedWords: [...new Set([...query.excludedWords, ...reading.excludedWords])].slice(0, maxExcludedWords),
    category: query.category ?? reading.category,
    brands: query.brands.length > 0 || query.isBrandUnknown || !reading.isBrandFilter ? query.brands : reading.brands,
    excludedBrands: [...new Set([...query.excludedBrands, ...reading.excludedBrands])],
    inStock: query.inStock || reading.inStock,
    pieces: query.pieces ?? reading.pieces,
    priceCents: isSet(query.priceCents) ? query.priceCents : reading.priceCents,
    selectedValues,
    excludedValues,
    ranges,
    unknownKeys,
    statedKeys,
    sort: query.sort ?? reading.sort,
  }
}

const isSet = ({ min, max }: NumberRange) => min !== undefined || max !== undefined
