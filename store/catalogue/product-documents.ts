import { labelFromKey } from './label-from-key.ts'
import type { ProductDocument } from './product-page-contract.ts'

/** Whether an attribute's value is the address of a document, such as a maker's data sheet, and not a text to be read or searched. */
export function isDocumentUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https:\/\/\S{1,2000}$/i.test(value)) return false
  const url = URL.parse(value)
  return url !== null && url.username === '' && url.password === ''
}

/** Whether all of an attribute's value are addresses of documents. */
export const isDocumentValue = (value: unknown): boolean => {
  const all = [value].flat()
  return all.length > 0 && all.every(isDocumentUrl)
}

/**
 * The documents that a product's attributes name, in the order of their labels: `datasheet_url` is its "Datasheet". Of several under one key each has
 * its number.
 */
export const productDocuments = (specs: Record<string, unknown>): ProductDocument[] =>
  Object.entries(specs)
    .filter(([, value]) => isDocumentValue(value))
    .flatMap(([key, value]) => {
      const label = labelFromKey(key.replace(/_urls?$/, ''))
      const urls = [value].flat().filter(isDocumentUrl)
      return urls.map((url, nth) => ({ label: urls.length > 1 ? `${label} ${nth + 1}` : label, url, host: new URL(url).host }))
    })
    .sort((one, other) => (one.label < other.label ? -1 : 1))
