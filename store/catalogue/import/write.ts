import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { StockChoice } from '../contract.ts'
import { importedFiles } from '../table.ts'
import { FileFault } from './fault.ts'
import { differs, meant, movesStock, shortPieces } from './staging.ts'

/** `shortPieces` could not be taken off a stock, as so many were sold meanwhile. */
type Written = { created: number; updated: number; shortPieces: number }

/** Rows of one statement: each is over well before a statement is broken off, however long the file is. */
const sliceRows = 10_000
const lock = 727_003
const triesAtMost = 3

/**
 * Brings the staged rows of an import into the catalogue, in one transaction: all of them or nothing. They are compared anew with what is in
 * the catalogue by now, and only what differs is touched. New products come first and changes last, so that orders wait for changed
 * products as briefly as can be.
 * @param by the admin's id; null for the owner at the machine
 * @param stock what becomes of the stock of a product that is there, where the file does not say which stock it saw
 * @param hash of the file
 * @param again the stock moves by the file's differences although they are in already
 * @param finish what has to become true in the same transaction
 * @throws {FileFault} the file's changes of stock are in already, and nobody has said `again`
 */
export async function write(
  db: Database,
  importId: string,
  {
    by,
    stock,
    hash,
    again,
    finish = async () => {},
  }: {
    by: string | null
    stock: StockChoice
    hash: string
    again: boolean
    finish?: (tx: Database, written: Written) => Promise<void>
  },
): Promise<Written> {
  for (let tries = 1; ; tries++)
    try {
      return await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${lock})`) // one import after the other
        await tx.execute(sql`set local work_mem = '64MB'`) // what does not fit goes through files, while orders wait
        await remember(tx, importId, { hash, again })
        const written = { created: 0, updated: 0, shortPieces: 0 }
        for (const slice of await slices(tx, importId)) written.created += await create(tx, slice, by)
        for (const slice of await slices(tx, importId)) {
          const { updated, short } = await update(tx, slice, { by, stock })
          written.updated += updated
          written.shortPieces += short
        }
        await finish(tx, written)
        return written
      })
    } catch (error) {
      if (tries === triesAtMost || !isPassing(error)) throw error
    }
}

/** When the changes of stock of this file were imported; undefined: they were not. */
export async function stockMovedAt(db: Database, hash: string): Promise<Date | undefined> {
  const [found] = await db.select({ at: importedFiles.at }).from(importedFiles).where(eq(importedFiles.hash, hash))
  return found?.at
}

export const movedBefore = (at: Date): string =>
  `This file was imported on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 16)} UTC: its changes of stock are in already. Export anew, or say that they are to be made again`

/** Keeps that the file's changes of stock are in. Under the lock, so of two uploads of one file the second is refused, however close they are. */
async function remember(tx: Database, importId: string, { hash, again }: { hash: string; again: boolean }): Promise<void> {
  const { rows } = await tx.execute<{ says: boolean; moves: boolean }>(sql`
    select coalesce(bool_or(s.available_quantity_seen <> s.available_quantity), false) as says, coalesce(bool_or(${movesStock}), false) as moves
    from import_rows s left join tools t using (sku) where s.import_id = ${importId}`)
  const [file] = rows
  const before = file?.moves && !again ? await stockMovedAt(tx, hash) : undefined
  if (before) throw new FileFault(movedBefore(before))
  if (!file?.says) return
  const now = sql`now()`
  await tx
    .insert(importedFiles)
    .values({ hash, at: now })
    .onConflictDoUpdate({ target: importedFiles.hash, set: { at: now } })
}

/** Somebody else held what this needed, the other way round (40P01), or has just taken one of its numbers (23505). */
function isPassing(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof Error && 'code' in cause && (cause.code === '40P01' || cause.code === '23505')
}

async function slices(tx: Database, importId: string): Promise<SQL[]> {
  const { rows } = await tx.execute<{ last: number }>(
    sql`select coalesce(max(row), 0)::int as last from import_rows where import_id = ${importId}`,
  )
  const last = rows[0]?.last ?? 0
  return Array.from(
    { length: Math.ceil(last / sliceRows) },
    (_, nth) => sql`s.import_id = ${importId} and s.row > ${nth * sliceRows} and s.row <= ${(nth + 1) * sliceRows}`,
  )
}

const fieldsWith = (stock: StockChoice) => Object.entries(meant(stock)).map(([name, value]) => ({ column: sql.identifier(name), value }))
const list = (parts: SQL[]) => sql.join(parts, sql`, `)

async function create(tx: Database, slice: SQL, by: string | null): Promise<number> {
  const fields = fieldsWith('set') // there is no stock yet that could be kept
  const { rows } = await tx.execute<{ many: number }>(sql`
    with created as (
      insert into tools (id, sku, ${list(fields.map(({ column }) => sql`${column}`))})
      select gen_random_uuid(), s.sku, ${list(fields.map(({ value }) => value))}
      from import_rows s left join tools t using (sku) where ${slice} and t.id is null order by s.row
      returning id, available_quantity
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, user_id)
      select id, available_quantity, 'initial', ${by}::text from created where available_quantity <> 0
    )
    select count(*)::int as many from created`)
  return rows[0]?.many ?? 0
}

async function update(tx: Database, slice: SQL, { by, stock }: { by: string | null; stock: StockChoice }) {
  const fields = fieldsWith(stock)
  // What is read under the lock is what an order has left of the stock, so the ledger gets the true difference.
  const { rows } = await tx.execute<{ updated: number; short: number }>(sql`
    with changing as materialized (
      select t.id, t.available_quantity as before, ${differs(stock)} as differs, ${shortPieces} as short, ${list(fields.map(({ column, value }) => sql`${value} as ${column}`))}
      from import_rows s join tools t using (sku) where ${slice} and (${differs(stock)} or ${shortPieces} > 0)
      order by t.id for no key update of t
    ), changed as (
      update tools set ${list(fields.map(({ column }) => sql`${column} = changing.${column}`))}, removed_at = null
      from changing where tools.id = changing.id and changing.differs
      returning tools.id, tools.available_quantity, changing.before
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, user_id)
      select id, available_quantity - before, 'correction', ${by}::text from changed where available_quantity <> before
    )
    select (select count(*)::int from changed) as updated, (select coalesce(sum(short), 0)::int from changing) as short`)
  return rows[0] ?? { updated: 0, short: 0 }
}
