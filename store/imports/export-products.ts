import { and, asc, gt, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { productColumns } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { productFileColumns } from './contract.ts'
import { formatCsvRow } from './csv.ts'

export type ExportFormat = 'ndjson' | 'csv'
type ExportedProduct = Record<(typeof productFileColumns)[number], unknown>

/** Small enough that formatting a batch of products of maximum size does not block the event loop noticeably. */
const batchRows = 100

/**
 * The catalogue in a format that `npm run import` accepts: products for sale in order of creation, each as it is when its batch is read.
 * Holds one batch in memory, and no database connection while the client reads slowly.
 */
export async function* exportProducts(db: Database, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield formatCsvRow([...productFileColumns])
  for (let after = 0; ; ) {
    const batch = await db
      .select({
        position: products.position,
        product: {
          ...{ sku: products.sku, name: products.name, brand: products.brand, mpn: products.mpn, category: products.category },
          ...{ description: products.description, img: products.img, price: productColumns.price },
          ...{ minimum_order_quantity: products.minimum_order_quantity, available_quantity: products.available_quantity },
          ...{ available_quantity_seen: products.available_quantity, specs: products.specs },
        },
      })
      .from(products)
      .where(and(isNull(products.removedAt), gt(products.position, after)))
      .orderBy(asc(products.position))
      .limit(batchRows)
    if (batch.length > 0) yield batch.map(({ product }) => formatProduct(product, format)).join('')
    const last = batch.at(-1)
    if (!last || batch.length < batchRows) return
    after = last.position
  }
}

function formatProduct(product: ExportedProduct, format: ExportFormat): string {
  const values = productFileColumns.map((column) => [column, product[column] ?? (column === 'specs' ? {} : null)] as const)
  if (format === 'ndjson') return `${JSON.stringify(Object.fromEntries(values))}\n`
  return formatCsvRow(values.map(([column, value]) => (column === 'specs' ? JSON.stringify(value) : value === null ? '' : String(value))))
}
