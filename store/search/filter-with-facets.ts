import { storeCurrency } from '#shared/currency.ts'
import { centsToAmount } from '#shared/money.ts'
import { stockLevel } from '#store/catalogue/contract.ts'
import { categoryOption, formatAttributeChoice } from '#store/catalogue/product-attributes.ts'
import { buildColumnFilters, type ColumnFilter, isShownUntil, type SlotTest } from './column-filters.ts'
import type { ColumnStore } from './column-store.ts'
import type { Facet } from './contract.ts'
import { countValues } from './count-values.ts'
import { type DictionaryColumn, unknownValueId } from './dictionary-column.ts'
import { choiceFacet, numberFacet, switchFacet } from './facets.ts'
import { GrowableArray } from './growable-array.ts'
import type { ParsedQuery } from './parsed-query.ts'

/**
 * Filters the slots and computes the facet counts. The counts of a facet cover all slots that match every filter except its own. Attribute
 * facets are computed for the chosen category only, or in a search of all categories for the one that has the most matches.
 * @param slots the slots that match the search text; undefined without one
 * @param excludedSlots by slot: whether the name has words that it must not have; undefined if any may
 * @returns the slots that match all filters, in no order, and what counts the facets
 */
export function filterWithFacets(
  store: ColumnStore,
  slots: Uint32Array | undefined,
  excludedSlots: Uint8Array | undefined,
  query: ParsedQuery,
): { matches: Uint32Array; countFacets: () => Facet[] } {
  const filters = buildColumnFilters(store, excludedSlots, query)
  const partition = partitionByFilters(store, slots, filters, query)
  return { matches: partition.matches, countFacets: () => (query.facets ? countFacets(store, query, filters, partition) : []) }
}

function countFacets(store: ColumnStore, query: ParsedQuery, filters: ColumnFilter[], { matches, failingOnly }: FilterPartition): Facet[] {
  const failingOnlyByKey = new Map(filters.map(({ key }, nth) => [key, failingOnly[nth]?.view()]))
  const largest = query.category === undefined && isNarrowed(query, filters) ? largestCategory(store, matches) : undefined
  const chosen = largest ?? store.category.values.findIndex((value) => value?.[0] === query.category)
  const rows = rowsOfCategory(store, matches, chosen)
  const inAll = (key: string, column: DictionaryColumn<unknown>) => countValues(column, matches, failingOnlyByKey.get(key))
  const inChosen = (key: string, column: DictionaryColumn<unknown>) =>
    countValues(column, rows, rowsOfCategory(store, failingOnlyByKey.get(key), chosen))

  const about = {
    category: { key: 'category', label: 'Category' },
    brand: { key: 'brand', label: 'Brand' },
    price: { key: 'price', label: 'Price', unit: storeCurrency().symbol.trim(), better: 'less' },
  } as const
  const formatCategory = (key: string) => categoryOption(key)?.label ?? key
  const categories = query.category === undefined ? [] : [query.category]
  const [largestKey] = largest === undefined ? [] : (store.category.values[largest] ?? [])
  return [
    choiceFacet(about.category, store.category, inAll('category', store.category), { chosen: categories, format: formatCategory }),
    choiceFacet(about.brand, store.brand, inAll('brand', store.brand), {
      chosen: query.brands,
      isUnknownChosen: query.isBrandUnknown,
      format: (brand) => brand,
    }),
    numberFacet(about.price, store.priceCents, inAll('price', store.priceCents), centsToAmount),
    switchFacet({ key: 'in_stock', label: 'In stock' }, query.inStock ? matches.length : countInStock(store, matches)),
    loweredFacet(store, [matches, failingOnlyByKey.get('lowered')], query.lowered),
    ...[...(store.categoryColumns[chosen]?.attributes.values() ?? [])].map(({ attribute, numberColumn, stringColumn }) => {
      const { key } = attribute
      if (!attribute.filter) return undefined
      const known = { ...attribute, key: `spec.${key}`, category: largestKey, price_per: attribute.derived?.price_per }
      if (numberColumn) return numberFacet(known, numberColumn, inChosen(key, numberColumn))
      return choiceFacet(known, stringColumn, inChosen(key, stringColumn), {
        chosen: query.selectedValues.get(key) ?? [],
        isUnknownChosen: query.unknownKeys.has(key),
        format: (value) => formatAttributeChoice(attribute, value),
        isUnified: true,
      })
    }),
  ].filter((facet) => facet !== undefined)
}

/** None where no price is lowered, unless that is asked for. */
function loweredFacet(
  { loweredUntil: { ids, values } }: ColumnStore,
  slotLists: (Uint32Array | undefined)[],
  isChosen: boolean,
): Facet | undefined {
  const isShown = isShownUntil(Date.now())
  let yes = 0
  for (const slots of slotLists) {
    for (let at = 0; at < (slots?.length ?? 0); at++) {
      const id = ids[slots?.[at] ?? 0] ?? unknownValueId
      if (id !== unknownValueId && isShown(values[id] ?? 0)) yes++
    }
  }
  return yes > 0 || isChosen ? switchFacet({ key: 'lowered', label: 'Price lowered' }, yes) : undefined
}

