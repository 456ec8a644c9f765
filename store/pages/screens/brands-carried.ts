/** `mark` names a file in `public/brands`. */
export type Brand = { name: string; mark?: string }

/** Brands on our shelves; those whose mark simple-icons 16.37.0 holds (drawings under CC0, the marks are their owners') show it, the others their name in type. Handed over by the loader, like the slides. */
export const brandsCarried: Brand[] = [
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
