import { type AttributeDefinition, categoryOf } from '#store/catalogue/categories.ts'
import { questionWords } from '#store/catalogue/definitions/question-words.ts'
import type { FitsBy } from '#store/catalogue/fitting-rules.ts'
import { comparedNumber, mostOfFilter } from '#store/catalogue/what-goes-with.ts'
import type { AskedNumber } from './asked-number.ts'
import type { Mention } from './mention.ts'
import { isMeasureToFitIn, meaningsOfUnit, measuredBy, measureNames, namedBefore, perUnitBehind, phraseOf } from './named-numbers.ts'
import { phraseKey, type QuestionToken } from './question-tokens.ts'
import type { Condition, NumberMeaning, ValueMeaning, Vocabulary } from './vocabulary.ts'

export type Conditions = { byKey: Map<string, Condition>; priceCents: { min?: number; max?: number } }
export type NumberContext = {
  category: string | undefined
  tokens: QuestionToken[]
  /** by token: whether it has been understood */
  isUsed: boolean[]
  mentions: Mention[]
  bareNumbers: NumberMeaning[]
  wholeNumbers: Vocabulary['wholeNumbers']
}
export type TokenRange = [from: number, to: number]
/** Words near a number, and how many tokens are between. */
type Near = { place: TokenRange; distance: number }

/** How many tokens before and after a number can tell which attribute it means. */
const nearTokens = 4

/**
 * Adds what a number means in the category: a range of an attribute, or of the price.
 * @returns the attributes, and the tokens beside the number that tell them; undefined if the number means nothing here
 */
export function addNumber(
  conditions: Conditions,
  mention: Mention,
  context: NumberContext,
): { keys: string[]; beside: TokenRange[] } | undefined {
  const { number } = mention
  const { category, bareNumbers } = context
  if (!number) return undefined
  const named = perUnitBehind(mention, context) ?? namedBefore(mention, context)
  if (named) {
    addRange(conditions, named.meaning.attribute, rangeOf(number, named.meaning))
    return { keys: [named.meaning.attribute.key], beside: [named.place] }
  }
  if (number.isMoney) return addPrice(conditions, number)
  if (isOfModelToFit(mention, context)) return undefined
  const meanings = number.prefix ?? meaningsOfUnit(number, category) ?? measuredBy(mention, context) ?? bareNumbers
  const possible = meanings.filter(
    (meaning) => meaning.category === category && fits(meaning, number) && !(isBareLimit(number) && hasNumber(conditions, meaning)),
  )
  const room = category === undefined ? undefined : findRoom(possible, category, mention, context)
  const limit = room?.limit(number.value * room.meaning.factor)
  if (room && limit !== undefined && (number.comparison ?? room.comparison) === room.comparison) {
    const value = limit / room.meaning.factor
    const { isBetter: _, ...limited } = number
    addRange(conditions, room.meaning.attribute, rangeOf({ ...limited, value, comparison: room.comparison }, room.meaning))
    return { keys: [room.meaning.attribute.key], beside: [[room.place.from, room.place.to]] }
  }
  const near = possible.map(({ attribute }) => findNear(attribute, mention, context))
  const least = Math.min(...near.map((found) => found?.distance ?? Infinity))
  const nearest = near.findIndex((found) => found?.distance === least)
  const isOwnUnit = (attribute: AttributeDefinition) => !!number.unit?.numberUnits.every((one) => one.attribute === attribute)
  const alone = possible.filter(({ attribute }) => !attribute.asked?.onlyNear || isOwnUnit(attribute))
  // "under 50 mm" is of what has any size, before what has one of a few
  const anySize = number.comparison === undefined ? undefined : alone.find(({ attribute }) => !attribute.asked?.oneOf)
  const chosen = nearest >= 0 ? possible[nearest] : (anySize ?? alone[0])
  if (!chosen) return isRatherPrice(mention, context) ? addPrice(conditions, number) : undefined
  // a fan of 120 mm does not fit where one of 140 mm does
  const { unit, asked } = chosen.attribute
  const isRoom = unit === 'mm' && !asked?.plain && !asked?.oneOf && !asked?.bare
  const isMost = number.comparison === undefined && isRoom && isMeasureToFitIn(mention, context)
  addRange(
    conditions,
    chosen.attribute,
    rangeOf(isMost ? { ...number, comparison: 'max' } : number, chosen),
    number.comparison === undefined,
  )
  const { perPieceOf } = chosen.attribute.asked ?? {}
  if (perPieceOf !== undefined && number.pieces !== undefined)
    conditions.byKey.set(perPieceOf, { key: perPieceOf, min: number.pieces, max: number.pieces })
  const words = near[nearest]?.place
  return { keys: [chosen.attribute.key, ...(perPieceOf === undefined ? [] : [perPieceOf])], beside: words ? [words] : [] }
}

