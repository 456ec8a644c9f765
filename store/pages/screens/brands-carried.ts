import type { Facet } from '#store/catalogue/contract.ts'

/** `mark` names a file in `public/brands`. */
export type Brand = { name: string; mark?: string }

/** The brands of which something is on sale: a shop says of no brand that it carries it before it does. */
export function brandsCarried(facets: Facet[]): Brand[] {
  const facet = facets.find(({ key }) => key === 'brand')
  const carried = new Set(facet?.kind === 'choice' ? facet.choices.flatMap(({ value, count }) => (count > 0 ? value : [])) : [])
  return brands.filter(({ name }) => carried.has(name))
}

/** Brands that a shop like this may carry; those whose mark simple-icons 16.37.0 holds (drawings under CC0, the marks are their owners') show it, the others their name in type. Handed over by the loader, like the slides. */
const brands: Brand[] = [
  { name: 'AMD', mark: 'amd' },
  { name: 'Knipex' },
  { name: 'Intel', mark: 'intel' },
  { name: 'ASUS', mark: 'asus' },
  { name: 'Noctua' },
  { name: 'Corsair', mark: 'corsair' },
  { name: 'iFixit', mark: 'ifixit' },
  { name: 'Hakko' },
  { name: 'Samsung', mark: 'samsung' },
  { name: 'Fluke', mark: 'fluke' },
  { name: 'Seagate', mark: 'seagate' },
  { name: 'Klein Tools' },
  { name: 'MSI', mark: 'msi' },
  { name: 'LG', mark: 'lg' },
  { name: 'TP-Link', mark: 'tplink' },
  { name: 'Weller' },
  { name: 'Dell', mark: 'dell' },
  { name: 'NETGEAR', mark: 'netgear' },
  { name: 'Cooler Master', mark: 'coolermaster' },
]

/** To ask the search for: of brands that are asked for it says how many products there are, however few. */
export const brandNames = brands.map(({ name }) => name)
