import type { Facet } from '../contract.ts'
import { sayChoice, shownCategory } from '../details.ts'
import type { Asked } from './asked.ts'
import { choiceFacet, inStockFacet, numberFacet } from './facets.ts'
import { type Filter, filtersOf } from './filters.ts'
import type { Shelf } from './shelf.ts'

/** What is being counted for a facet: how often each id stands in a column. */
type Count = { ids: Uint32Array; counts: Uint32Array }

/**
 * Walks once over the matches: keeps those that fit every filter, and counts for each facet what choosing would show, which is every match
 * that fits all filters but that facet's own. Attributes are counted for the chosen category only.
 * @param slots what the words have found
 * @returns the slots that fit, in the order in which they came, and the facets
 */
export function sift(shelf: Shelf, slots: Uint32Array, asked: Asked): { fitting: Uint32Array; facets: Facet[] } {
  const filters = filtersOf(shelf, asked)
  const chosen = asked.category === undefined ? -1 : shelf.category.values.findIndex((value) => value?.[0] === asked.category)
  const attributes = asked.facets ? [...(shelf.wards[chosen]?.attributes.values() ?? [])].filter(({ attribute }) => attribute.filter) : []
  const begin = ({ ids, values }: { ids: Uint32Array; values: unknown[] }): Count => ({ ids, counts: new Uint32Array(values.length) })
  const ofAll = asked.facets ? { category: begin(shelf.category), brand: begin(shelf.brand), price: begin(shelf.price) } : {}
  const ofChosen = Object.fromEntries(attributes.map(({ attribute, numbers, words }) => [attribute.key, begin(numbers ?? words)]))
  const counts = { all: Object.values(ofAll), chosen: Object.values(ofChosen) }
  const own = filters.map(({ key, columns }) => {
    const byRow = columns.find((column) => column)?.byRow ?? true
    return { byRow, count: byRow ? ofChosen[key] : (ofAll as Record<string, Count>)[key] }
  })

  const { pieces, inStock } = asked
  const wards = shelf.category.ids
  const minimum = shelf.minimum.numbers
  const available = shelf.available.numbers
  const rows = shelf.row.numbers
  const fitting = new Uint32Array(slots.length)
  let [fit, butForStock, inStockToo] = [0, 0, 0]
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0
    const least = minimum[slot] ?? 0
    const stock = available[slot] ?? 0
    if (pieces !== undefined && (pieces < least || pieces > stock)) continue
    const ward = wards[slot] ?? 0
    const row = rows[slot] ?? 0
    const failed = filters.length === 0 ? all : onlyFailed(filters, ward, slot, row)
    if (failed === several) continue
    const isInStock = stock >= least
    if (failed === all) {
      butForStock++
      if (isInStock) inStockToo++
    }
    if (inStock && !isInStock) continue
    if (failed === all) {
      fitting[fit++] = slot
      for (let nth = 0; nth < counts.all.length; nth++) count(counts.all[nth], slot)
      if (ward === chosen) for (let nth = 0; nth < counts.chosen.length; nth++) count(counts.chosen[nth], row)
    } else if (own[failed]?.byRow === false) count(own[failed].count, slot)
    else if (ward === chosen) count(own[failed]?.count, row)
  }
  const found = fitting.subarray(0, fit)
  const { category, brand, price } = ofAll
  if (!category || !brand || !price) return { fitting: found, facets: [] }

  const about = { category: { key: 'category', label: 'Category' }, brand: { key: 'brand', label: 'Brand' } }
  return {
    fitting: found,
    facets: [
      choiceFacet(
        about.category,
        shelf.category,
        category.counts,
        asked.category === undefined ? [] : [asked.category],
        (key) => shownCategory(key)?.label ?? key,
      ),
      choiceFacet(about.brand, shelf.brand, brand.counts, asked.brands, (brand) => brand),
      numberFacet({ key: 'price', label: 'Price', unit: '$', better: 'less' }, shelf.price, price.counts),
      inStockFacet(inStockToo, butForStock - inStockToo),
      ...attributes.map(({ attribute, numbers, words }) => {
        const known = { ...attribute, key: `spec.${attribute.key}` }
        const counted = ofChosen[attribute.key]?.counts ?? new Uint32Array()
        return numbers
          ? numberFacet(known, numbers, counted)
          : choiceFacet(known, words, counted, asked.choices.get(attribute.key) ?? [], (value) => sayChoice(attribute.key, value))
      }),
    ].filter((facet) => facet !== undefined),
  }
}

const all = -1
const several = -2

/** Which filter alone a product does not fit; `all` when it fits them all, `several` when more than one is in its way. */
function onlyFailed(filters: Filter[], ward: number, slot: number, row: number): number {
  let failed = all
  for (let nth = 0; nth < filters.length; nth++) {
    const column = filters[nth]?.columns[ward]
    if (column && column.fits[column.ids[column.byRow ? row : slot] ?? 0] === 1) continue
    if (failed !== all) return several
    failed = nth
  }
  return failed
}

function count(of: Count | undefined, place: number): void {
  if (!of) return
  const id = of.ids[place] ?? 0
  of.counts[id] = (of.counts[id] ?? 0) + 1
}
