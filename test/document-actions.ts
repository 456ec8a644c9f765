import assert from 'node:assert/strict'
import { XMLParser } from 'fast-xml-parser'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { OrderDocument } from '#store/orders/documents/contract.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

/** Who sells in tests. */
export const testSeller = {
  ...{ name: 'Nucleus Trading GmbH', country: 'DE', line1: 'Invalidenstraße 1', city: 'Berlin', postalCode: '10115' },
  ...{ vatId: 'DE136695976', email: 'invoices@shop.example' },
}

/** From now on documents are issued. */
export async function setUpSeller(store: Store, seller: object = testSeller): Promise<void> {
  const set = await store.admin.request('PUT', '/seller', seller)
  assert.equal(set.statusCode, 200, set.body)
}

/** The documents of an order, as this person sees them, once the jobs have done what they can. */
export async function documentsOf(store: Store, actor: Actor, { _id }: { _id: string }): Promise<OrderDocument[]> {
  await store.jobs.runAllOnce()
  const listed = await actor.request('GET', `/orders/${_id}/documents`)
  assert.equal(listed.statusCode, 200, listed.body)
  return listed.json().documents
}

export const loadFile = (actor: Actor, address: string | null): Promise<ApiResponse> =>
  actor.request('GET', (address ?? assert.fail('There is no such file')).replace('/api', ''))

/** The words of all pages of a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<{ text: string; attachments: Map<string, Uint8Array> }> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, nth) => (await pdf.getPage(nth + 1)).getTextContent()))
  const text = pages.flatMap(({ items }) => items.map((item) => ('str' in item ? item.str : ''))).join(' ')
  const attachments = new Map<string, Uint8Array>()
  for (const name of (await pdf.getAttachments())?.keys() ?? [])
    attachments.set(name, (await pdf.getAttachmentContent(name)) ?? new Uint8Array())
  return { text, attachments }
}

/** An element of an XML: its elements by name without prefix, always as lists; `#text` is its text, `@name` an attribute. */
export type XmlElement = { [name: string]: XmlElement[] } & { '#text'?: string }

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true, parseTagValue: false, parseAttributeValue: false },
  ...{
    alwaysCreateTextNode: true,
    trimValues: true,
    isArray: (_name: string, _path: unknown, _isLeaf: boolean, isAttribute: boolean) => !isAttribute,
  },
})

export const parseXml = (xml: string): XmlElement => parser.parse(xml)
