import type { Database } from '#platform/database.ts'
import { setDefinitions } from './current-definitions.ts'
import { findDefinitions, findNewestRevision } from './rules.ts'

/**
 * Reads the definitions of the database into this process, if they are others than it has read last.
 * @param onOther called when they were others, after they are in use
 */
export function createDefinitionsReader(db: Database, onOther: () => void): () => Promise<void> {
  let known: number | undefined
  return async () => {
    if ((await findNewestRevision(db)) === known) return
    const { revision, definitions } = await findDefinitions(db)
    setDefinitions(definitions)
    const isFirst = known === undefined
    known = revision
    if (!isFirst) onOther()
  }
}
