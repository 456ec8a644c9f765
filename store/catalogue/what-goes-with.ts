import { definitionOf, numberOf, valuesOf } from './attributes-of-category.ts'
import {
  type AttributeDefinition,
  type Category,
  categoryOf,
  type FitsBy,
  type GoesWith as GoesWithRule,
  type ValuesOf,
} from './categories.ts'
import { choiceForm } from './choice-spelling.ts'
import type { ProductDetails } from './contract.ts'
import {
  type FindByFilters,
  filterNumber,
  findShownFirst,
  type ListParams,
  nearNumber,
  priceClassOf,
  type ShownFirst,
} from './find-shown-first.ts'
import { pairedValues } from './paired-values.ts'
import { formatAttribute, formatAttributeChoice } from './product-attributes.ts'
import type { GoesWith } from './product-page-contract.ts'

/*
 * What is used with a product. What has to fit is said by the definition of its category (`goesWith`); the products are found by the filters of the
 * list, so a link to the list shows all of them.
 */

/** Products of each category that are used with a product; without those of which none is in stock. */
export function findWhatGoesWith(part: ProductDetails, find: FindByFilters): GoesWith[] {
  const category = categoryOf(part.category)
  const applying = (category?.goesWith ?? []).flatMap((rule) => {
    const other = categoryOf(rule.category)
    const conditions = category && other && fittingConditions(part, category, other, rule)
    return conditions ? [{ other, ...conditions }] : []
  })
  const asked = applying.filter(({ other }, place) => applying.findIndex((one) => one.other === other) === place)
  if (asked.length === 0) return []
  const limit = asked.length > 2 ? 2 : 3
  const priceClass = priceClassOf(find, part.category ?? '', part.price)
  return asked.flatMap(({ other, params, fits, shownFirst }) => {
    const { total, rows } = find(params, 1) ?? { total: 0, rows: 0 }
    if (total === 0) return []
    const parts = findShownFirst(find, params, rows, shownFirst, priceClass, limit)
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

type Conditions = { params: ListParams; fits: string[]; shownFirst: ShownFirst }

/** The filters that find what fits the product, and why it fits, in words; undefined where that is not known of the product. */
function fittingConditions(part: ProductDetails, category: Category, other: Category, rule: GoesWithRule): Conditions | undefined {
  const { when = [], fits, filters = [], atLeast = [], note } = rule
  if (!when.every((one) => hasValues(part, category, one))) return undefined
  const found: Conditions = {
    params: { category: [other.key], in_stock: ['yes'] },
    fits: [],
    shownFirst: { narrower: [], sort: undefined },
  }
  if (!fits.every((one) => addCondition(found, part, category, other, one))) return undefined
  for (const { key, number } of atLeast) {
    const attribute = definitionOf(other, key)
    found.params[`spec.${key}.min`] = [filterNumber(number)]
    if (attribute) found.fits.push(`${attribute.label} from ${formatAttribute(attribute, number) ?? ''}`)
  }
  for (const one of filters) {
    const attribute = definitionOf(other, one.key)
    if ('isNot' in one) found.params[`spec.${one.key}.not`] = one.isNot
    else {
      found.params[`spec.${one.key}`] = one.is
      if (fits.length === 0 && attribute && one.is.length <= maxNamedValues) found.fits.push(nameValues(attribute, one.is))
    }
  }
  if (note !== undefined) found.fits.push(note)
  return found
}

function hasValues(part: ProductDetails, category: Category, asked: ValuesOf): boolean {
  const has = new Set(valuesOf(part, category, asked.key).map(choiceForm))
  return 'is' in asked ? asked.is.some((one) => has.has(choiceForm(one))) : !asked.isNot.some((one) => has.has(choiceForm(one)))
}

/** Adds what one comparison asks of the others. @returns false where it is not known of the product */
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
    found.params[`spec.${of}.${is === 'atLeast' ? 'min' : 'max'}`] = [filterNumber(number)]
    found.fits.push(`${attribute.label} ${is === 'atLeast' ? 'from' : 'up to'} ${formatAttribute(attribute, number) ?? ''}`)
    return true
  }
  const ownValues = [...new Set(valuesOf(part, category, own))]
  const values = is === 'same' ? ownValues : pairedValues(ownValues, category, other, fitsBy)
  if (values.length === 0) return false
  found.params[`spec.${of}`] = values
  if (values.length <= maxNamedValues) found.fits.push(nameValues(attribute, values))
  else if (is === 'paired') found.fits.push(`${attribute.label} for ${ownValues.join(' or ')}`)
  const forms = values.map(choiceForm)
  found.shownFirst.narrower.push(...first.filter((one) => forms.includes(choiceForm(one))).map((one) => ({ [`spec.${of}`]: [one] })))
  return true
}

/** Undefined where nothing is left of it. */
function comparedNumber(own: number | undefined, { is, times = 1, plus = 0, roundTo }: FitsBy): number | undefined {
  if (own === undefined) return undefined
  const number = own * times + plus
  const rounded = roundTo === undefined ? number : (is === 'atLeast' ? Math.ceil(number / roundTo) : Math.floor(number / roundTo)) * roundTo
  return rounded > 0 ? rounded : undefined
}

/** A longer list of values says nothing at a glance. */
const maxNamedValues = 3

const nameValues = (attribute: AttributeDefinition, values: string[]): string =>
  values
    .map((value) => (attribute.kind === 'number' ? formatAttribute(attribute, Number(value)) : formatAttributeChoice(attribute, value)))
    .join(' or ')
