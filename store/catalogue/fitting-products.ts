import { definitionOf, numberOf, valuesOf } from './attributes-of-category.ts'
import { type AttributeDefinition, type Category, categoryOf, type GoesWith as GoesWithRule, type ReplacedBy } from './categories.ts'
import { choiceForm } from './choice-spelling.ts'
import { isInStock, type ProductDetails } from './contract.ts'
import { type FindByFilters, filterNumber, findShownFirst, type ListParams, nearNumber, type ShownFirst } from './find-shown-first.ts'
import { formatAttribute, formatAttributeChoice } from './product-attributes.ts'
import type { GoesWith, Replacement } from './product-page-contract.ts'
import { describeDifferences, hasWhatFiltersCannotAsk } from './replacement-differences.ts'

/*
 * What can be bought instead of a product, and what is used with it. Which attributes have to agree is said by the definition of its category
 * (`replacedBy`, `goesWith`); the products are found by the filters of the list, so a link to the list shows all of them.
 */

const maxReplacements = { cheaper: 3, better: 3, in_stock: 2, all: 6 }
/** How many are looked at, and how many where that leaves too few: the same in another colour, and what lacks a value or a plug, is left out. */
const candidatesOfEach = [8, 64]
/** A price so little lower is no reason to buy another. */
const cheaperBy = 0.02
/** A better one costs up to so many times as much. */
const dearestBetter = 1.6
/** Lies between any two numbers that products state. */
const justBeyond = 1e-6

/** @param leftOut ids of products that are shown otherwise */
export function findReplacements(part: ProductDetails, leftOut: string[], find: FindByFilters): Replacement[] {
  const category = categoryOf(part.category)
  const replacedBy = category?.replacedBy
  const params = replacedBy && replacementParams(part, category, replacedBy)
  if (!params) return []
  const shown = new Set([part._id, ...leftOut])
  const fits = (other: ProductDetails) => !shown.has(other._id) && hasWhatFiltersCannotAsk(part, other, category, replacedBy)
  const taken = (advantage: Replacement['advantage'], more: ListParams): Replacement[] =>
    findFitting(find, { ...params, ...more, sort: ['price'] }, fits, maxReplacements[advantage]).map((other) => {
      shown.add(other._id)
      return { part: other, advantage, ...describeDifferences(part, other, category, replacedBy) }
    })
  const { price } = part
  const hardlyCheaper = filterNumber(price * (1 - cheaperBy))
  const found = [
    ...taken('cheaper', { 'price.max': [hardlyCheaper] }),
    ...(isInStock(part) ? [] : taken('in_stock', { 'price.min': [hardlyCheaper] })),
    ...betterParams(part, category, replacedBy)
      .flatMap((more) => taken('better', { ...more, 'price.min': [hardlyCheaper], 'price.max': [filterNumber(price * dearestBetter)] }))
      .slice(0, maxReplacements.better),
  ]
  return found.slice(0, maxReplacements.all)
}

/** The first products of the list that fit, up to so many. */
function findFitting(find: FindByFilters, params: ListParams, fits: (one: ProductDetails) => boolean, limit: number): ProductDetails[] {
  let fitting: ProductDetails[] = []
  for (const candidates of candidatesOfEach) {
    const { total, products } = find(params, candidates) ?? { total: 0, products: [] }
    fitting = products.filter(fits).slice(0, limit)
    if (fitting.length === limit || total <= candidates) break
  }
  return fitting
}

/** Undefined where the product does not state what decides. */
function replacementParams(part: ProductDetails, category: Category, replacedBy: ReplacedBy) {
  const { same, mustState = [], atLeast = [], atMost = [], atLeastShare = [], asGood = [] } = replacedBy
  const params: ListParams = { category: [category.key], in_stock: ['yes'] }
  if ([...same.slice(0, 1), ...mustState].some((key) => valuesOf(part, category, key).length === 0)) return undefined
  for (const key of same) {
    const values = valuesOf(part, category, key)
    if (values.length > 0) params[`spec.${key}`] = values
  }
  for (const { key, worstFirst } of asGood) {
    const values = new Set(valuesOf(part, category, key).map(choiceForm))
    const best = worstFirst.findLastIndex((choice) => values.has(choiceForm(choice)))
    if (best >= 0) params[`spec.${key}`] = worstFirst.slice(best)
  }
  for (const { key, share } of atLeastShare) {
    const number = numberOf(part, category, key)
    if (number !== undefined) params[`spec.${key}.min`] = [filterNumber(number * share)]
  }
  for (const [bound, keys] of [['min', atLeast] as const, ['max', atMost] as const])
    for (const key of keys) {
      const number = numberOf(part, category, key)
      if (number !== undefined) params[`spec.${key}.${bound}`] = [filterNumber(number)]
    }
  return params
}

