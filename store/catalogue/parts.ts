import { and, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Part } from './contract.ts'
import { asPart, forSale } from './rules.ts'
import { tools } from './table.ts'

/** Statements are prepared once for each database: building one anew costs more than twice what the database needs for its answer. */
const prepared = new WeakMap<Database, ReturnType<typeof prepare>>()

const prepare = (db: Database) => ({
  byIds: db
    .select(asPart)
    .from(tools)
    .where(and(sql`${tools._id} = any(${sql.placeholder('ids')})`, forSale))
    .prepare('parts_by_ids'),
})

function statements(db: Database) {
  const known = prepared.get(db) ?? prepare(db)
  prepared.set(db, known)
  return known
}

/** Parts in the order of their ids. One that has left the catalogue is left out. */
export async function partsByIds(db: Database, ids: string[]): Promise<Part[]> {
  const found = new Map((await statements(db).byIds.execute({ ids })).map((part) => [part._id, part]))
  return ids.flatMap((id) => found.get(id) ?? [])
}
