import { type Facet, stockLevel } from '../contract.ts'
import { sayChoice, shownCategory } from '../details.ts'
import type { Asked } from './asked.ts'
import type { Column } from './column.ts'
import { choiceFacet, inStockFacet, numberFacet } from './facets.ts'
import { type Filter, filtersOf } from './filters.ts'
import { Growing } from './growing.ts'
import type { Shelf } from './shelf.ts'

/**
 * Keeps the matches that fit every filter, and counts for each facet what choosing would show, which is every match that fits all filters
 * but that facet's own. Attributes are counted for the chosen category only.
 * @param slots what the words have found
 * @returns the slots that fit, in the order in which they came, and the facets
 */
export function sift(shelf: Shelf, slots: Uint32Array, asked: Asked): { fitting: Uint32Array; facets: Facet[] } {
  const filters = filtersOf(shelf, asked)
  const { fitting, butFor, notInStock } = apart(shelf, slots, filters, asked)
  if (!asked.facets) return { fitting, facets: [] }

  const missed = new Map(filters.map(({ key }, nth) => [key, butFor[nth]?.filled()]))
  const chosen = asked.category === undefined ? -1 : shelf.category.values.findIndex((value) => value?.[0] === asked.category)
  const rows = rowsIn(shelf, fitting, chosen)
  const inAll = (key: string, column: Column<unknown>) => countsOf(column, fitting, missed.get(key))
  const inChosen = (key: string, column: Column<unknown>) => countsOf(column, rows, rowsIn(shelf, missed.get(key), chosen))
  const inStock = asked.inStock ? fitting.length : countInStock(shelf, fitting)
  const outOfStock = asked.inStock ? notInStock : fitting.length - inStock

  const about = { category: { key: 'category', label: 'Category' }, brand: { key: 'brand', label: 'Brand' } }
  const sayCategory = (key: string) => shownCategory(key)?.label ?? key
  const categories = asked.category === undefined ? [] : [asked.category]
  return {
    fitting,
    facets: [
      choiceFacet(about.category, shelf.category, inAll('category', shelf.category), categories, sayCategory),
      choiceFacet(about.brand, shelf.brand, inAll('brand', shelf.brand), asked.brands, (brand) => brand),
      numberFacet({ key: 'price', label: 'Price', unit: '$', better: 'less' }, shelf.price, inAll('price', shelf.price)),
      inStockFacet(inStock, outOfStock),
      ...[...(shelf.wards[chosen]?.attributes.values() ?? [])].map(({ attribute, numbers, words }) => {
        const { key } = attribute
        if (!attribute.filter) return undefined
        const known = { ...attribute, key: `spec.${key}` }
        if (numbers) return numberFacet(known, numbers, inChosen(key, numbers))
        return choiceFacet(known, words, inChosen(key, words), asked.choices.get(key) ?? [], (value) => sayChoice(key, value))
      }),
    ].filter((facet) => facet !== undefined),
  }
}

type Apart = {
  /** the slots that fit all filters */
  fitting: Uint32Array
  /** by filter, the slots that fit all others alone */
  butFor: Growing<Uint32Array>[]
  /** how many fit all filters and are not in stock, where that is asked for */
  notInStock: number
}

function apart(shelf: Shelf, slots: Uint32Array, filters: Filter[], { pieces, inStock, stock: level }: Asked): Apart {
  const wards = shelf.category.ids
  const minimum = shelf.minimum.numbers
  const available = shelf.available.numbers
  const rows = shelf.row.numbers
  const butFor = filters.map(() => new Growing((length) => new Uint32Array(length), 64))
  if (filters.length === 0 && pieces === undefined && !inStock && level === undefined) return { fitting: slots, butFor, notInStock: 0 }

  // With a category and one of its attributes chosen few other wards can be in only one filter's way: of the rest nothing is looked at.
  const isHopeless = shelf.wards.map((_, ward) => filters.filter(({ columns }) => !columns[ward]).length > 1)
  const fitting = new Uint32Array(slots.length)
  let [count, notInStock] = [0, 0]
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0
    const ward = wards[slot] ?? 0
    if (isHopeless[ward]) continue
    const least = minimum[slot] ?? 0
    const stock = available[slot] ?? 0
    if (pieces !== undefined && (pieces < least || pieces > stock)) continue
    if (level !== undefined && stockLevel({ minimum_order_quantity: least, available_quantity: stock }) !== level) continue
    const failed = onlyFailed(filters, ward, slot, rows[slot] ?? 0)
    if (failed === several) continue
    if (!inStock || stock >= least) {
      if (failed === none) fitting[count++] = slot
      else butFor[failed]?.push(slot)
    } else if (failed === none) notInStock++
  }
  return { fitting: fitting.subarray(0, count), butFor, notInStock }
}

const none = -1
const several = -2

/** Which filter alone a product does not fit; `none` when it fits them all, `several` when more than one is in its way. */
function onlyFailed(filters: Filter[], ward: number, slot: number, row: number): number {
  let failed = none
  for (let nth = 0; nth < filters.length; nth++) {
    const column = filters[nth]?.columns[ward]
    if (column && column.fits[column.ids[column.byRow ? row : slot] ?? 0] === 1) continue
    if (failed !== none) return several
    failed = nth
  }
  return failed
}

/** How often each id of a column stands in these places. */
function countsOf({ ids, values }: Column<unknown>, ...places: (Uint32Array | undefined)[]): Uint32Array {
  const counts = new Uint32Array(values.length)
  for (const some of places) if (some) tally(ids, some, counts)
  return counts
}

function tally(ids: Uint32Array, places: Uint32Array, counts: Uint32Array): void {
  for (let at = 0; at < places.length; at++) {
    const id = ids[places[at] ?? 0] ?? 0
    counts[id] = (counts[id] ?? 0) + 1
  }
}

/** The rows of those of these products that are of the category. */
function rowsIn({ category, row }: Shelf, slots: Uint32Array | undefined, ward: number): Uint32Array {
  const rows = new Uint32Array(ward < 0 || !slots ? 0 : slots.length)
  let count = 0
  for (let at = 0; at < rows.length; at++) {
    const slot = slots?.[at] ?? 0
    if (category.ids[slot] === ward) rows[count++] = row.numbers[slot] ?? 0
  }
  return rows.subarray(0, count)
}

function countInStock({ minimum, available }: Shelf, slots: Uint32Array): number {
  let count = 0
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0
    if ((available.numbers[slot] ?? 0) >= (minimum.numbers[slot] ?? 0)) count++
  }
  return count
}
