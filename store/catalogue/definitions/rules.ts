import { desc, eq, sql } from 'drizzle-orm'
import categories from '#content/categories.json' with { type: 'json' }
import questionWords from '#content/question-words.json' with { type: 'json' }
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { compareDefinitions } from './compare-definitions.ts'
import { Definitions, type DefinitionsFile, type DefinitionsReport } from './contract.ts'
import { setDefinitions } from './current-definitions.ts'
import { countMends } from './mend-products.ts'
import { catalogueDefinitions } from './table.ts'

/** What a new store begins with. */
export const originalDefinitions: Definitions = Definitions.parse({ categories, questionWords })

const selectNewest = (db: Database) => db.select().from(catalogueDefinitions).orderBy(desc(catalogueDefinitions.revision)).limit(1)

/**
 * The definitions that are in use, or those of an earlier revision, as a file that replaces those in use when it is sent back. Revision 0 is what
 * the store comes with, before its first start.
 */
export async function findDefinitions(db: Database, earlier?: number): Promise<DefinitionsFile> {
  const [newest] = await selectNewest(db)
  if (earlier === undefined)
    return newest
      ? { revision: newest.revision, definitions: Definitions.parse(newest.definitions) }
      : { revision: 0, definitions: originalDefinitions }
  const [found] = await db.select().from(catalogueDefinitions).where(eq(catalogueDefinitions.revision, earlier))
  if (!found || !newest) throw new HttpError(404, 'The catalogue had no such revision')
  return { revision: newest.revision, definitions: Definitions.parse(found.definitions) }
}

/** The revision in use, 0 before the first start. */
export async function findNewestRevision(db: Database): Promise<number> {
  const [newest] = await db
    .select({ revision: catalogueDefinitions.revision })
    .from(catalogueDefinitions)
    .orderBy(desc(catalogueDefinitions.revision))
    .limit(1)
  return newest?.revision ?? 0
}

/** Sets the definitions of this process to those of the database. */
export async function setDefinitionsFromDatabase(db: Database): Promise<void> {
  const { definitions } = await findDefinitions(db)
  setDefinitions(definitions)
}

/**
 * Writes the definitions that the store comes with into a new database, and into one where nobody has changed those of an earlier version of
 * the store. Once an admin has changed them they stay, whatever the store comes with. Products are not mended before the next import or change.
 */
export async function adoptOriginalDefinitions(db: Database): Promise<void> {
  await db.execute(sql`
    insert into catalogue_definitions (revision, definitions, is_original, mended_at)
    select coalesce(newest.revision, 0) + 1, original.definitions, true, now()
    from (select ${JSON.stringify(originalDefinitions)}::jsonb as definitions) as original
      left join (select * from catalogue_definitions order by revision desc limit 1) as newest on true
    where newest.revision is null or (newest.is_original and newest.definitions <> original.definitions)
    on conflict do nothing`) // another process that starts at the same time
}

/** What replacing the definitions in use by these would do. */
export async function previewDefinitions(db: Database, definitions: Definitions): Promise<DefinitionsReport> {
  const { revision, definitions: before } = await findDefinitions(db)
  return { revision, changes: await compareDefinitions(db, before, definitions), ...(await countMends(db, definitions)) }
}

/**
 * Replaces the definitions in use. `mendDueProducts` is due afterwards.
 * @param by null: by a command on the store's machine
 * @throws {HttpError} 409 if others have been in use since `revision`
 */
export async function replaceDefinitions(
  db: Database,
  { revision, definitions }: DefinitionsFile,
  by: string | null,
): Promise<DefinitionsReport> {
  const report = await previewDefinitions(db, definitions)
  if (report.revision !== revision) throw changedMeanwhile(report.revision)
  if (report.changes.length === 0) return report
  const row = { revision: revision + 1, definitions, isOriginal: false, userId: by }
  const written = await db.insert(catalogueDefinitions).values(row).onConflictDoNothing()
  if (written.rowCount === 0) throw changedMeanwhile(revision + 1)
  return { ...report, revision: revision + 1 }
}

const changedMeanwhile = (revision: number) =>
  new HttpError(409, `The definitions have been changed since: export revision ${revision}, and change that one`, undefined, {
    code: 'definitions_changed',
  })
