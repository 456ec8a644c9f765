import type { ColumnStore } from './column-store.ts'
import type { WordOptions } from './parsed-query.ts'

type SortedSlots = Pick<WordOptions, 'firstBrands' | 'isStockFirst'> & {
  store: ColumnStore
  slots: Uint32Array
  sort: string | undefined
  /** by slot; undefined without words */
  scores: Float64Array | undefined
}

/** More than any score. */
const firstBrandBonus = 1e7
/** More than any year; a product is as old as its distance to it. */
const newestYear = 2100
/** What is newer comes first only among names of one length: even 2,100 years are less than one letter. */
const leastNameShare = newestYear * 2048
/** More than the buyers of any product: what they decide is less than a year. */
const mostBuyers = 2 ** 20

/** Writes a sort key for each of these slots into an array indexed by slot; the lowest key sorts first. */
export function writeSortKeys(keys: Float64Array, sorted: SortedSlots): void {
  const key = sortKey(sorted)
  const { slots } = sorted
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0
    keys[slot] = key(slot)
  }
}

/** Products without the attribute sort last in both directions. */
function sortKey(sorted: SortedSlots): (slot: number) => number {
  const { store, sort = '' } = sorted
  const [, direction, by = ''] = sort.match(/^(-?)(.*)$/) ?? []
  const sign = direction === '-' ? -1 : 1
  const { priceCents, minimumOrderQuantity, availableQuantity, nameRank, position, rowInCategory, buyerCount, releasedYear } = store
  if (by === 'price') return (slot) => sign * (priceCents.values[priceCents.ids[slot] ?? 0] ?? 0)
  if (by === 'minimum') return (slot) => sign * (minimumOrderQuantity.array[slot] ?? 0)
  if (by === 'available') return (slot) => sign * (availableQuantity.array[slot] ?? 0)
  if (by === 'name') return (slot) => sign * (nameRank.array[slot] ?? 0)
  if (by === 'newest') return (slot) => -(position.array[slot] ?? 0)
  if (by === 'bestselling') return (slot) => -(buyerCount.array[slot] ?? 0) - (releasedYear.array[slot] ?? 0) / newestYear
  if (!by.startsWith('spec.')) return bestMatchKey(sorted)
  const columnByCategory = store.categoryColumns.map((columns) => columns?.attributes.get(by.slice(5))?.numberColumn)
  return (slot) => {
    const column = columnByCategory[store.category.ids[slot] ?? 0]
    const value = column?.values[column.ids[rowInCategory.array[slot] ?? 0] ?? 0]
    return value === undefined ? Number.POSITIVE_INFINITY : sign * value
  }
}

/** By how well the words fit; without words what is in stock comes first, then what is newer, then what sells, or the order in which products were added. */
function bestMatchKey({ store, scores, firstBrands, isStockFirst }: SortedSlots): (slot: number) => number {
  const { minimumOrderQuantity, availableQuantity, nameLength, position, releasedYear, buyerCount, brand } = store
  if (!scores && !isStockFirst) return (slot) => position.array[slot] ?? 0
  const isFirstBrand = firstBrands?.length ? brand.matchingIds(([one = '']) => firstBrands.includes(one)) : undefined
  const brandBonus = (slot: number) => (isFirstBrand?.[brand.ids[slot] ?? 0] === 1 ? firstBrandBonus : 0)
  const isOutOfStock = (slot: number) => ((availableQuantity.array[slot] ?? 0) < (minimumOrderQuantity.array[slot] ?? 0) ? 1 : 0)
  const age = (slot: number) => newestYear - (releasedYear.array[slot] ?? 0) - (buyerCount.array[slot] ?? 0) / mostBuyers
  if (!scores) return (slot) => isOutOfStock(slot) * newestYear + age(slot) - brandBonus(slot)
  const fit = (slot: number) =>
    (nameLength.array[slot] ?? 0) / 1024 + age(slot) / leastNameShare - Math.round((scores[slot] ?? 0) * 100) - brandBonus(slot)
  return isStockFirst ? (slot) => fit(slot) + isOutOfStock(slot) / 2 : fit
}
