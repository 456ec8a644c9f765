import { and, asc, gt, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { partColumns } from '../contract.ts'
import { tools } from '../table.ts'
import { csvRow } from './csv.ts'

export type Format = 'ndjson' | 'csv'
type Exported = Record<(typeof partColumns)[number], unknown>

/** Few enough that even products with as much to say as they may have are written without keeping anybody waiting. */
const batchRows = 100

/**
 * The catalogue as `npm run import` takes it back: products for sale, in the order in which they were added, each as it stands at its turn.
 * Holds a batch in memory, and no connection while the reader is slow.
 */
export async function* exportParts(db: Database, format: Format): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow([...partColumns])
  for (let after = 0; ; ) {
    const batch = await db
      .select({
        position: tools.position,
        part: {
          ...{ sku: tools.sku, name: tools.name, brand: tools.brand, mpn: tools.mpn, category: tools.category },
          ...{ description: tools.description, img: tools.img, price: tools.price },
          ...{ minimum_order_quantity: tools.minimum_order_quantity, available_quantity: tools.available_quantity },
          ...{ available_quantity_seen: tools.available_quantity, specs: tools.specs },
        },
      })
      .from(tools)
      .where(and(isNull(tools.removedAt), gt(tools.position, after)))
      .orderBy(asc(tools.position))
      .limit(batchRows)
    if (batch.length > 0) yield batch.map(({ part }) => written(part, format)).join('')
    const last = batch.at(-1)
    if (!last || batch.length < batchRows) return
    after = last.position
  }
}

function written(part: Exported, format: Format): string {
  const all = partColumns.map((column) => [column, part[column] ?? (column === 'specs' ? {} : null)] as const)
  if (format === 'ndjson') return `${JSON.stringify(Object.fromEntries(all))}\n`
  return csvRow(all.map(([column, value]) => (column === 'specs' ? JSON.stringify(value) : value === null ? '' : String(value))))
}
