import { definitionOf, numberOf, valuesOf } from './attributes-of-category.ts'
import { type Category, categoryOf } from './categories.ts'
import { choiceForm } from './choice-spelling.ts'
import { isInStock, type ProductDetails } from './contract.ts'
import { type FindByFilters, filterNumber, type ListParams } from './find-shown-first.ts'
import type { ReplacedBy } from './fitting-rules.ts'
import type { Replacement } from './product-page-contract.ts'
import { describeDifferences, hasWhatFiltersCannotAsk } from './replacement-differences.ts'
import { filtersThatFit, goesWithAllOf } from './what-goes-with.ts'

/*
 * What can be bought instead of a product. Which attributes have to agree is said by the definition of its category (`replacedBy`).
 */

const maxReplacements = { cheaper: 3, better: 3, in_stock: 2, all: 6 }
/** How many are looked at, and how many where that leaves too few: the same in another colour, and what lacks a value or a plug, is left out. */
const candidatesOfEach = [8, 64]
/** A price so little lower is no reason to buy another. */
const cheaperBy = 0.02
/** One that costs less than this share is of another class, whatever the attributes do not say. */
const cheapestShare = 1 / 3
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
  const { fitting = [] } = replacedBy
  const needed = fitting.map((key) => ({ key, filters: filtersThatFit(part, key) }))
  if (needed.some(({ filters }) => !filters)) return []
  const fits = (other: ProductDetails) =>
    !shown.has(other._id) &&
    hasWhatFiltersCannotAsk(part, other, category, replacedBy) &&
    needed.every(({ key, filters = {} }) => goesWithAllOf(other, key, filters))
  const taken = (advantage: Replacement['advantage'], more: ListParams): Replacement[] =>
    findFitting(find, { ...params, ...more, sort: ['price'] }, fits, maxReplacements[advantage]).map((other) => {
      shown.add(other._id)
      return { part: other, advantage, ...describeDifferences(part, other, category, replacedBy) }
    })
  const { price } = part
  const hardlyCheaper = filterNumber(price * (1 - cheaperBy))
  const found = [
    ...taken('cheaper', { 'price.min': [filterNumber(price * cheapestShare)], 'price.max': [hardlyCheaper] }),
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