const betterParams = (part: ProductDetails, category: Category, { betterIn = [] }: ReplacedBy): ListParams[] =>
  betterIn.flatMap((key): ListParams[] => {
    const number = numberOf(part, category, key)
    if (number === undefined) return []
    const isMore = definitionOf(category, key)?.better !== 'less'
    return [
      isMore ? { [`spec.${key}.min`]: [filterNumber(number + justBeyond)] } : { [`spec.${key}.max`]: [filterNumber(number - justBeyond)] },
    ]
  })

/** Products of each category that are used with a product; without those of which none is in stock. */
export function findWhatGoesWith(part: ProductDetails, find: FindByFilters): GoesWith[] {
  const category = categoryOf(part.category)
  const applying = (category?.goesWith ?? []).flatMap((rule) => {
    const other = categoryOf(rule.category)
    const conditions = category && other && fittingConditions(part, category, other, rule)
    return conditions ? [{ other, ...conditions }] : []
  })
  const asked = applying.filter(({ other }, place) => applying.findIndex((one) => one.other === other) === place)
  const limit = asked.length > 2 ? 2 : 3
  return asked.flatMap(({ other, params, fits, shownFirst }) => {
    const total = find(params, 1)?.total ?? 0
    if (total === 0) return []
    const parts = findShownFirst(find, params, shownFirst, part.price, limit)
    const listed = shownFirst.sort ? { ...params, sort: [shownFirst.sort] } : params
    const query = new URLSearchParams(Object.entries(listed).flatMap(([name, values]) => values.map((value) => [name, value])))
    return [{ category: { value: other.key, label: other.label }, fits, total, query: `${query}`, parts }]
  })
}

/** The filters by attributes that find what of another category fits the product; undefined where that is not known of the product. */
export function filtersThatFit(part: ProductDetails, otherKey: string): ListParams | undefined {
  const category = categoryOf(part.category)
  const other = categoryOf(otherKey)
  if (!category || !other) return undefined
  for (const rule of category.goesWith ?? []) {
    const conditions = rule.category === other.key ? fittingConditions(part, category, other, rule) : undefined
    if (conditions) return Object.fromEntries(Object.entries(conditions.params).filter(([name]) => name.startsWith('spec.')))
  }
  return undefined
}

/** The filters that find what fits the product, and why it fits, in words; undefined where that is not known of the product. */
function fittingConditions(
  part: ProductDetails,
  category: Category,
  other: Category,
  { when = [], fits, filters = [], atLeast = [] }: GoesWithRule,
) {
  if (!when.every(({ key, is }) => valuesOf(part, category, key).some((value) => is.some((one) => choiceForm(one) === choiceForm(value)))))
    return undefined
  const params: ListParams = { category: [other.key], in_stock: ['yes'] }
  const reasons: string[] = []
  const shownFirst: ShownFirst = { narrower: [], sort: undefined }
  for (const { own, is, of, plus = 0, first = [], nearest } of fits) {
    const attribute = definitionOf(other, of)
    const values = [...new Set(valuesOf(part, category, own))]
    const ownNumber = numberOf(part, category, own)
    const number = ownNumber === undefined || ownNumber + plus <= 0 ? undefined : ownNumber + plus
    if (!attribute || (is === 'same' ? values.length === 0 : number === undefined)) return undefined
    if (is === 'same') {
      params[`spec.${of}`] = values
      if (values.length <= maxNamedValues) reasons.push(nameValues(attribute, values))
      const forms = values.map(choiceForm)
      shownFirst.narrower.push(...first.filter((one) => forms.includes(choiceForm(one))).map((one) => ({ [`spec.${of}`]: [one] })))
    } else if (number !== undefined) {
      if (nearest) {
        shownFirst.narrower.push(nearNumber(of, number, is))
        shownFirst.sort = `${is === 'atMost' ? '-' : ''}spec.${of}`
      }
      params[`spec.${of}.${is === 'atLeast' ? 'min' : 'max'}`] = [filterNumber(number)]
      reasons.push(`${attribute.label} ${is === 'atLeast' ? 'from' : 'up to'} ${formatAttribute(attribute, number) ?? ''}`)
    }
  }
  for (const { key, number } of atLeast) {
    const attribute = definitionOf(other, key)
    params[`spec.${key}.min`] = [filterNumber(number)]
    if (attribute) reasons.push(`${attribute.label} from ${formatAttribute(attribute, number) ?? ''}`)
  }
  for (const { key, is } of filters) {
    const attribute = definitionOf(other, key)
    params[`spec.${key}`] = is
    if (fits.length === 0 && attribute && is.length <= maxNamedValues) reasons.push(nameValues(attribute, is))
  }
  return { params, fits: reasons, shownFirst }
}

/** A longer list of values says nothing at a glance. */
const maxNamedValues = 3

const nameValues = (attribute: AttributeDefinition, values: string[]): string =>
  values
    .map((value) => (attribute.kind === 'number' ? formatAttribute(attribute, Number(value)) : formatAttributeChoice(attribute, value)))
    .join(' or ')
