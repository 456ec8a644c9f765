import { desc, lt } from 'drizzle-orm'
import categories from '#content/categories.json' with { type: 'json' }
import questionWords from '#content/question-words.json' with { type: 'json' }
import type { Database } from '#platform/database.ts'
import { Definitions, StoredDefinitions } from './contract.ts'
import { catalogueDefinitions } from './table.ts'

/** What a new store begins with. */
export const originalDefinitions: Definitions = Definitions.parse({ categories, questionWords })

type DefinitionsInUse = {
  /** the newest revision, which a change replaces; 0 before the first start */
  revision: number
  definitions: Definitions
  /** id of the user who wrote what is in use */
  userId: string | null
  /** the newest revision cannot be read, and this earlier one is in use; 0: what the store comes with */
  fallback?: { revision: number; error: Error }
}

/** The newest revision, 0 before the first start. */
export async function findNewestRevision(db: Database): Promise<number> {
  const [newest] = await db
    .select({ revision: catalogueDefinitions.revision })
    .from(catalogueDefinitions)
    .orderBy(desc(catalogueDefinitions.revision))
    .limit(1)
  return newest?.revision ?? 0
}

/**
 * The newest definitions that this version of the store can read. A row may have been written by another version that accepted more: the store
 * has to start all the same.
 */
export async function readDefinitionsInUse(db: Database): Promise<DefinitionsInUse> {
  const newest = await findNewestRevision(db)
  let error: Error | undefined
  for (let below = newest + 1; ; ) {
    const [row] = await db
      .select()
      .from(catalogueDefinitions)
      .where(lt(catalogueDefinitions.revision, below))
      .orderBy(desc(catalogueDefinitions.revision))
      .limit(1)
    const inUse = { revision: newest, userId: row?.userId ?? null, ...(error && { fallback: { revision: row?.revision ?? 0, error } }) }
    if (!row) return { ...inUse, definitions: originalDefinitions }
    const read = StoredDefinitions.safeParse(row.definitions)
    if (read.success) return { ...inUse, definitions: read.data }
    error ??= read.error
    below = row.revision
  }
}

/** What to tell whoever runs the store about a newest revision that cannot be read. */
export const unreadableRevisionMessage = (revision: number, fallback: number): string =>
  `THE DEFINITIONS OF THE CATALOGUE CANNOT BE READ: those of revision ${revision} are not valid for this version of the store, so ${
    fallback === 0 ? 'those that the store comes with are' : `revision ${fallback} is`
  } in use instead. Import valid ones: npm run definitions -- export FILE, then import FILE`
