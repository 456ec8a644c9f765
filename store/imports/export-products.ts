import { and, asc, gt, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Incoming } from '#store/catalogue/contract.ts'
import { formatPriceBreaks } from '#store/catalogue/price-breaks-text.ts'
import { productColumns, quantityTermsColumns } from '#store/catalogue/rules.ts'
import type { PriceBreak } from '#store/catalogue/settle-quantity.ts'
import { products } from '#store/catalogue/table.ts'
import { productFileColumns } from './contract.ts'
import { formatCsvRow } from './csv.ts'
import { productColumnOf, storedColumns } from './product-columns.ts'

export type ExportFormat = 'ndjson' | 'csv'
type ExportedProduct = Record<string, unknown> & { price_breaks: PriceBreak[]; incoming: Incoming | null }

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
          ...Object.fromEntries(storedColumns.map((column) => [column, productColumnOf(column)])),
          ...{ price: productColumns.price, price_breaks: quantityTermsColumns.price_breaks, incoming: products.incoming },
          ...{ available_quantity_seen: products.available_quantity, specs: products.specs },
        },
      })
      .from(products)
      .where(and(isNull(products.removedAt), gt(products.position, after)))
      .orderBy(asc(products.position))
      .limit(batchRows)
    const last = batch.at(-1)
    if (!last) return
    yield batch.map(({ product }) => formatProduct(product, format)).join('')
    after = last.position
  }
}

function formatProduct(product: ExportedProduct, format: ExportFormat): string {
  const complete: ExportedProduct = { ...product, specs: product.specs ?? {} }
  if (format === 'ndjson') return `${JSON.stringify(Object.fromEntries(productFileColumns.map((column) => [column, complete[column]])))}\n`
  const { price_breaks, incoming } = product
  const cells: Record<string, unknown> = {
    ...complete,
    price_breaks: formatPriceBreaks(price_breaks),
    incoming: incoming && `${incoming.quantity} on ${incoming.date}`,
    specs: JSON.stringify(complete.specs),
  }
  return formatCsvRow(productFileColumns.map((column) => (cells[column] === null ? '' : String(cells[column]))))
}
