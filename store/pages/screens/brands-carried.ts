/** `mark` names a file in `public/brands`. */
export type Brand = { name: string; mark?: string }

/** The brands of which something is on sale, known by the names of the products: a shop says of no brand that it carries it before it does. */
export function brandsCarried(tools: { name: string }[]): Brand[] {
  const words = new Set(tools.flatMap(({ name }) => wordsOf(name)))
  return brands.filter(({ name }) => wordsOf(name).every((word) => words.has(word)))
}

const wordsOf = (name: string) => name.toLowerCase().split(/[^\p{L}\d-]+/u)

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
