import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import type { ColumnStore } from './column-store.ts'
import { type DictionaryColumn, unknownValueId } from './dictionary-column.ts'
import type { NumberRange, ParsedQuery } from './parsed-query.ts'

/** A filter: for each category the column to test, and the matching values of that column. */
export type ColumnFilter = {
  /** key of the facet that the filter belongs to */
  key: string
  /** by category id; undefined if no product of the category can match */
  columns: (SlotTest | undefined)[]
}

/** @param row of the product in the columns of its category */
export type SlotTest = { matches(slot: number, row: number): boolean }

type ValueFilterOptions = {
  /** a product whose value is not known matches */
  fitsUnknown?: boolean
  /** the column has a row for each product of one category; otherwise for each slot */
  isIndexedByRow?: boolean
}

/** Tests the values of a column, each when the first product has it: of thousands of prices a search meets few. */
export class ValueFilter implements SlotTest {
  readonly #ids: Uint32Array
  readonly #isIndexedByRow: boolean
  /** by value id */
  readonly #outcomes: Uint8Array
  readonly #isMatch: (id: number) => boolean

  constructor(
    { ids, values }: DictionaryColumn<unknown>,
    isMatch: (id: number) => boolean,
    { fitsUnknown = false, isIndexedByRow = false }: ValueFilterOptions,
  ) {
    this.#ids = ids
    this.#isIndexedByRow = isIndexedByRow
    this.#outcomes = new Uint8Array(values.length)
    this.#outcomes[unknownValueId] = fitsUnknown ? outcome.match : outcome.mismatch
    this.#isMatch = isMatch
  }

  matches(slot: number, row: number): boolean {
    const id = this.#ids[this.#isIndexedByRow ? row : slot] ?? unknownValueId
    let known = this.#outcomes[id]
    if (known === outcome.untested) {
      known = this.#isMatch(id) ? outcome.match : outcome.mismatch
      this.#outcomes[id] = known
    }
    return known === outcome.match
  }
}
const outcome = { untested: 0, match: 1, mismatch: 2 } as const

/**
 * All filters of a query except those on the stock.
 * @param excludedSlots by slot: whether the product has words in its name that it must not have
 */
export function buildColumnFilters(
  store: ColumnStore,
  excludedSlots: Uint8Array | undefined,
  {
    category,
    brands,
    excludedBrands,
    isBrandUnknown,
    priceCents,
    lowered,
    selectedValues,
    excludedValues,
    ranges,
    unknownKeys,
    statedKeys,
  }: ParsedQuery,
): ColumnFilter[] {
  const ofAll = <Value>(
    key: string,
    column: DictionaryColumn<Value>,
    predicate: (value: Value) => boolean,
    fitsUnknown = false,
  ): ColumnFilter => {
    const filter = filterValues(column, predicate, { fitsUnknown })
    return { key, columns: store.categoryColumns.map(() => filter) }
  }
  const withinPrice = rangePredicate(priceCents)
  const isOneOf = (names: string[]) => {
    const forms = new Set(names.map(choiceForm))
    return ([one = '']: string[]) => forms.has(choiceForm(one))
  }
  const [isWanted, isExcluded] = [isOneOf(brands), isOneOf(excludedBrands)]
  const isAllowed: SlotTest = { matches: (slot) => excludedSlots?.[slot] !== 1 }
  return [
    ...(excludedSlots ? [{ key: 'q.not', columns: store.categoryColumns.map(() => isAllowed) }] : []),
    ...(category === undefined ? [] : [categoryFilter(store, category)]),
    ...(brands.length === 0 && !isBrandUnknown ? [] : [ofAll('brand', store.brand, isWanted, isBrandUnknown)]),
    ...(excludedBrands.length === 0 ? [] : [ofAll('brand.not', store.brand, (names) => !isExcluded(names), true)]),
    ...(lowered ? [ofAll('lowered', store.loweredUntil, isShownUntil(Date.now()))] : []),
    ...(withinPrice ? [ofAll('price', store.priceCents, withinPrice)] : []),
    ...[...new Set([...selectedValues.keys(), ...ranges.keys(), ...unknownKeys])].map((key) =>
      attributeFilter(store, key, {
        chosen: selectedValues.get(key),
        inRange: rangePredicate(ranges.get(key)),
        fitsUnknown: unknownKeys.has(key),
      }),
    ),
    ...[...statedKeys].map((key) => statedFilter(store, key)),
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
  const any = new ValueFilter(category, () => true, {})
  return { key: 'category', columns: categoryColumns.map((_, id) => (category.values[id]?.[0] === chosen ? any : undefined)) }
}

function filterValues<Value>(
  column: DictionaryColumn<Value>,
  predicate: (value: Value) => boolean,
  options: ValueFilterOptions,
): ValueFilter {
  const { values } = column
  return new ValueFilter(
    column,
    (id) => {
      const value = values[id]
      return value !== undefined && predicate(value)
    },
    options,
  )
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
  const options = { fitsUnknown, isIndexedByRow: true }
  const columns = store.categoryColumns.map((attributeColumns): ValueFilter | undefined => {
    const column = attributeColumns?.attributes.get(key)
    if (!column) return undefined
    const { numberColumn, stringColumn } = column
    if (stringColumn && inRange && !fitsUnknown) return undefined
    return numberColumn
      ? filterValues(numberColumn, (number) => isAsked && (inRange?.(number) ?? true) && (chosen?.includes(`${number}`) ?? true), options)
      : filterValues(stringColumn, (values) => !inRange && values.some((value) => forms?.includes(choiceForm(value))), options)
  })
  return { key, columns }
}

/** A product must state the attribute. */
const statedFilter = (store: ColumnStore, key: string): ColumnFilter => ({
  key: `${key}.stated`,
  columns: store.categoryColumns.map((attributeColumns) => {
    const { numberColumn, stringColumn } = attributeColumns?.attributes.get(key) ?? {}
    const column = numberColumn ?? stringColumn
    return column && new ValueFilter(column, () => true, { isIndexedByRow: true })
  }),
})

/** A product must have none of the values. One whose values are not known fits. */
function excludingFilter(store: ColumnStore, key: string, excluded: string[]): ColumnFilter {
  const forms = excluded.map(choiceForm)
  const any = new ValueFilter(store.category, () => true, { fitsUnknown: true })
  const columns = store.categoryColumns.map((attributeColumns): ValueFilter => {
    const column = attributeColumns?.attributes.get(key)
    if (!column?.stringColumn) return any
    const isAllowed = (values: string[]) => !values.some((value) => forms.includes(choiceForm(value)))
    return filterValues(column.stringColumn, isAllowed, { fitsUnknown: true, isIndexedByRow: true })
  })
  return { key: `${key}.not`, columns }
}