/** Whether a number that no attribute has is a price: not "at least 60 fps", nor "at least 8" of "at least 8 sata". */
function isRatherPrice({ number, to }: Mention, { category, tokens, mentions }: NumberContext): boolean {
  if (!number?.comparison || number.unit || number.prefix || number.measure || number.isYear || number.isBetter || number.isWorse)
    return false
  const next = mentions.find(({ from }) => from === to)
  if (tokens[to]?.text === '%') return false
  return !questionWords().otherUnits.includes(tokens[to]?.text ?? '') && !next?.phrase?.values.some((value) => isOfCounted(value, category))
}

/** Whether the value is one of what products have several of. */
export const isOfCounted = ({ category, key }: ValueMeaning, chosen: string | undefined): boolean =>
  category === chosen && !!categoryOf(category)?.attributes.some((one) => one.key === key && one.counted)

/** "under 300" without a unit: behind "1000 w" it is no limit of watts, but of the price. */
const isBareLimit = ({ unit, prefix, comparison }: AskedNumber): boolean => !unit && !prefix && comparison !== undefined
const hasNumber = ({ byKey }: Conditions, { attribute: { key } }: NumberMeaning): boolean => {
  const { min, max } = byKey.get(key) ?? {}
  return min !== undefined || max !== undefined
}

/** Whether a number alone belongs to a model that something has to fit: "5600" of "memory for ryzen 5 5600". */
function isOfModelToFit({ from, number }: Mention, { category, mentions }: NumberContext): boolean {
  if (!number || Object.keys(number).join() !== 'value') return false
  const preposition = mentions.findLast(({ to, phrase }) => to <= from && phrase?.roles.has('preposition'))
  const isModel = (one: Mention) => one.phrase?.kinds.some((kind) => kind.isHint && kind.category !== category)
  return preposition !== undefined && mentions.some((one) => one.from >= preposition.to && one.to <= from && isModel(one))
}

/** `limit`: of a measure of the other category, in the units of the attributes */
type Limit = { comparison: 'max' | 'min'; limit: (measure: number) => number | undefined }
type Room = Limit & { meaning: NumberMeaning; place: Mention }

/**
 * The limit that a measure of another category is, where the question names that one as what the product is for: "gpu for a 300mm case" is
 * at most 300 mm long. Of several the nearest is meant. The definitions say which attributes have to fit, in either of the two categories.
 */
function findRoom(
  possible: NumberMeaning[],
  category: string,
  { from, to }: Mention,
  { mentions, isUsed }: NumberContext,
): Room | undefined {
  const preposition = mentions.find(({ phrase }) => phrase?.roles.has('preposition'))
  const distanceOf = (place: Mention) => (place.from >= to ? place.from - to : from - place.to)
  for (const place of mentions.toSorted((one, other) => distanceOf(one) - distanceOf(other))) {
    if (isUsed[place.from] || !preposition || place.from < preposition.to || from < preposition.to) continue
    if (place.from >= to + nearTokens || place.to <= from - nearTokens) continue
    for (const { category: other, isHint } of place.phrase?.kinds ?? [])
      for (const meaning of other === category || isHint ? [] : possible) {
        const limit = limitOf(category, meaning.attribute.key, other)
        if (limit) return { ...limit, meaning, place }
      }
  }
  return undefined
}

/**
 * What the attribute may be at most or at least beside what the other category has, by the definitions of either. Of several rules, such as for cards
 * with and without plugs, the one that lets through the most.
 */
