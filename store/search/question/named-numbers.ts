import { categoryOf } from '#store/catalogue/categories.ts'
import type { NumberContext, TokenRange } from './number-conditions.ts'
import type { AskedNumber } from './number-reader.ts'
import { phraseKey, type QuestionToken, textsOf } from './question-tokens.ts'
import type { Mention } from './read-question.ts'
import type { NumberMeaning } from './vocabulary.ts'

/* Which attribute a number means by the words beside it. */

/** What a number without a unit means where words before it tell what is measured: "max length 300". */
export function measuredBy({ number }: Mention, { category, tokens }: NumberContext): NumberMeaning[] | undefined {
  if (!number?.measure || category === undefined) return undefined
  const said = phraseOf(tokens, number.measure)
  const attributes = categoryOf(category)?.attributes ?? []
  return attributes.flatMap((attribute) =>
    attribute.kind === 'number' && attribute.asked?.near?.some((near) => phraseKey(near) === said)
      ? [{ category, attribute, factor: 1, decides: false, isCount: false }]
      : [],
  )
}

/** No version has a larger number: "atx under 100" is of the price. */
const maxVersion = 10

/**
 * The attribute that the words right before a compared number name, and their place: "bluetooth over 5", "price per gb under 5", "gen lower than
 * 5".
 */
export function namedBefore(
  { from, number }: Mention,
  { category, mentions }: NumberContext,
): { meaning: NumberMeaning; place: TokenRange } | undefined {
  const before = mentions.find(({ to }) => to === from)
  if (!before?.phrase || category === undefined || !number?.comparison || number.unit || number.prefix || number.measure) return undefined
  const { sorts, values, numberPrefixes } = before.phrase
  const isOfCategory = (one: { category: string | undefined }) => one.category === category
  const key = sorts.find(isOfCategory)?.sort.replace(/^-?spec\./, '') ?? values.find((one) => isOfCategory(one) && !one.values)?.key
  const attribute = categoryOf(category)?.attributes.find((one) => one.key === key && one.kind === 'number')
  const version = number.value <= maxVersion ? numberPrefixes.find(isOfCategory) : undefined
  const meaning = version ?? (attribute && { category, attribute, factor: 1, decides: false, isCount: false })
  return meaning && { meaning, place: [before.from, before.to] }
}

/** Whether the phrase is what tells that the number, with its unit, measures something of the category: "gpu" of "400mm gpu" is of what fits in a case. */
export const measuresNear = ({ unit }: AskedNumber, phrase: string, category: string): boolean =>
  !!unit?.numberUnits.some(
    ({ category: one, attribute: { asked } }) =>
      one === category && asked?.onlyNear && asked.near?.some((near) => phraseKey(near) === phrase),
  )

export const phraseOf = (tokens: QuestionToken[], [from, to]: TokenRange): string => textsOf(tokens, { from, to }).map(phraseKey).join('')
