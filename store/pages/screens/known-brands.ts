import type { Facet } from '#store/search/contract.ts'

/** `logo` is the base name of an SVG in `public/brands`. */
export type Brand = { name: string; logo?: string }

/** The known brands with at least one product for sale. */
export function knownBrandsForSale(facets: Facet[]): Brand[] {
  const facet = facets.find(({ key }) => key === 'brand')
  const available = new Set(facet?.kind === 'choice' ? facet.choices.flatMap(({ value, count }) => (count > 0 ? value : [])) : [])
  return knownBrands.filter(({ name }) => available.has(name))
}

/**
 * Brands that a shop like this may sell. Logos are from simple-icons 16.37.0 (SVGs under CC0; trademarks belong to their owners); brands
 * without one are displayed as text. Used in the loader only, like the slides, so that they are not part of the page's script.
 */
const knownBrands: Brand[] = [
  { name: 'AMD', logo: 'amd' },
  { name: 'Knipex' },
  { name: 'Intel', logo: 'intel' },
  { name: 'ASUS', logo: 'asus' },
  { name: 'Noctua' },
  { name: 'Corsair', logo: 'corsair' },
  { name: 'iFixit', logo: 'ifixit' },
  { name: 'Hakko' },
  { name: 'Samsung', logo: 'samsung' },
  { name: 'Fluke', logo: 'fluke' },
  { name: 'Seagate', logo: 'seagate' },
  { name: 'Klein Tools' },
  { name: 'MSI', logo: 'msi' },
  { name: 'LG', logo: 'lg' },
  { name: 'TP-Link', logo: 'tplink' },
  { name: 'Weller' },
  { name: 'Dell', logo: 'dell' },
  { name: 'NETGEAR', logo: 'netgear' },
  { name: 'Cooler Master', logo: 'coolermaster' },
]

/** For the brand filter of the search: its facets include the counts of all selected brands, however small. */
export const brandNames = knownBrands.map(({ name }) => name)
