import { amountToCents, formatCents } from '#shared/money.ts'
import { definitionOf, valuesOf } from './attributes-of-category.ts'
import type { AttributeDefinition, Category } from './categories.ts'
import { choiceForm, isNone } from './choice-spelling.ts'
import type { ProductDetails } from './contract.ts'
import type { ReplacedBy } from './fitting-rules.ts'
import { namesHeatSink } from './heat-sink.ts'
import { attributeNumber, countEach, facetValues, formatAttribute } from './product-attributes.ts'
import type { Replacement } from './product-page-contract.ts'

/* How a replacement compares with the product that it replaces (`replacedBy` of their category). */

/** Advantages of a replacement that are named besides the price. */
const maxGains = 2

/**
 * Whether the other has all that filters cannot ask for: a heat sink, every value of a list, as many of each plug, and some value of what can be any.
 */
export function hasWhatFiltersCannotAsk(part: ProductDetails, other: ProductDetails, category: Category, replacedBy: ReplacedBy): boolean {
  const { same, atLeast = [], some = [] } = replacedBy
  return (
    (!namesHeatSink(part.name) || namesHeatSink(other.name)) &&
    same.every((key) => hasAllValues(valuesOf(part, category, key), valuesOf(other, category, key))) &&
    atLeast.every((key) => !definitionOf(category, key)?.counted || hasAsManyOfEach(part.specs[key], other.specs[key])) &&
    some.every((key) => valuesOf(part, category, key).every(isNone) || !valuesOf(other, category, key).every(isNone))
  )
}

/** What is different in a replacement, in words: the price and what is better, and all that is worse. */
export function describeDifferences(
  part: ProductDetails,
  other: ProductDetails,
  category: Category,
  replacedBy: ReplacedBy,
): Pick<Replacement, 'differences' | 'losses'> {
  const cents = amountToCents(other.price) - amountToCents(part.price)
  const price = cents === 0 ? 'Same price' : `${formatCents(Math.abs(cents))} ${cents < 0 ? 'less' : 'more'}`
  const lost = category.attributes.filter((attribute) => isWorse(attribute, part, other, replacedBy))
  const { atLeast = [], atMost = [], asGood = [], betterIn = [] } = replacedBy
  const compared = new Set([...betterIn, ...atLeast, ...atMost, ...asGood.map(({ key }) => key)])
  const gains = [...compared]
    .flatMap((key) => definitionOf(category, key) ?? [])
    .filter((attribute) => !attribute.counted && !lost.includes(attribute) && hasOtherValues(attribute, part, other))
    .flatMap((attribute) => describeDifference(attribute, part, other) ?? [])
    .slice(0, maxGains)
  const losses = lost.flatMap((attribute) => describeDifference(attribute, part, other) ?? [])
  return { differences: [price, ...gains], losses }
}

/** Undefined where the product does not state it, or both say the same. */
function describeDifference(attribute: AttributeDefinition, part: ProductDetails, other: ProductDetails): string | undefined {
  const [own, others = 'not stated'] = [part, other].map((one) =>
    formatAttribute(attribute, attribute.kind === 'number' ? attributeNumber(attribute, one) : one.specs[attribute.key]),
  )
  const label = others.startsWith(attribute.label) ? '' : `${attribute.label} `
  return own === undefined || own === others ? undefined : `${label}${others} instead of ${own}`
}

/** Whether what is compared is different: of a network port its speed, and not its chip. */
function hasOtherValues(attribute: AttributeDefinition, part: ProductDetails, other: ProductDetails): boolean {
  const [own, others] = [part, other].map(({ specs }) => facetValues(attribute, specs[attribute.key]))
  return !hasAllValues(own ?? [], others ?? []) || !hasAllValues(others ?? [], own ?? [])
}

/** Whether the product states something that the other has less of, has none of, has otherwise, or does not state. */
function isWorse(attribute: AttributeDefinition, part: ProductDetails, other: ProductDetails, { asGood = [] }: ReplacedBy): boolean {
  const { key, kind, better, counted, filter, derived } = attribute
  if (derived || kind === 'text' || asGood.some((one) => one.key === key)) return false
  const [own, others] = [part.specs[key], other.specs[key]]
  if (counted) return !hasAsManyOfEach(own, others)
  if (kind === 'number') {
    const [number, othersNumber] = [attributeNumber(attribute, part), attributeNumber(attribute, other)]
    if (!better || number === undefined) return false
    return othersNumber === undefined || (better === 'more' ? othersNumber < number : othersNumber > number)
  }
  const values = facetValues(attribute, own).filter((value) => !isNone(value))
  return (filter || kind === 'yes/no') && !hasAllValues(values, facetValues(attribute, others))
}

function hasAllValues(own: string[], others: string[]): boolean {
  const has = new Set(others.map(choiceForm))
  return own.every((value) => has.has(choiceForm(value)))
}

function hasAsManyOfEach(own: unknown, others: unknown): boolean {
  const has = countEach(others)
  return [...countEach(own)].every(([name, count]) => (has.get(name) ?? 0) >= count)
}
