import { eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import type { User } from '#store/identity/contract.ts'
import { recordOwnerNotices } from '#store/identity/owner-notices.ts'
import { compareDefinitions } from './compare-definitions.ts'
import { Definitions, type DefinitionsFile, type DefinitionsReport, StoredDefinitions } from './contract.ts'
import { setDefinitions } from './current-definitions.ts'
import { countMends } from './mend-products.ts'
import { findNewestRevision, originalDefinitions, readDefinitionsInUse, unreadableRevisionMessage } from './stored-definitions.ts'
import { catalogueDefinitions } from './table.ts'

/**
 * The definitions that are in use, or those of an earlier revision, as a file that replaces those in use when it is sent back. Revision 0 is what
 * the store comes with, before its first start.
 * @throws {HttpError} 404 there is no such revision, 409 this version of the store cannot read it
 */
export async function findDefinitions(db: Database, earlier?: number): Promise<DefinitionsFile> {
  if (earlier === undefined) {
    const { revision, definitions } = await readDefinitionsInUse(db)
    return { revision, definitions }
  }
  const [found] = await db.select().from(catalogueDefinitions).where(eq(catalogueDefinitions.revision, earlier))
  if (!found) throw new HttpError(404, 'The catalogue had no such revision')
  const { success, data } = StoredDefinitions.safeParse(found.definitions)
  if (!success) throw new HttpError(409, `Revision ${earlier} is not valid for this version of the store`)
  return { revision: await findNewestRevision(db), definitions: data }
}

/**
 * Sets the definitions of this process to those of the database.
 * @param warn is told if earlier ones than the newest are used, since those cannot be read
 */
export async function setDefinitionsFromDatabase(db: Database, warn: (line: string) => void): Promise<void> {
  const { revision, definitions, fallback } = await readDefinitionsInUse(db)
  if (fallback) warn(unreadableRevisionMessage(revision, fallback.revision))
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
  const { revision, definitions: before } = await readDefinitionsInUse(db)
  return { revision, changes: await compareDefinitions(db, before, definitions), ...(await countMends(db, definitions)) }
}

/**
 * Replaces the definitions in use, or the newest that cannot be read, and tells the owners. `mendDueProducts` is due afterwards.
 * @param by null: by a command on the store's machine
 * @throws {HttpError} 400 if they could not be read again, 409 if others have been in use since `revision`
 */
export async function replaceDefinitions(
  db: Database,
  { revision, definitions }: DefinitionsFile,
  by: Pick<User, 'id' | 'email'> | null,
): Promise<DefinitionsReport> {
  assertReadable(definitions)
  const report = await previewDefinitions(db, definitions)
  if (report.revision !== revision) throw changedMeanwhile(report.revision)
  if (report.changes.length === 0 && !(await readDefinitionsInUse(db)).fallback) return report
  await db.transaction(async (tx) => {
    // Products that are being mended by the definitions before: see mendDueProducts.
    await tx.select({ revision: catalogueDefinitions.revision }).from(catalogueDefinitions).where(isRevision(revision)).for('update')
    const row = { revision: revision + 1, definitions, isOriginal: false, userId: by?.id ?? null }
    const written = await tx.insert(catalogueDefinitions).values(row).onConflictDoNothing()
    if (written.rowCount === 0) throw changedMeanwhile(revision + 1)
    const [changes, mended] = [report.changes.length, report.mendedProducts]
    const detail = `${changes} definition${changes === 1 ? ' was' : 's were'} changed, and ${mended} product${mended === 1 ? ' is' : 's are'} spelled otherwise now`
    const about = by?.email ?? "a command on the store's machine"
    await recordOwnerNotices(tx, { event: 'definitions changed', about, by: by?.email, detail })
  })
  return { ...report, revision: revision + 1 }
}

const isRevision = (revision: number) => eq(catalogueDefinitions.revision, revision)

/** What is written is read at each start, so a schema that changes what it accepts must accept the result, too. */
function assertReadable(definitions: Definitions): void {
  const { error } = Definitions.safeParse(JSON.parse(JSON.stringify(definitions)))
  const [issue] = error?.issues ?? []
  if (issue) throw new HttpError(400, `The store could not read these definitions again: ${issue.path.join('.')}: ${issue.message}`)
}

const changedMeanwhile = (revision: number) =>
  new HttpError(409, `The definitions have been changed since: export revision ${revision}, and change that one`, undefined, {
    code: 'definitions_changed',
  })
