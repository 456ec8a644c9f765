import type { ProductDetails } from '#store/catalogue/contract.ts'
import type { Facet } from '#store/search/contract.ts'
import type { PageFacet } from './page-facets.ts'

/** Whether the facet is an attribute of the chosen category, such as the capacity of memory. The key of a facet is also its URL parameter. */
const isAttributeFacet = ({ key, category }: Facet): boolean => key.startsWith('spec.') && !category

/** The attributes that a list shows of its products, and the figures that follow from their prices, such as the price per GB. */
export function shownAttributes(facets: Facet[]): { stated: Facet[]; derived: Facet[] } {
  const { stated = [], derived = [] } = Object.groupBy(facets.filter(isAttributeFacet), (facet) =>
    facet.kind === 'number' && facet.price_per !== undefined ? 'derived' : 'stated',
  )
  return { stated, derived }
}

/** What fits beside the columns of every product on a wide screen, with words taking more room than figures. */
const maxColumns = 5
const roomForColumns = 12
const columnWidths = { number: 2, choice: 3 }
/** A column of which more is not known than this share says nothing of most rows. */
const maxUnknownShare = 0.4
/** A longer list, such as the sockets of a cooler, is no value of a cell. */
const maxListedValues = 4

type FoundInTable = { total: number; search: URLSearchParams; products: Pick<ProductDetails, 'specs'>[] }

/**
 * The attributes that are columns of a table, as many as fit: that by which it is sorted and those by which it is limited, then the first ones of the
 * kind that most of what was found states.
 * @param found `total` products by `search`, of which `products` are shown
 */
export function tableAttributes(facets: Facet[], { total, search, products }: FoundInTable): Facet[] {
  const sortedBy = search.get('sort')?.replace(/^-/, '')
  const isLimited = (key: string) => ['', '.min', '.max'].some((end) => search.has(`${key}${end}`))
  const rankOf = ({ key }: Facet) => (key === sortedBy ? 0 : isLimited(key) ? 1 : 2)
  const isLongList = (key: string) => {
    const long = products.filter(({ specs }) => countListed(specs[key.slice('spec.'.length)]) > maxListedValues)
    return long.length * 2 > products.length
  }
  const { stated, derived } = shownAttributes(
    facets.filter((facet) => (rankOf(facet) < 2 || facet.unknown <= total * maxUnknownShare) && !isLongList(facet.key)),
  )
  let room = roomForColumns - derived.length * columnWidths.number
  const fitting = new Set<Facet>()
  for (const facet of stated.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    room -= columnWidths[facet.kind]
    if (room < 0 || fitting.size === maxColumns - derived.length) break
    fitting.add(facet)
  }
  return [...stated.filter((facet) => fitting.has(facet)), ...derived]
}

const countListed = (value: unknown): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 1)

const countOfYes = (facets: PageFacet[], key: string): number | undefined =>
  facets.flatMap((facet) => (facet.key === key && facet.kind === 'choice' ? facet.choices : [])).find(({ value }) => value === 'yes')?.count

/** Number of results in stock, if the facets contain it. */
export const inStockCount = (facets: PageFacet[]): number | undefined => countOfYes(facets, 'in_stock')

/** Number of results whose price is shown as lowered, if the facets contain it. */
export const loweredCount = (facets: PageFacet[]): number | undefined => countOfYes(facets, 'lowered')

/** Derives a label from an unknown key: "video-card" is "Video card". */
export function labelFromKey(key: string): string {
  const words = key.replace(/^spec\./, '').replace(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export type SortOption = { value: string; words: string }

/**
 * Sort options with labels, including the number attributes of the category.
 * @param sort current sort order, possibly chosen in a table header; it is always among the options
 */
export function sortOptions(facets: Facet[], hasWords: boolean, sort = '', hasCategory = false): SortOption[] {
  const both = (value: string, label: string) => ({
    up: { value, words: `${label}, lowest first` },
    down: { value: `-${value}`, words: `${label}, highest first` },
  })
  const byNumber = facets.flatMap((facet) => {
    if (facet.kind !== 'number' || !isAttributeFacet(facet)) return []
    const { up, down } = both(facet.key, facet.label)
    return facet.better === 'more' ? [down] : facet.better === 'less' ? [up] : [up, down]
  })
  const price = both('price', 'Price')
  const offered = [
    { value: '', words: hasWords ? 'Best match' : hasCategory ? 'In stock, newest' : 'As added' },
    price.up,
    price.down,
    { value: 'bestselling', words: 'Bestselling' },
    { value: 'newest', words: 'Newest' },
    { value: 'name', words: 'Name' },
    ...byNumber,
  ]
  if (offered.some(({ value }) => value === sort)) return offered
  const by = sort.replace(/^-/, '')
  const { up, down } = both(by, facets.find(({ key }) => key === by)?.label ?? labelFromKey(by))
  return [...offered, sort.startsWith('-') ? down : up]
}