/** Whether something is searched for: the list of everything has no facets of a category. */
const isNarrowed = ({ q, hasFacetsOfLargest }: ParsedQuery, filters: ColumnFilter[]): boolean =>
  hasFacetsOfLargest && (q.trim() !== '' || filters.length > 0)

/** The id of the category that has the most of the slots; undefined if none of them has a category. */
function largestCategory({ category }: ColumnStore, slots: Uint32Array): number | undefined {
  const { counts, found } = countValues(category, slots)
  return found.toSorted((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other)[0]
}

type FilterPartition = {
  /** slots that match all filters */
  matches: Uint32Array
  /** by filter: slots that match all filters except this one */
  failingOnly: GrowableArray<Uint32Array>[]
}

/** Filled and copied anew by each partition: most products match few filters. */
let scratch = new Uint32Array()

function partitionByFilters(
  store: ColumnStore,
  slots: Uint32Array | undefined,
  filters: ColumnFilter[],
  query: ParsedQuery,
): FilterPartition {
  const { pieces, inStock, stock: level } = query
  const failingOnly = filters.map(() => new GrowableArray((length) => new Uint32Array(length), 64))
  if (filters.length === 0 && pieces === undefined && !inStock && level === undefined)
    return { matches: slots?.slice() ?? store.liveSlots(), failingOnly }

  const categoryIds = store.category.ids
  const isLive = store.isLive.array
  const minimum = store.minimumOrderQuantity.array
  const multiple = store.orderMultiple.array
  const available = store.availableQuantity.array
  const rows = store.rowInCategory.array
  // A category that two filters exclude cannot add to any facet count, so its products are skipped; without facets one filter is enough.
  const maxFailed = query.facets ? 1 : 0
  const testsByCategory = store.categoryColumns.map((_, categoryId) => {
    const tests = filters.map(({ columns }) => columns[categoryId])
    return tests.filter((test) => !test).length > maxFailed ? undefined : tests
  })
  if (scratch.length < store.slotCount) scratch = new Uint32Array(isLive.length)
  let count = 0
  const asksForStock = pieces !== undefined || inStock || level !== undefined
  const visit = (slot: number, tests: (SlotTest | undefined)[]) => {
    const failed = soleFailedFilter(tests, slot, rows[slot] ?? 0)
    if (failed === multipleFiltersFailed) return
    if (asksForStock) {
      const least = minimum[slot] ?? 0
      const stock = available[slot] ?? 0
      if (pieces !== undefined && (pieces < least || pieces > stock || pieces % (multiple[slot] ?? 1) !== 0)) return
      if (level !== undefined && stockLevel({ minimum_order_quantity: least, available_quantity: stock }) !== level) return
      if (inStock && stock < least) return
    }
    if (failed === noFilterFailed) scratch[count++] = slot
    else failingOnly[failed]?.push(slot)
  }
  if (slots)
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? 0
      const tests = testsByCategory[categoryIds[slot] ?? unknownValueId]
      if (tests) visit(slot, tests)
    }
  else
    for (const [categoryId, tests] of testsByCategory.entries()) {
      const slotsOfCategory = tests && store.categoryColumns[categoryId]?.slots
      for (let at = 0; at < (slotsOfCategory?.length ?? 0); at++) {
        const slot = slotsOfCategory?.array[at] ?? 0
        if (tests && isLive[slot] === 1) visit(slot, tests)
      }
    }
  return { matches: scratch.slice(0, count), failingOnly }
}

const noFilterFailed = -1
const multipleFiltersFailed = -2

/**
 * Index of the only filter that the product fails; `noFilterFailed` if it matches all filters, `multipleFiltersFailed` if it fails several.
 * @param tests of the filters for the category of the product; undefined where none of it can match
 */
function soleFailedFilter(tests: (SlotTest | undefined)[], slot: number, row: number): number {
  let failed = noFilterFailed
  for (let nth = 0; nth < tests.length; nth++) {
    if (tests[nth]?.matches(slot, row)) continue
    if (failed !== noFilterFailed) return multipleFiltersFailed
    failed = nth
  }
  return failed
}

/** The attribute column rows of those slots that belong to the category. */
function rowsOfCategory({ category, rowInCategory }: ColumnStore, slots: Uint32Array | undefined, categoryId: number): Uint32Array {
  const rows = new Uint32Array(categoryId < 0 || !slots ? 0 : slots.length)
  let count = 0
  for (let at = 0; at < rows.length; at++) {
    const slot = slots?.[at] ?? 0
    if (category.ids[slot] === categoryId) rows[count++] = rowInCategory.array[slot] ?? 0
  }
  return rows.subarray(0, count)
}

function countInStock({ minimumOrderQuantity, availableQuantity }: ColumnStore, slots: Uint32Array): number {
  let count = 0
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0
    if ((availableQuantity.array[slot] ?? 0) >= (minimumOrderQuantity.array[slot] ?? 0)) count++
  }
  return count
}
