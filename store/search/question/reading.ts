import type { AskedNumber } from './asked-number.ts'
import { chooseCategory } from './choose-category.ts'
import { Interpreter } from './interpreter.ts'
import type { KindToFit } from './kind-to-fit.ts'
import type { Mention } from './mention.ts'
import { measuresNear, phraseOf } from './named-numbers.ts'
import { type CountProducts, markPiecesNeeded, shareTotals } from './pieces-needed.ts'
import { textsOf, typedText } from './question-tokens.ts'
import { readPieces } from './read-question.ts'
import type { Condition, Vocabulary } from './vocabulary.ts'

/** What a question says, as filters, an order and words. */
export type Reading = {
  category: string | undefined
  /** the question names the category; otherwise its other words have led to it */
  isCategoryNamed: boolean
  /** all categories that it names */
  kinds: string[]
  /** by key of the attribute */
  conditions: Map<string, Condition>
  /** numbers without a comparison, as they were typed, with the keys of the conditions that they are */
  measures: { text: string; keys: string[] }[]
  priceCents: { min?: number; max?: number }
  inStock: boolean
  pieces: number | undefined
  sort: string | undefined
  /** makers that the question names, as filter or, where nothing else is understood, among the words */
  brands: string[]
  isBrandFilter: boolean
  /** makers that are not wanted */
  excludedBrands: string[]
  /** makers whose products it must not fit: "cooler not for intel"; `isSaid`: not only behind another "for" */
  brandsNotToFit: { brand: string; isSaid: boolean }[]
  isMoreThanBrands: boolean
  /** what is left to search for */
  words: string[]
  /** what no filter can judge: "quiet" of a case, where the word finds only the maker be quiet! */
  denied: string[]
  /** what must not stand in names: "ti" of "rtx 5070 not ti" */
  excludedWords: string[]
  /** what is not wanted, but no filter can leave out: "without power connector" */
  notExcluded: string[]
  /** what no filter counts: "3 displayports" */
  notCounted: string[]
  /** of several values of one choice, said without "or", any one is enough for the filter */
  isEither: boolean
  /** the word for another currency than the store's, for which it was taken */
  otherCurrency: string | undefined
  kindsToFit: KindToFit[]
  /** the words that are left say what the named category is for: "psu for rtx 4090" */
  saysWhatFor: boolean
  /** categories that come nearest to something that is not sold */
  nearest: string[]
  /** a word of the question was mistyped and taken for the name of a category or a maker */
  isCorrected: boolean
  /** the question is one code without spaces */
  isOneChunk: boolean
  /** it has a comparison, an order or the like, which a search for its words would miss */
  saysMoreThanWords: boolean
  /** the question excludes all numbers of something: "under 100 mm over 200 mm" */
  isContradiction: boolean
}

type ReadingContext = {
  vocabulary: Vocabulary
  isKnownWord(word: string): boolean
  isPartNumber(chunk: string): boolean
  countProducts: CountProducts
  /** the category that is chosen already */
  chosenCategory: string | undefined
  /** how many pieces are chosen already */
  chosenPieces: number | undefined
}

/** Reads a question into filters, order and words. Undefined if it is nothing but words. */
export function readQuestion(question: string, context: ReadingContext): Reading | undefined {
  const { vocabulary, isKnownWord, isPartNumber, countProducts, chosenCategory } = context
  const isInNames = (words: string) => countProducts(undefined, { word: words }) > 0
  const pieces = readPieces(question, { vocabulary, isKnownWord, isPartNumber, isInNames })
  const { tokens, isCorrected } = pieces
  const isInNamesOf = (category: string, mention: Mention) => countProducts(category, { word: textsOf(tokens, mention).join(' ') }) > 0
  const tellsMeasureOf = (category: string, mention: Mention, number: AskedNumber) =>
    measuresNear(number, phraseOf(tokens, [mention.from, mention.to]), category)
  const named = chooseCategory(pieces.mentions, chosenCategory, { isInNamesOf, tellsMeasureOf })
  const quantities = markPiecesNeeded(tokens, pieces.mentions, { category: named.category, vocabulary, countProducts })
  const mentions = shareTotals(quantities, context.chosenPieces)
  if (mentions.length === 0) return undefined
  // most of what is called "red" is of "wd": "black" of "not sony black" is a wish
  const isLine = (maker: string, next: Mention) => {
    const word = typedText(tokens, next)
    return countProducts(named.category, { word: `${maker} ${word}` }) > countProducts(named.category, { word }) / 2
  }
  const reading = {
    ...new Interpreter(tokens, mentions, vocabulary, { ...named, isLine }).interpret(),
    kinds: namedKinds(mentions),
    isCorrected,
  }
  return isUnderstood(reading, chosenCategory) ? reading : undefined
}

const namedKinds = (mentions: Mention[]): string[] =>
  mentions.flatMap(({ phrase, isNegated }) =>
    isNegated ? [] : (phrase?.kinds ?? []).flatMap(({ category, isWeak, isHint }) => (isWeak || isHint ? [] : [category])),
  )

const isUnderstood = (
  { category, conditions, priceCents, inStock, pieces, sort, brands, excludedBrands, excludedWords, nearest }: Reading,
  chosen: string | undefined,
) =>
  category !== chosen ||
  conditions.size > 0 ||
  priceCents.min !== undefined ||
  priceCents.max !== undefined ||
  inStock ||
  pieces !== undefined ||
  sort !== undefined ||
  brands.length > 0 ||
  excludedBrands.length > 0 ||
  excludedWords.length > 0 ||
  nearest.length > 0
