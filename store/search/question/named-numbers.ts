import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import type { AskedNumber } from './asked-number.ts'
import type { Mention } from './mention.ts'
import type { NumberContext, TokenRange } from './number-conditions.ts'
import { phraseKey, type QuestionToken, textsOf } from './question-tokens.ts'
import type { NumberMeaning } from './vocabulary.ts'

/* Which attribute a number means by the words beside it. */

type MeasureNames = { label: string; near: Set<string> }
const knownNames = new WeakMap<AttributeDefinition, MeasureNames>()

/** What an attribute is called beside its numbers, as `phraseKey` has it: a question asks for it with each of its numbers. */
export function measureNames(attribute: AttributeDefinition): MeasureNames {
  const known = knownNames.get(attribute)
  if (known) return known
  const names = { label: phraseKey(attribute.label), near: new Set(attribute.asked?.near?.map(phraseKey)) }
  knownNames.set(attribute, names)
  return names
}

/** What a number without a unit means where words before it tell what is measured: "max length 300". */
export function measuredBy({ number }: Mention, { category, tokens, wholeNumbers }: NumberContext): NumberMeaning[] | undefined {
  if (!number?.measure || category === undefined) return undefined
  const said = phraseOf(tokens, number.measure)
  const attributes = categoryOf(category)?.attributes ?? []
  return attributes.flatMap((attribute) =>
    attribute.kind === 'number' && measureNames(attribute).near.has(said)
      ? [{ category, attribute, factor: 1, decides: false, isWhole: wholeNumbers.has(`${category} ${attribute.key}`) }]
      : [],
  )
}

/** No version has a larger number: "atx under 100" is of the price. */
const maxVersion = 10

type NamedNumber = { meaning: NumberMeaning; place: TokenRange }

/**
 * The attribute that the words right before a compared number name, and their place: "bluetooth over 5", "price per gb under 5", "gen lower than
 * 5", "length under 300".
 */
export function namedBefore(
  { from, number }: Mention,
  { category, mentions, tokens, isUsed, wholeNumbers }: NumberContext,
): NamedNumber | undefined {
  if (category === undefined || !number?.comparison || number.isMoney || number.unit || number.prefix || number.measure) return undefined
  const numbers = (categoryOf(category)?.attributes ?? []).filter(({ kind }) => kind === 'number')
  const named = (attribute: AttributeDefinition | undefined, place: TokenRange): NamedNumber | undefined =>
    attribute && {
      meaning: { category, attribute, factor: 1, decides: false, isWhole: wholeNumbers.has(`${category} ${attribute.key}`) },
      place,
    }
  if (number.isYear) return named(numbers.find(isYear), [from, from])
  const before = mentions.find(({ to }) => to === from)
  if (before?.phrase && !before.isNegated) {
    const { sorts, values, numberPrefixes } = before.phrase
    const isOfCategory = (one: { category: string | undefined }) => one.category === category
    const version = number.value <= maxVersion ? numberPrefixes.find(isOfCategory) : undefined
    if (version) return { meaning: version, place: [before.from, before.to] }
    const said = phraseOf(tokens, [before.from, before.to])
    const sort = said.startsWith('priceper') ? sorts.find(isOfCategory)?.sort.replace(/^-?spec\./, '') : undefined // not "cheapest per gb"
    const key = sort ?? values.find((one) => isOfCategory(one) && !one.values)?.key
    const found = named(
      numbers.find((one) => one.key === key),
      [before.from, before.to],
    )
    if (found) return sort !== undefined && /tb|tera/.test(said) ? { ...found, meaning: { ...found.meaning, factor: 0.001 } } : found
  }
  for (let start = Math.max(0, from - maxNameTokens); start < from; start++) {
    const said = phraseOf(tokens, [start, from])
    const isNamed = (attribute: AttributeDefinition) => measureNames(attribute).label === said || measureNames(attribute).near.has(said)
    if (!isUsed.slice(start, from).includes(true)) {
      const found = named(numbers.find(isNamed), [start, from])
      if (found) return found
    }
  }
  return undefined
}
const maxNameTokens = 3

/** The price for so much of it that a number is, by the words behind it: "under 50 per tb". */
export function perUnitBehind({ to, number }: Mention, { category, mentions, tokens }: NumberContext): NamedNumber | undefined {
  const behind = mentions.find(({ from }) => from === to)
  if (category === undefined || !number || number.unit || !behind?.phrase || !(number.comparison ?? number.isMoney)) return undefined
  const said = phraseOf(tokens, [behind.from, behind.to])
  const sort = said.startsWith('per') ? behind.phrase.sorts.find((one) => one.category === category)?.sort : undefined
  const attribute = categoryOf(category)?.attributes.find(({ key }) => key === sort?.replace(/^-?spec\./, ''))
  const factor = /tb|tera/.test(said) ? 0.001 : 1
  return attribute && { meaning: { category, attribute, factor, decides: false, isWhole: false }, place: [behind.from, behind.to] }
}
export const isYear = ({ key }: AttributeDefinition): boolean => key.endsWith('_year')

/** Whether the phrase is what tells that the number, with its unit, measures something of the category: "gpu" of "400mm gpu" is of what fits in a case. */
export const measuresNear = ({ unit }: AskedNumber, phrase: string, category: string): boolean =>
  !!unit?.numberUnits.some(
    ({ category: one, attribute }) => one === category && !!attribute.asked?.onlyNear && measureNames(attribute).near.has(phrase),
  )

export const phraseOf = (tokens: QuestionToken[], [from, to]: TokenRange): string => textsOf(tokens, { from, to }).map(phraseKey).join('')

/** "fans" of "120 fans" is no unit where no pack has so many, but the kind of product. */
export const meaningsOfUnit = ({ unit, value }: AskedNumber, category: string | undefined): NumberMeaning[] | undefined =>
  unit?.kinds.some((kind) => kind.category === category) &&
  unit.numberUnits.every((one) => one.category !== category || one.attribute.asked?.oneOf?.includes(value) === false)
    ? undefined
    : unit?.numberUnits

/** Whether a measure is that of the room for it: "fits in 240 mm". */
export function isMeasureToFitIn({ from, number }: Mention, { mentions }: NumberContext): boolean {
  if (!number?.unit?.numberUnits.some(({ attribute }) => attribute.unit === 'mm')) return false
  const before = mentions.findLast(({ to, phrase }) => to <= from && !phrase?.roles.has('filler'))
  return (
    !!before?.phrase?.roles.has('fits') &&
    mentions.every(({ from: at, to, phrase }) => at < before.to || to > from || phrase?.roles.has('filler'))
  )
}
