import type { AttributeDefinition, Category, ValueWords } from '../categories.ts'
import type { QuestionWords } from './question-words.ts'

/*
 * How large definitions may be in all. The store reads all words before it understands its first question, and again after new values, so their
 * number is what that costs. The 33 categories that the store comes with have 2,200 words and 370 attributes.
 */
const maxWords = 20_000
const maxAttributes = 10_000
const maxSpellings = 50_000

/** What there is too much of, in words. */
export function findExcess({ categories, questionWords }: { categories: Category[]; questionWords: QuestionWords }): string[] {
  const attributes = categories.flatMap((category) => category.attributes)
  const sum = <T>(all: T[], count: (one: T) => number) => all.reduce((total, one) => total + count(one), 0)
  const words =
    sum(categories, countWordsOfCategory) + sum(attributes, (one) => countWordsOf(one, questionWords)) + countOwnWords(questionWords)
  const spellings = sum(attributes, (one) => sum(Object.values(one.spellings ?? {}), (others) => others.length + 1))
  return [
    ...(words > maxWords
      ? [`There are ${words} words of questions, of at most ${maxWords}. Values that attributes share count once for each of these`]
      : []),
    ...(attributes.length > maxAttributes ? [`There are ${attributes.length} attributes, of at most ${maxAttributes}`] : []),
    ...(spellings > maxSpellings ? [`There are ${spellings} spellings, of at most ${maxSpellings}`] : []),
  ]
}

const lengthOf = (...lists: (readonly unknown[] | undefined)[]): number => lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)

const countWordsOfCategory = ({ aliases, words, kinds = [], family }: Category): number =>
  kinds.reduce(
    (sum, kind) => sum + lengthOf(kind.words, kind.filters, ...(kind.filters ?? []).map(({ is }) => is)),
    lengthOf(aliases, words, family ? family.words : undefined),
  )

function countWordsOf({ asked }: AttributeDefinition, { values }: QuestionWords): number {
  if (!asked) return 0
  const { before, near, lowest, highest, withoutWords, decidesUnits, worstFirst, units = {}, sharedValues } = asked
  const shared = sharedValues !== undefined && Object.hasOwn(values, sharedValues) ? values[sharedValues] : undefined
  return (
    lengthOf(before, near, lowest, highest, withoutWords, decidesUnits, worstFirst, Object.keys(units)) +
    [...(asked.values ?? []), ...(shared ?? [])].reduce((sum, one) => sum + countWordsOfValue(one), 0)
  )
}

const countWordsOfValue = ({ words, is, inNames }: ValueWords): number => lengthOf(words, is, inNames)

/** The words that belong to no category; shared values count where they are used. */
const countOwnWords = ({
  values: _,
  colours,
  units,
  fileUnits,
  sorts,
  makers,
  notSold,
  aroundPercent: __,
  ...lists
}: QuestionWords): number =>
  lengthOf(
    ...Object.values(lists),
    ...Object.values(colours),
    ...[units, fileUnits].flatMap((one) => Object.values(one).map(Object.keys)),
    ...[...sorts, ...makers, ...notSold].map(({ words }) => words),
  )
