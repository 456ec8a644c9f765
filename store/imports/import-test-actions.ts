import assert from 'node:assert/strict'
import { eq } from 'drizzle-orm'
import { newProductLimit } from '#store/catalogue/new-product-limit.ts'
import { products } from '#store/catalogue/table.ts'
import type { Store } from '#test/store.ts'
import { Import, type ImportReport, type StockUpdateMode } from './contract.ts'

/* What an admin does in the tests of imports, through the API. */

export const drill = {
  sku: 'D-1',
  name: 'Drill',
  brand: 'Bosch',
  mpn: '0611',
  category: 'cpu',
  description: 'Turns.',
  price: 30,
  minimum_order_quantity: 1,
  available_quantity: 25,
  specs: { cores: 4 },
}
export const saw = { ...drill, sku: 'S-1', name: 'Saw', mpn: 'S1', description: 'Cuts.', price: 12, available_quantity: 0, specs: {} }
export const ndjson = (...parts: object[]) => parts.map((part) => `${JSON.stringify(part)}\n`).join('')

/** Uploads a file, as the screen does. */
export async function uploadByApi(store: Store, file: string | Buffer): Promise<Import> {
  const { statusCode, body } = await store.app.inject({
    method: 'POST',
    url: '/api/imports?name=parts',
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` },
    payload: Buffer.from(file),
  })
  assert.equal(statusCode, 201, body)
  return Import.parse(JSON.parse(body))
}

export const getImportByApi = async (store: Store, id: string) => Import.parse((await store.admin.request('GET', `/imports/${id}`)).json())

/** Uploads a file and waits for its check. */
export async function uploadAndCheck(store: Store, file: string | Buffer): Promise<Import & { report: ImportReport }> {
  const { _id } = await uploadByApi(store, file)
  await store.jobs.whenIdle()
  const found = await getImportByApi(store, _id)
  assert.equal(found.state, 'checked', `${found.trouble}`)
  assert.ok(found.report)
  return { ...found, report: found.report }
}

/** Uploads a file, waits for its check, and imports it. */
export async function importProducts(
  store: Store,
  file: string | Buffer,
  skipWrong = false,
  stock?: StockUpdateMode,
): Promise<Import & { report: ImportReport }> {
  const { _id } = await uploadAndCheck(store, file)
  const run = await store.admin.request('POST', `/imports/${_id}/run`, { skipWrong, stock })
  assert.equal(run.statusCode, 200, run.body)
  await store.jobs.whenIdle()
  const found = await getImportByApi(store, _id)
  assert.equal(found.state, 'done', `${found.trouble}`)
  assert.ok(found.report)
  return { ...found, report: found.report }
}

/** Uploads a file that is refused as a whole, and returns why. */
export async function refusalReason(store: Store, file: string | Buffer): Promise<string> {
  const { _id } = await uploadByApi(store, file)
  await store.jobs.whenIdle()
  const { state, trouble } = await getImportByApi(store, _id)
  assert.equal(state, 'failed')
  return `${trouble}`
}

export const exportProducts = async (store: Store, format: 'ndjson' | 'csv'): Promise<string> => {
  const answer = await store.admin.request('GET', `/export?format=${format}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.body
}

/** Lets admins who are no owners add this many products within a day. */
export function limitNewProducts(products: number): Disposable {
  const usual = newProductLimit.products
  newProductLimit.products = products
  return {
    [Symbol.dispose]() {
      newProductLimit.products = usual
    },
  }
}

export const countsOfReport = ({ rows, create, update, unchanged, wrong }: ImportReport) => ({ rows, create, update, unchanged, wrong })
export const fetchPublicProducts = async (
  store: Store,
): Promise<{ _id: string; name: string; price: number; available_quantity: number }[]> =>
  (await store.visitor.request('GET', '/tools')).json()
export const findProduct = async (store: Store, sku: string) => (await store.db.select().from(products).where(eq(products.sku, sku)))[0]
export const csv = (...rows: string[]) => rows.join('\r\n')