function limitOf(category: string, key: string, other: string): Limit | undefined {
  const own = rulesOfNumbers(category, other).filter(({ fit }) => fit.own === key)
  const theirs = rulesOfNumbers(other, category).filter(({ fit }) => fit.of === key)
  if (own.length + theirs.length === 0) return undefined
  const limits = (measure: number) => {
    const stated = theirs.flatMap(({ fit, most }) => (measure <= most ? (comparedNumber(measure, fit) ?? []) : []))
    const reckoned = own.map(({ fit: { times = 1, plus = 0 }, most }) => Math.min(most, (measure - plus) / times))
    return stated.length > 0 ? stated : reckoned.filter((limit) => limit > 0 && limit < mostOfFilter)
  }
  return own[0]?.fit.is === 'atLeast' || theirs[0]?.fit.is === 'atMost'
    ? { comparison: 'max', limit: (measure) => limits(measure).sort((one, other) => other - one)[0] }
    : { comparison: 'min', limit: (measure) => limits(measure).sort((one, other) => one - other)[0] }
}

/** The comparisons of numbers in the rules of a category for another, each with the largest number of the product that its rule is for. */
const rulesOfNumbers = (category: string, other: string): { fit: FitsBy; most: number }[] =>
  (categoryOf(category)?.goesWith ?? []).flatMap(({ category, fits, when = [] }) =>
    category !== other
      ? []
      : fits
          .filter(({ is }) => is === 'atLeast' || is === 'atMost')
          .map((fit) => ({ fit, most: Math.min(...when.map((one) => (one.key === fit.own && 'atMost' in one ? one.atMost : Infinity))) })),
  )

/** "under 100 mm over 200 mm" */
export const hasContradiction = ({ byKey, priceCents }: Conditions): boolean => [priceCents, ...byKey.values()].some(isEmptyRange)

/**
 * Whether a limit and the one right behind it exclude each other: "under 100 mm over 200 mm" of what has no one measure in millimetres.
 * @param mentions of numbers that mean no attribute
 */
export const contradictEachOther = (mentions: Mention[]): boolean =>
  mentions.some((mention, at) => {
    const next = mentions[at + 1]
    const [one, other] = [limitIn(mention), next?.from === mention.to ? limitIn(next) : undefined]
    return one && other && one.unit === other.unit && isEmptyRange(narrow(one.bound, other.bound))
  })

function limitIn({ number }: Mention): { unit: string; bound: { min?: number; max?: number } } | undefined {
  const [{ attribute, factor } = {}] = number?.unit?.numberUnits ?? []
  if (!number || !attribute?.unit || factor === undefined || (number.comparison !== 'min' && number.comparison !== 'max')) return undefined
  return { unit: attribute.unit, bound: { [number.comparison]: round(number.value * factor) } }
}

const isEmptyRange = ({ min, max }: { min?: number; max?: number }): boolean => min !== undefined && max !== undefined && min > max

function fits(
  { attribute: { asked }, factor, isWhole }: NumberMeaning,
  { value, value2 = value, unit, prefix, measure, comparison, pieces }: AskedNumber,
): boolean {
  if ((pieces !== undefined) !== (asked?.perPieceOf !== undefined) || round(Math.max(value, value2) * factor) >= mostOfFilter) return false
  if (isWhole && comparison === undefined && !Number.isInteger(round(value * factor))) return false // 31.5 is no size class
  if (asked?.oneOf && comparison === undefined && !asked.oneOf.includes(value * factor)) return false
  if (unit || prefix || measure) return true
  const [least = 1, most = 0] = asked?.bare ?? []
  return value >= least && value <= most
}

/** The word nearest to a number that tells the attribute, before or after it. A word that tells what another number is does not count. */
function findNear(attribute: AttributeDefinition, { from, to, number }: Mention, { tokens, isUsed }: NumberContext): Near | undefined {
  const { near } = measureNames(attribute)
  if (near.size === 0) return undefined
  const { measure } = number ?? {}
  if (measure) {
    return near.has(phraseOf(tokens, measure)) ? { place: measure, distance: 0 } : undefined
  }
  let nearest: Near | undefined
  for (let at = Math.max(0, from - nearTokens); at < Math.min(tokens.length, to + nearTokens); at++) {
    if ((at >= from && at < to) || isUsed[at]) continue
    let key = ''
    let end: number | undefined
    for (let next = at; next < Math.min(tokens.length, at + 3); next++) {
      key += phraseKey(tokens[next]?.text ?? '')
      if (near.has(key)) end = next + 1
    }
    if (end === undefined) continue
    const distance = at >= to ? at - to : from - end
    if (!nearest || distance < nearest.distance) nearest = { place: [at, end], distance }
  }
  return nearest
}

