import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { nextRetryAt, RetryItemLaterError } from '#platform/jobs.ts'
import type { DocumentData } from './document-data.ts'
import { issueDueDocument } from './issue-documents.ts'
import { type RenderedDocument, renderInWorker } from './render-in-worker.ts'
import { documentFiles, documents, retryDelays } from './table.ts'

/**
 * Issues the document that is due next or, where none is, renders the files of one that was issued.
 * @returns false when there is nothing to do
 * @throws {RetryItemLaterError} with the error that stopped it; it is tried again later
 */
export async function processDueDocument(db: Database, render = renderInWorker): Promise<boolean> {
  return (await issueDueDocument(db)) || renderDueFile(db, render)
}

const renderDueFile = (db: Database, render: Renderer): Promise<boolean> => renderFile(db, lockDueFile, render)

/**
 * Renders the files of one document, if they are not there, whether its next try is due or not.
 * @throws {RetryItemLaterError} with the error that stopped it; the job tries again
 */
export async function renderDocument(db: Database, documentId: string, render: Renderer = renderInWorker): Promise<void> {
  await renderFile(db, (tx) => lockFile(tx, documentId), render)
}

type Renderer = (data: DocumentData) => Promise<RenderedDocument>

async function renderFile(db: Database, lock: (tx: Database) => Promise<DueFile[]>, render: Renderer): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await lock(tx)
    if (!due) return { found: false }
    const [change, error] = await render(due.data).then(
      (rendered) => [rendered, undefined] as const,
      (error: unknown) => [{ tries: due.tries + 1, nextTryAt: nextRetryAt(documentFiles.tries, retryDelays) }, error] as const,
    )
    await tx.update(documentFiles).set(change).where(eq(documentFiles.documentId, due.documentId))
    return { found: true, error }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  return done.found
}

type DueFile = { documentId: string; tries: number; data: DocumentData }

const selectFile = (tx: Database) =>
  tx
    .select({ documentId: documentFiles.documentId, tries: documentFiles.tries, data: documents.data })
    .from(documentFiles)
    .innerJoin(documents, eq(documents._id, documentFiles.documentId))

/** The document, locked until the transaction ends, if it is still to be rendered once nobody else renders it. */
const lockFile = (tx: Database, documentId: string): Promise<DueFile[]> =>
  selectFile(tx)
    .where(and(eq(documentFiles.documentId, documentId), isNull(documentFiles.pdf)))
    .for('update', { of: documentFiles })

/** The document that is to be rendered next, locked until the transaction ends. */
const lockDueFile = (tx: Database): Promise<DueFile[]> =>
  selectFile(tx)
    .where(and(isNull(documentFiles.pdf), lte(documentFiles.nextTryAt, sql`now()`)))
    .orderBy(asc(documentFiles.nextTryAt))
    .limit(1)
    .for('update', { of: documentFiles, skipLocked: true })
