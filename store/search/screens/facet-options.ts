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

/** Number of attribute columns that fit beside the columns of every product. */
const maxAttributeColumns = 4

/**
 * The attributes that are columns of a table: the first ones, and before these that by which the list is sorted, then those by which
 * it is limited, as far as there is room.
 * @param params of the list, by name
 */
export function tableAttributes(facets: Facet[], params: Record<string, string[] | undefined>): Facet[] {
  const { stated, derived } = shownAttributes(facets)
  const sortedBy = params.sort?.[0]?.replace(/^-/, '')
  const sorted = stated.filter(({ key }) => key === sortedBy)
  const limited = stated.filter(({ key }) => params[key] || params[`${key}.min`] || params[`${key}.max`])
  const shown = new Set([...new Set([...sorted, ...limited, ...stated])].slice(0, maxAttributeColumns - derived.length))
  return [...stated.filter((facet) => shown.has(facet)), ...derived]
}

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
