import { formatNumber } from '#shared/format-number.ts'
import { formatPieces } from '#shared/format-pieces.ts'
import { formatCents } from '#shared/money.ts'
import { type AttributeDefinition, type Category, categoryOf } from '#store/catalogue/categories.ts'
import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import { categoryOption, formatAttributeChoice } from '#store/catalogue/product-attributes.ts'
import { formatUnitPrice } from '#store/catalogue/unit-price.ts'
import type { UnderstoodPiece } from '../contract.ts'
import type { NumberRange, ParsedQuery } from '../parsed-query.ts'
import type { Answer } from './answer-question.ts'
import { isYear } from './named-numbers.ts'
import type { Reading } from './reading.ts'
import type { Condition } from './vocabulary.ts'

type QuestionFields = {
  understood: UnderstoodPiece[]
  left: string
  exact: boolean
  left_out: string[]
  not_excluded: string[]
  not_counted: string[]
  either: boolean
  other_currency: string | null
  as_words: boolean
  contradiction: boolean
  nearest: { key: string; label: string; count: number }[]
}

/** What an answer of `GET /search` says of how its question was taken. */
export function questionFields(
  { reading, asked, isTakenAsWords, leftOut, isNear, nearest }: Answer,
  query: ParsedQuery,
  categoryCounts: () => { key: string; count: number }[],
): QuestionFields {
  const counts = nearest.length > 0 ? categoryCounts() : []
  return {
    understood: reading ? understoodPieces(reading, asked, query) : [],
    left: asked.q.trim(),
    exact: !isNear,
    left_out: leftOut,
    // what is said of more names than an address can hold stays
    not_excluded: [...(reading?.notExcluded ?? []), ...(reading?.excludedWords.filter((one) => !asked.excludedWords.includes(one)) ?? [])],
    not_counted: reading?.notCounted ?? [],
    either: !!reading?.isEither,
    other_currency: reading?.otherCurrency ?? null,
    as_words: isTakenAsWords,
    contradiction: !!reading?.isContradiction,
    nearest: nearest.flatMap((key) => {
      const count = counts.find((one) => one.key === key)?.count ?? 0
      return count > 0 ? { key, label: categoryOption(key)?.label ?? key, count } : []
    }),
  }
}

/** What was read and is not already among the filters of the query, each with the parameters that say the same. */
function understoodPieces(reading: Reading, asked: ParsedQuery, query: ParsedQuery): UnderstoodPiece[] {
  const category = categoryOf(asked.category ?? null)
  const pieces: UnderstoodPiece[] = []
  const add = (label: string, ...params: (readonly [name: string, value: string])[]) =>
    pieces.push({ label, params: params.map(([name, value]) => ({ name, value })) })
  if (asked.category !== undefined && asked.category !== query.category)
    add(categoryOption(asked.category)?.label ?? asked.category, ['category', asked.category])
  if (asked.brands !== query.brands) add(asked.brands.join(' or '), ...asked.brands.map((brand) => ['brand', brand] as const))
  const excluded = reading.excludedBrands.filter((brand) => !query.excludedBrands.includes(brand))
  if (excluded.length > 0) add(`Not ${excluded.join(' or ')}`, ...excluded.map((brand) => ['brand.not', brand] as const))
  for (const condition of reading.conditions.values()) {
    const { key } = condition
    if (query.selectedValues.has(key) || query.ranges.has(key) || query.unknownKeys.has(key)) continue
    pieces.push(conditionPiece(condition, category))
  }
  const words = reading.excludedWords.filter((one) => !query.excludedWords.includes(one) && asked.excludedWords.includes(one))
  if (words.length > 0) add(`Not in the name: ${words.join(' or ')}`, ...words.map((one) => ['q.not', one] as const))
  const { min, max } = asked.priceCents
  if (asked.priceCents !== query.priceCents && (min !== undefined || max !== undefined))
    add(
      `${(asked.pieces ?? 1) > 1 ? 'Price of each' : 'Price'}: ${rangeText({ min, max }, formatCents)}`,
      ...(min === undefined ? [] : [['price.min', `${min / 100}`] as const]),
      ...(max === undefined ? [] : [['price.max', `${max / 100}`] as const]),
    )
  if (asked.inStock && !query.inStock) add('In stock', ['in_stock', 'yes'])
  if (asked.pieces !== undefined && query.pieces === undefined) add(formatPieces(asked.pieces), ['pieces', `${asked.pieces}`])
  if (asked.sort !== undefined && query.sort === undefined) add(sortText(asked.sort, category), ['sort', asked.sort])
  return pieces
}

