import { sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { productChanges } from '#store/catalogue/table.ts'

type ChangeLogRow = { oldest: string; changedIn: string | null; toolId: string | null }

/**
 * Reads the changes of transactions from `since` on, and the oldest transaction still running at that time. Reading from that transaction
 * on next time misses nothing, but returns some rows again. Without changes it returns one row with a null `toolId`.
 */
async function readChangeLog(db: Database, since: string | 'infinite'): Promise<ChangeLogRow[]> {
  const condition = since === 'infinite' ? sql`false` : sql`${productChanges.changedIn} >= ${since}::xid8`
  const { rows } = await db.execute<ChangeLogRow>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, ${productChanges.changedIn}::text as "changedIn",
      ${productChanges.toolId}::text as "toolId"
    from (select) as now left join ${productChanges} on ${condition}`)
  return rows
}

/** From which transaction on the log holds everything that a read of the products, begun after this, may have missed. */
export async function findOldestTransaction(db: Database): Promise<string> {
  const [now] = await readChangeLog(db, 'infinite')
  return now?.oldest ?? '0'
}

/** Reads the change log of products from a position on, each change once. */
export class ChangeLogReader {
  readonly #db: Database
  /** All transactions before this id had ended when the log was last read. */
  #since = '0'
  /** log rows from `#since` on that are already applied */
  readonly #applied = new Set<string>()

  constructor(db: Database) {
    this.#db = db
  }

  startAt(since: string): void {
    this.#since = since
    this.#applied.clear()
  }

  /** The products with changes that are not applied yet. Without a call of `markAsApplied` the next read returns them again. */
  async read(): Promise<{ ids: string[]; markAsApplied: () => void }> {
    const log = await readChangeLog(this.#db, this.#since)
    const fresh = log.filter((row) => row.changedIn !== null && !this.#applied.has(keyOf(row)))
    return {
      ids: [...new Set(fresh.flatMap(({ toolId }) => toolId ?? []))],
      markAsApplied: () => {
        for (const row of fresh) this.#applied.add(keyOf(row))
        this.#forgetBefore(log[0]?.oldest ?? this.#since)
      },
    }
  }

  #forgetBefore(oldest: string): void {
    if (oldest === this.#since) return
    this.#since = oldest
    for (const key of this.#applied) if (BigInt(key.slice(0, key.indexOf(' '))) < BigInt(oldest)) this.#applied.delete(key)
  }
}

const keyOf = ({ changedIn, toolId }: ChangeLogRow) => `${changedIn} ${toolId}`
