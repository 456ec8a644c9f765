import { definitionOf, numberOf, valuesOf } from './attributes-of-category.ts'
import { type AttributeDefinition, type Category, categoryOf } from './categories.ts'
import { choiceForm } from './choice-spelling.ts'
import type { ProductDetails } from './contract.ts'
import {
  type FindByFilters,
  filterNumber,
  findShownFirst,
  type ListParams,
  limitSearches,
  narrow,
  nearNumber,
  priceClassOf,
  type ShownFirst,
} from './find-shown-first.ts'
import { type FitsBy, type GoesWith as GoesWithRule, groupPairs, type PairedValues, type Pairs, pairsTheOtherWay } from './fitting-rules.ts'
import { formatAttribute, formatAttributeChoice } from './product-attributes.ts'
import type { GoesWith } from './product-page-contract.ts'

/*
 * What is used with a product. What has to fit is said by the definition of its category (`goesWith`); the products are found by the filters of the
 * list, so a link to the list shows all of them.
 */

/** Products of each category that are used with a product; without those of which none is in stock. */
export function findWhatGoesWith(part: ProductDetails, findByFilters: FindByFilters): GoesWith[] {
  const category = categoryOf(part.category)
  const applying = (category?.goesWith ?? []).flatMap((rule) => {
    const other = categoryOf(rule.category)
    const conditions = category && other && fittingConditions(part, category, other, rule)
    return conditions ? [{ other, ...conditions }] : []
  })
  const asked = applying.filter(({ other }, place) => applying.findIndex((one) => one.other === other) === place)
  if (asked.length === 0) return []
  const limit = asked.length > 2 ? 2 : 3
  const find = limitSearches(findByFilters)
  const priceClass = priceClassOf(find, part.category ?? '', part.price)
  return asked.flatMap(({ other, params, fits, shownFirst }) => {
    const { total, rows } = find(params, 1) ?? { total: 0, rows: 0 }
    if (total === 0) return []
    const parts = findShownFirst(find, params, rows, shownFirst, priceClass, limit)
    if (parts.length === 0) return []
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

/** Whether a product goes with all of a category that these filters find, which are those that fit another; false where that is not known of it. */
export function goesWithAllOf(part: ProductDetails, otherKey: string, filters: ListParams): boolean {
  const own = filtersThatFit(part, otherKey)
  return own !== undefined && Object.entries(own).every(([name, values]) => isAsWide(name, values, filters[name]))
}

/** Whether a filter lets through all that another of the same name does; undefined: the other lets all through. */
function isAsWide(name: string, values: string[], others: string[] | undefined): boolean {
  if (!others) return false
  if (name.endsWith('.min')) return Number(values[0]) <= Number(others[0])
  if (name.endsWith('.max')) return Number(values[0]) >= Number(others[0])
  const [inner, outer] = name.endsWith('.not') ? [values, others] : [others, values]
  const has = new Set(outer.map(choiceForm))
  return inner.every((one) => has.has(choiceForm(one)))
}

type Conditions = { params: ListParams; fits: string[]; shownFirst: ShownFirst }

/** The filters that find what fits the product, and why it fits, in words; undefined where that is not known of the product. */
function fittingConditions(part: ProductDetails, category: Category, other: Category, rule: GoesWithRule): Conditions | undefined {
  const { when = [], fits, filters = [], atLeast = [], shownFirst, note } = rule
  if (!when.every((one) => applies(part, category, one))) return undefined
  const found: Conditions = {
    params: { category: [other.key], in_stock: ['yes'] },
    fits: [],
    shownFirst: { narrower: [], sort: undefined },
  }
  if (!fits.every((one) => addCondition(found, part, category, other, one))) return undefined
  for (const { key, number } of atLeast) {
    const attribute = definitionOf(other, key)
    if (!ask(found, { [`spec.${key}.min`]: [filterNumber(number)] })) return undefined
    if (attribute) found.fits.push(`${attribute.label} from ${formatAttribute(attribute, number) ?? ''}`)
  }
  for (const one of filters) {
    const attribute = definitionOf(other, one.key)
    if (!ask(found, paramsOf(one))) return undefined
    if ('is' in one && fits.length === 0 && attribute) found.fits.push(nameValues(attribute, one.is))
  }
  if (shownFirst) found.shownFirst.narrower.push({ [`spec.${shownFirst.key}`]: shownFirst.is })
  if (note !== undefined) found.fits.push(note)
  return found
}

/** Adds filters to those that are asked for already. @returns false where nothing could have both */
function ask(found: Conditions, more: ListParams): boolean {
  const both = narrow(found.params, more)
  if (both) found.params = both
  return both !== undefined
}

function paramsOf(one: NonNullable<GoesWithRule['filters']>[number]): ListParams {
  if ('isStated' in one) return { [`spec.${one.key}.${one.isStated ? 'stated' : 'unknown'}`]: ['yes'] }
  return 'isNot' in one ? { [`spec.${one.key}.not`]: one.isNot } : { [`spec.${one.key}`]: one.is }
}

function applies(part: ProductDetails, category: Category, asked: NonNullable<GoesWithRule['when']>[number]): boolean {
  if ('atMost' in asked) return (numberOf(part, category, asked.key) ?? Infinity) <= asked.atMost
  const has = new Set(valuesOf(part, category, asked.key).map(choiceForm))
  if ('isStated' in asked) return has.size > 0 === asked.isStated
  return 'is' in asked ? asked.is.some((one) => has.has(choiceForm(one))) : !asked.isNot.some((one) => has.has(choiceForm(one)))
}

/** Adds what one comparison asks of the others. @returns false where it is not known of the product, or nothing could have it with the rest */
function addCondition(found: Conditions, part: ProductDetails, category: Category, other: Category, fitsBy: FitsBy): boolean {
  const { own, is, of, first = [], nearest } = fitsBy
  const attribute = definitionOf(other, of)
  if (!attribute) return false
  if (is === 'atLeast' || is === 'atMost') {
    const number = comparedNumber(numberOf(part, category, own), fitsBy)
    if (number === undefined) return false
    if (nearest) {
      found.shownFirst.narrower.push(nearNumber(of, number, is))
      found.shownFirst.sort = `${is === 'atMost' ? '-' : ''}spec.${of}`
    }
    found.fits.push(`${attribute.label} ${is === 'atLeast' ? 'from' : 'up to'} ${formatAttribute(attribute, number) ?? ''}`)
    return ask(found, { [`spec.${of}.${is === 'atLeast' ? 'min' : 'max'}`]: [filterNumber(number)] })
  }
  const ownValues = [...new Set(valuesOf(part, category, own))]
  const values = is === 'same' ? ownValues : pairedValues(ownValues, category, other, fitsBy)
  if (values.length === 0 || !ask(found, { [`spec.${of}`]: values })) return false
  if (is === 'paired' && values.length > maxNamedValues) found.fits.push(`${attribute.label} for ${ownValues.join(' or ')}`)
  else found.fits.push(nameValues(attribute, values))
  const forms = values.map(choiceForm)
  found.shownFirst.narrower.push(...first.filter((one) => forms.includes(choiceForm(one))).map((one) => ({ [`spec.${of}`]: [one] })))
  return true
}

/** No filter asks for more. */
export const mostOfFilter = 1e12

/** The number that the others have at least, or at most; undefined where nothing is left of it. */
export function comparedNumber(own: number | undefined, { times = 1, plus = 0, roundTo }: FitsBy): number | undefined {
  if (own === undefined) return undefined
  const number = own * times + plus
  const rounded = roundTo === undefined ? number : Math.ceil(number / roundTo) * roundTo
  return rounded > 0 && rounded < mostOfFilter ? rounded : undefined
}

/** The values of the others that go with those of the product, by the pairs of the rule, or else of the rules the other way round. */
function pairedValues(own: string[], category: Category, other: Category, fitsBy: FitsBy): string[] {
  const sets = fitsBy.pairs ? [ofOwn(fitsBy.pairs)] : pairsTheOtherWay(other.goesWith, category.key, fitsBy).map(ownOf)
  return [...new Set(sets.flatMap((one) => own.flatMap((value) => [...(one.get(choiceForm(value)) ?? [])])))]
}

/** Pairs are looked through once: each product page and each candidate for a replacement asks them. */
function remembered(group: (pairs: Pairs) => PairedValues): typeof group {
  const groups = new WeakMap<Pairs, PairedValues>()
  return (pairs) => {
    const known = groups.get(pairs) ?? group(pairs)
    groups.set(pairs, known)
    return known
  }
}
const ofOwn = remembered((pairs) => groupPairs(pairs, 'own', 'of'))
const ownOf = remembered((pairs) => groupPairs(pairs, 'of', 'own'))

/** A longer list of values says nothing at a glance. */
const maxNamedValues = 3

function nameValues(attribute: AttributeDefinition, values: string[]): string {
  const shown = values.length > maxNamedValues + 1 ? values.slice(0, maxNamedValues) : values
  const names = shown.map((value) =>
    attribute.kind === 'number' ? formatAttribute(attribute, Number(value)) : formatAttributeChoice(attribute, value),
  )
  return [...names, ...(shown.length < values.length ? [`${values.length - shown.length} more`] : [])].join(' or ')
}