function conditionPiece({ key, values = [], not = [], min, max, isStated }: Condition, category: Category | undefined): UnderstoodPiece {
  const attribute = category?.attributes.find((one) => one.key === key)
  const name = `spec.${key}`
  const choices = values.map((value) => numberText(attribute, Number(value)) ?? formatAttributeChoice(attribute ?? { key }, value))
  const excluded = not.map((value) => formatAttributeChoice(attribute ?? { key }, value))
  const texts = [
    ...(choices.length > 0 ? [joinChoices(choices)] : []),
    ...(isStated === undefined ? [] : [isStated ? 'any' : 'not stated']),
    ...(excluded.length > 0 ? [excludedText(excluded)] : []),
    ...(min === undefined && max === undefined ? [] : [rangeText({ min, max }, (number) => withUnit(number, attribute))]),
  ]
  const params = [
    ...(isStated === undefined ? [] : [{ name: `${name}.${isStated ? 'stated' : 'unknown'}`, value: 'yes' }]),
    ...values.map((value) => ({ name, value })),
    ...not.map((value) => ({ name: `${name}.not`, value })),
    ...(min === undefined ? [] : [{ name: `${name}.min`, value: `${min}` }]),
    ...(max === undefined ? [] : [{ name: `${name}.max`, value: `${max}` }]),
  ]
  return { label: `${attribute?.label ?? key}: ${texts.join(', ')}`, params }
}

/** What does not say yes may say nothing. */
const excludedText = (excluded: string[]) => (excluded.join() === 'Yes' ? 'no or not stated' : `not ${joinChoices(excluded)}`)

/** Each spelling once, and of many only the first: the filter of the list shows all. */
function joinChoices(choices: string[]): string {
  const distinct = [...new Map(choices.map((choice) => [choiceForm(choice), choice])).values()]
  const left = distinct.length - maxNamedChoices
  return left > 1 ? `${distinct.slice(0, maxNamedChoices).join(' or ')} or ${left} more` : distinct.join(' or ')
}
const maxNamedChoices = 3

function withUnit(number: number, attribute: AttributeDefinition | undefined): string {
  if (attribute?.derived) return formatUnitPrice(number)
  if (attribute && isYear(attribute)) return `${number}`
  return attribute?.unit ? `${formatNumber(number)} ${attribute.unit}` : formatNumber(number)
}

const numberText = (attribute: AttributeDefinition | undefined, number: number): string | undefined =>
  attribute?.kind === 'number' ? withUnit(number, attribute) : undefined

export function rangeText({ min, max }: NumberRange, format: (number: number) => string): string {
  if (min === 0 && max === undefined) return 'any'
  if (min === max && min !== undefined) return format(min)
  if (min !== undefined && max !== undefined) return `${format(min)} to ${format(max)}`
  return min !== undefined ? `${format(min)} or more` : `${format(max ?? 0)} or less`
}

function sortText(sort: string, category: Category | undefined): string {
  const by = sort.replace(/^-/, '')
  const label = by === 'price' ? 'Price' : (category?.attributes.find(({ key }) => `spec.${key}` === by)?.label ?? by)
  return `${label}, ${sort.startsWith('-') ? 'highest' : 'lowest'} first`
}
