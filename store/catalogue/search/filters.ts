import type { Asked, Range } from './asked.ts'
import type { Column } from './column.ts'
import type { Shelf } from './shelf.ts'

/** A filter: for the products of each category the column that it looks at, and which of its values fit. */
export type Filter = {
  /** of the facet that it belongs to */
  key: string
  /** by the id of the category; undefined where none of its parts can fit */
  columns: (Fitting | undefined)[]
}
export type Fitting = {
  ids: Uint32Array
  /** by id */
  fits: Uint8Array
  /** one row for each part of the category, instead of one for each slot */
  byRow: boolean
}

/** All filters of a question but those on the stock. */
export function filtersOf(shelf: Shelf, { category, brands, price, choices, ranges }: Asked): Filter[] {
  const ofAll = <Value>(key: string, column: Column<Value>, fits: (value: Value) => boolean): Filter => {
    const fitting = { ids: column.ids, fits: column.fitting(fits), byRow: false }
    return { key, columns: shelf.wards.map(() => fitting) }
  }
  const withinPrice = within(price)
  return [
    ...(category === undefined ? [] : [ofCategory(shelf, category)]),
    ...(brands.length === 0 ? [] : [ofAll('brand', shelf.brand, ([one = '']) => brands.includes(one))]),
    ...(withinPrice ? [ofAll('price', shelf.price, withinPrice)] : []),
    ...[...new Set([...choices.keys(), ...ranges.keys()])].map((key) => onAttribute(shelf, key, choices.get(key), within(ranges.get(key)))),
  ]
}

const within = ({ min, max }: Range = {}): ((number: number) => boolean) | undefined =>
  min === undefined && max === undefined
    ? undefined
    : (number) => (min === undefined || number >= min) && (max === undefined || number <= max)

function ofCategory({ category, wards }: Shelf, chosen: string): Filter {
  const fitting = { ids: category.ids, fits: category.fitting(() => true), byRow: false }
  return { key: 'category', columns: wards.map((_, id) => (category.values[id]?.[0] === chosen ? fitting : undefined)) }
}

/** Of a list of choices a part must have one; only a number can lie in a range. */
function onAttribute(shelf: Shelf, key: string, chosen: string[] | undefined, inRange: ((number: number) => boolean) | undefined): Filter {
  const columns = shelf.wards.map((ward): Fitting | undefined => {
    const column = ward?.attributes.get(key)
    if (!column) return undefined
    const { numbers, words } = column
    if (words && inRange) return undefined
    const fits = numbers
      ? numbers.fitting((number) => (inRange?.(number) ?? true) && (chosen?.includes(`${number}`) ?? true))
      : words.fitting((said) => said.some((one) => chosen?.includes(one) ?? true))
    return { ids: (numbers ?? words).ids, fits, byRow: true }
  })
  return { key, columns }
}
