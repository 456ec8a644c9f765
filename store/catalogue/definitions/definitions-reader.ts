import type { Database } from '#platform/database.ts'
import { setDefinitions } from './current-definitions.ts'
import { findNewestRevision, readDefinitionsInUse, unreadableRevisionMessage } from './stored-definitions.ts'

type ReaderEvents = {
  /** they were others than before, and are in use now */
  onOther: () => void
  /** the newest cannot be read, and earlier ones are in use */
  onUnreadable: (message: string, error: Error) => void
}

/** Reads the definitions of the database into this process, if they are others than it has read last. */
export function createDefinitionsReader(db: Database, { onOther, onUnreadable }: ReaderEvents): () => Promise<void> {
  let known: number | undefined
  return async () => {
    if ((await findNewestRevision(db)) === known) return
    const { revision, definitions, fallback } = await readDefinitionsInUse(db)
    if (fallback) onUnreadable(unreadableRevisionMessage(revision, fallback.revision), fallback.error)
    setDefinitions(definitions)
    const isFirst = known === undefined
    known = revision
    if (!isFirst) onOther()
  }
}
