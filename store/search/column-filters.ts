import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import type { ColumnStore } from './column-store.ts'
import { type DictionaryColumn, unknownValueId } from './dictionary-column.ts'
import type { NumberRange, ParsedQuery } from './parsed-query.ts'

/** A filter: for each category the column to test, and the matching values of that column. */
export type ColumnFilter = {
  /** key of the facet that the filter belongs to */
  key: string
  /** by category id; undefined if no product of the category can match */
  columns: (MatchingValueIds | undefined)[]
}
export type MatchingValueIds = {
  ids: Uint32Array
  /** by value id */
  isMatch: Uint8Array
  /** `ids` is indexed by row in the category; otherwise by slot */
  isIndexedByRow: boolean
}

/** All filters of a query except those on the stock. */
export function buildColumnFilters(
  store: ColumnStore,
  { category, brands, isBrandUnknown, priceCents, lowered, selectedValues, excludedValues, ranges, unknownKeys }: ParsedQuery,
): ColumnFilter[] {
  const ofAll = <Value>(
    key: string,
    column: DictionaryColumn<Value>,
    predicate: (value: Value) => boolean,
    fitsUnknown = false,
  ): ColumnFilter => {
    const matchingValues = { ids: column.ids, isMatch: matchingIds(column, predicate, fitsUnknown), isIndexedByRow: false }
    return { key, columns: store.categoryColumns.map(() => matchingValues) }
  }
  const withinPrice = rangePredicate(priceCents)
  return [
    ...(category === undefined ? [] : [categoryFilter(store, category)]),
    ...(brands.length === 0 && !isBrandUnknown ? [] : [ofAll('brand', store.brand, ([one = '']) => brands.includes(one), isBrandUnknown)]),
    ...(lowered ? [ofAll('lowered', store.loweredUntil, isShownUntil(Date.now()))] : []),
    ...(withinPrice ? [ofAll('price', store.priceCents, withinPrice)] : []),
    ...[...new Set([...selectedValues.keys(), ...ranges.keys(), ...unknownKeys])].map((key) =>
      attributeFilter(store, key, {
        chosen: selectedValues.get(key),
        inRange: rangePredicate(ranges.get(key)),
        fitsUnknown: unknownKeys.has(key),
      }),
    ),
    ...[...excludedValues].map(([key, values]) => excludingFilter(store, key, values)),
  ]
}

/** Whether a reduction that ends then is shown at this time, both in milliseconds since 1970. */
export const isShownUntil =
  (nowMs: number) =>
  (untilMs: number): boolean =>
    untilMs > nowMs

const rangePredicate = ({ min, max }: NumberRange = {}): ((number: number) => boolean) | undefined =>
  min === undefined && max === undefined
    ? undefined
    : (number) => (min === undefined || number >= min) && (max === undefined || number <= max)

function categoryFilter({ category, categoryColumns }: ColumnStore, chosen: string): ColumnFilter {
  const matchingValues = { ids: category.ids, isMatch: category.matchingIds(() => true), isIndexedByRow: false }
  return { key: 'category', columns: categoryColumns.map((_, id) => (category.values[id]?.[0] === chosen ? matchingValues : undefined)) }
}

function matchingIds<Value>(column: DictionaryColumn<Value>, predicate: (value: Value) => boolean, fitsUnknown: boolean): Uint8Array {
  const isMatch = column.matchingIds(predicate)
  if (fitsUnknown) isMatch[unknownValueId] = 1
  return isMatch
}

type AskedOfAttribute = {
  chosen: string[] | undefined
  inRange: ((number: number) => boolean) | undefined
  /** a product that does not state the attribute fits, and if nothing else is asked only such a product does */
  fitsUnknown: boolean
}

/** A product must have one of the selected values, in any spelling. Ranges match number columns only. */
function attributeFilter(store: ColumnStore, key: string, { chosen, inRange, fitsUnknown }: AskedOfAttribute): ColumnFilter {
  const forms = chosen?.map(choiceForm)
  const isAsked = !!chosen || !!inRange
  const columns = store.categoryColumns.map((attributeColumns): MatchingValueIds | undefined => {
    const column = attributeColumns?.attributes.get(key)
    if (!column) return undefined
    const { numberColumn, stringColumn } = column
    if (stringColumn && inRange && !fitsUnknown) return undefined
    const isMatch = numberColumn
      ? matchingIds(
          numberColumn,
          (number) => isAsked && (inRange?.(number) ?? true) && (chosen?.includes(`${number}`) ?? true),
          fitsUnknown,
        )
      : matchingIds(stringColumn, (values) => !inRange && values.some((value) => forms?.includes(choiceForm(value))), fitsUnknown)
    return { ids: (numberColumn ?? stringColumn).ids, isMatch, isIndexedByRow: true }
  })
  return { key, columns }
}

/** A product must have none of the values. One whose values are not known fits. */
function excludingFilter(store: ColumnStore, key: string, excluded: string[]): ColumnFilter {
  const forms = excluded.map(choiceForm)
  const columns = store.categoryColumns.map((attributeColumns): MatchingValueIds | undefined => {
    const column = attributeColumns?.attributes.get(key)
    if (!column?.stringColumn)
      return { ids: store.category.ids, isMatch: new Uint8Array(store.category.values.length).fill(1), isIndexedByRow: false }
    const { ids } = column.stringColumn
    const isMatch = matchingIds(column.stringColumn, (values) => !values.some((value) => forms.includes(choiceForm(value))), true)
    return { ids, isMatch, isIndexedByRow: true }
  })
  return { key: `${key}.not`, columns }
}
