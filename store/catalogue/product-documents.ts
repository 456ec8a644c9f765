import { labelFromKey } from './label-from-key.ts'
import type { ProductDocument } from './product-page-contract.ts'

/** What a page can show: an import may say thousands. */
const maxDocuments = 50

/** Whether an attribute's value is the address of a document, such as a maker's data sheet, and not a text to be read or searched. */
export function isDocumentUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https:\/\/\S{1,2000}$/i.test(value)) return false
  const url = URL.parse(value)
  return url !== null && url.username === '' && url.password === ''
}

/** Whether an attribute's value is addresses of documents and nothing else. */
export const isDocumentValue = (value: unknown): boolean => {
  const all = [value].flat()
  return all.length > 0 && all.every(isDocumentUrl)
}

/**
 * The documents that a product's attributes name, in the order of their labels, each address once: `datasheet_url` is its "Datasheet". Of several under
 * one key each has its number.
 */
export function productDocuments(specs: Record<string, unknown>): ProductDocument[] {
  const seen = new Set<string>()
  const isNew = (url: string) => seen.size < maxDocuments && seen.size < seen.add(url).size
  return Object.entries(specs)
    .filter(([, value]) => isDocumentValue(value))
    .map(([key, value]) => ({
      label: labelFromKey(key.replace(/_?urls?$/i, '')) || 'Document',
      urls: [value].flat().filter(isDocumentUrl),
    }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
    .map(({ label, urls }) => ({ label, urls: urls.filter(isNew) }))
    .flatMap(({ label, urls }) =>
      urls.map((url, nth) => ({ label: urls.length > 1 ? `${label} ${nth + 1}` : label, url, host: new URL(url).host })),
    )
}