function rangeOf(
  { value, value2, unit2, comparison, isBetter, isWorse, isExclusive, isStrict, isYear }: AskedNumber,
  { category, attribute: { key, unit, asked, better }, factor, isWhole }: NumberMeaning,
): { min?: number; max?: number } {
  const number = round(value * factor)
  if (value2 !== undefined) {
    const meaning2 = unit2?.numberUnits.find((one) => one.category === category && one.attribute.key === key)
    const other = round(value2 * (meaning2?.factor ?? factor))
    return { min: Math.min(number, other), max: Math.max(number, other) }
  }
  const opposite = (asked?.better ?? better) !== 'less' ? undefined : isBetter ? 'max' : isWorse ? 'min' : undefined
  const meant = opposite ?? comparison ?? asked?.plain
  const isExcluded = isYear ? isExclusive : isWhole && (isStrict || (isExclusive && unit === undefined))
  const step = isExcluded && Number.isInteger(number) ? 1 : 0
  if (meant === 'min') return { min: number + step }
  if (meant === 'max') return { max: number - step }
  const tolerance = comparison === 'around' ? (number * questionWords().aroundPercent) / 100 : (asked?.tolerance ?? 0)
  return { min: round(number - tolerance), max: round(number + tolerance) }
}

/** Without the error of binary fractions: 2.3 x 1000 is 2300. With so many decimals as an address can hold. */
const round = (number: number) => Number(Number(number.toPrecision(12)).toFixed(6))

/** @param isPlain no comparison stands before it */
function addRange(
  { byKey }: Conditions,
  { key }: AttributeDefinition,
  { min, max }: { min?: number; max?: number },
  isPlain = false,
): void {
  const before = byKey.get(key)
  const isExact = min !== undefined && min === max
  if (isPlain && max === undefined && before?.min !== undefined && before.max === undefined && min !== undefined) {
    byKey.set(key, { ...before, min: Math.min(before.min, min) }) // "120hz or 144hz": a monitor of either
    return
  }
  const numbers = before?.values ?? (before?.min !== undefined && before.min === before.max ? [`${before.min}`] : [])
  if (isExact && numbers.length > 0 && !numbers.includes(`${min}`))
    byKey.set(key, { key, values: [...numbers, `${min}`] }) // "1tb 2tb" is one of both
  else if (isExact && before?.values) return
  else byKey.set(key, { ...before, key, ...narrow(before ?? {}, { min, max }) })
}

function addPrice(
  { priceCents }: Conditions,
  { value, value2, comparison, isBetter }: AskedNumber,
): { keys: string[]; beside: TokenRange[] } {
  const cents = Math.round(value * 100)
  const bounds =
    value2 !== undefined
      ? { min: Math.min(cents, Math.round(value2 * 100)), max: Math.max(cents, Math.round(value2 * 100)) }
      : comparison === 'min' && !isBetter
        ? { min: cents }
        : comparison === 'around'
          ? {
              min: Math.round(cents * (1 - questionWords().aroundPercent / 100)),
              max: Math.round(cents * (1 + questionWords().aroundPercent / 100)),
            }
          : { max: cents }
  Object.assign(priceCents, narrow(priceCents, bounds))
  return { keys: [], beside: [] }
}

/** The bounds that both ranges have in common. */
export function narrow(before: { min?: number; max?: number }, { min, max }: { min?: number | undefined; max?: number | undefined }) {
  const least = [before.min, min].filter((one) => one !== undefined)
  const most = [before.max, max].filter((one) => one !== undefined)
  return { ...(least.length > 0 && { min: Math.max(...least) }), ...(most.length > 0 && { max: Math.min(...most) }) }
}
