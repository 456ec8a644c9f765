import { and, asc, desc, eq, inArray, lt, not, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { users } from '#store/identity/table.ts'
import { maxProductHistoryListed, type ProductHistoryEntry } from './product-history-contract.ts'
import { isAttributeChangeSql, productHistory } from './table.ts'

/** How long it can be seen what was overwritten. */
const keptDays = 400
/** Rows per deletion, so that it ends well before the statement timeout also where an import has changed the whole catalogue. */
const maxDeleted = 10_000

type Value = string | number | boolean | null
type ProductChange = { toolId: string; userId: string; before: Record<string, Value>; after: Record<string, Value> }

/** A trigger records these, `keep_price_change` in the migrations: whoever changes them, by SQL too. */
const fieldsKeptByTrigger = ['price', 'price_breaks']

/**
 * Says who changes prices in the rest of the transaction, for what the trigger records.
 * @param userId null for a command on the store's machine
 */
export async function attributePriceChanges(
  tx: Database,
  { userId, importId = null }: { userId: string | null; importId?: string | null },
) {
  await tx.execute(sql`select set_config('store.user_id', ${userId ?? ''}, true), set_config('store.import_id', ${importId ?? ''}, true)`)
}

/**
 * Records the fields that a change has overwritten, without those of `fieldsKeptByTrigger`. Must run in the transaction of the change.
 * @returns whether anything was overwritten, those included
 */
export async function recordProductHistory(tx: Database, { toolId, userId, before, after }: ProductChange): Promise<boolean> {
  const text = (value: Value | undefined) => (value === undefined || value === null ? null : `${value}`)
  const changed = Object.keys(before)
    .map((field) => ({ toolId, userId, field, before: text(before[field]), after: text(after[field]) }))
    .filter(({ before, after }) => before !== after)
  const recorded = changed.filter(({ field }) => !fieldsKeptByTrigger.includes(field))
  if (recorded.length > 0) await tx.insert(productHistory).values(recorded)
  return changed.length > 0
}

/**
 * What was overwritten of a product, newest first: at most `maxProductHistoryListed` of its own fields and as many of its attributes, so that
 * a change of many attributes hides no price. Empty also where there is no such product.
 */
export function listProductHistory(db: Database, toolId: string): Promise<ProductHistoryEntry[]> {
  const newest = (kind: SQL) =>
    db
      .select({ id: productHistory._id })
      .from(productHistory)
      .where(and(eq(productHistory.toolId, toolId), kind))
      .orderBy(desc(productHistory._id))
      .limit(maxProductHistoryListed)
  return db
    .select({
      field: productHistory.field,
      before: productHistory.before,
      after: productHistory.after,
      at: productHistory.at,
      by: users.email,
      importId: productHistory.importId,
    })
    .from(productHistory)
    .leftJoin(users, eq(users.id, productHistory.userId))
    .where(inArray(productHistory._id, unionAll(newest(isAttributeChangeSql), newest(not(isAttributeChangeSql)))))
    .orderBy(desc(productHistory._id))
}

/** Deletes what is older than `keptDays`. Called every minute, so the oldest rows are enough. */
export async function deleteOldProductHistory(db: Database): Promise<void> {
  const oldest = db.select({ id: productHistory._id }).from(productHistory).orderBy(asc(productHistory._id)).limit(maxDeleted)
  await db
    .delete(productHistory)
    .where(and(inArray(productHistory._id, oldest), lt(productHistory.at, sql`now() - make_interval(days => ${keptDays})`)))
}
