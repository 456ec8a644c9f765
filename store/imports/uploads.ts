import { and, asc, desc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { type Import, importLimits } from './contract.ts'
import { importColumns } from './rules.ts'
import { importFileChunks, imports } from './table.ts'

const chunkBytes = 256 * 1024
const maxUploadBytes = importLimits.uploadMegabytes * 1024 * 1024
const uploadTooLargeError = () =>
  new HttpError(400, `The file is larger than ${importLimits.uploadMegabytes} MB: pack it with gzip, or send it in parts`, undefined, {
    code: 'file_too_large',
  })

type UploadedFile = {
  name: string
  userId: string
  bytes: AsyncIterable<Uint8Array>
  /** announced size; without it, the maximum size is assumed */
  expectedBytes?: number
}

/**
 * Stores an upload in chunks as it arrives, to be checked.
 * @throws {HttpError} 400 if it is empty, too large, or interrupted; 429 if the limit of pending files is reached and none can be evicted
 */
export async function storeUpload(db: Database, file: UploadedFile): Promise<Import> {
  const created = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('files of imports', 0))`)
    const announcedBytes = file.expectedBytes || maxUploadBytes
    await evictOldestFiles(tx, { by: file.userId, bytes: announcedBytes })
    const row = { fileName: file.name || 'without a name', userId: file.userId, bytes: announcedBytes }
    const [added] = await tx.insert(imports).values(row).returning({ id: imports._id })
    return added
  })
  if (!created) throw new Error('The new import was not returned')
  try {
    const bytes = await storeChunks(db, created.id, file.bytes)
    if (bytes === 0) throw new HttpError(400, 'The file is empty', undefined, { code: 'file_empty' })
    const [stored] = await db.update(imports).set({ bytes, state: 'checking' }).where(eq(imports._id, created.id)).returning(importColumns)
    if (!stored) throw new Error('The new import was not returned')
    return stored
  } catch (error) {
    await db.delete(imports).where(eq(imports._id, created.id))
    throw error
  }
}

/**
 * Evicts checked files that wait for an admin, first those of the same user, then those of others, oldest first. Their users can upload
 * them again.
 */
async function evictOldestFiles(tx: Database, { by, bytes }: { by: string; bytes: number }): Promise<void> {
  const isUploading = and(eq(imports.state, 'uploading'), gt(imports.at, sql`now() - interval '10 minutes'`)) // older: left by a crash
  const pending = await tx
    .select({ id: imports._id, state: imports.state, bytes: imports.bytes })
    .from(imports)
    .where(or(isUploading, inArray(imports.state, ['checking', 'checked', 'importing'])))
    .orderBy(desc(eq(imports.userId, by)), asc(imports.at))
  const isFull = () =>
    pending.length >= importLimits.pendingFiles ||
    pending.reduce((sum, file) => sum + file.bytes, bytes) > importLimits.pendingMegabytes * 1024 * 1024
  while (isFull()) {
    const nth = pending.findIndex(({ state }) => state === 'checked')
    const [oldest] = nth < 0 ? [] : pending.splice(nth, 1)
    if (!oldest) throw new HttpError(429, tooManyPendingMessage, undefined, { retryAfterSeconds: 60 })
    const dropped = await tx
      .update(imports)
      .set({
        state: 'failed',
        trouble: 'Other files were sent since, and this one was dropped for them: send it again',
        report: null,
        endedAt: sql`now()`,
      })
      .where(and(eq(imports._id, oldest.id), eq(imports.state, 'checked')))
    if (!dropped.rowCount) {
      pending.push({ ...oldest, state: 'importing' }) // started meanwhile
      continue
    }
    await tx.delete(importFileChunks).where(eq(importFileChunks.importId, oldest.id)) // staged rows: see `deleteOldImports`
  }
}

const tooManyPendingMessage = `The store works on as many files as it takes at a time (${importLimits.pendingFiles}, or ${importLimits.pendingMegabytes} MB): wait until one is done, then send this one`

async function storeChunks(db: Database, importId: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let [total, nth, bufferedBytes] = [0, 0, 0]
  let bufferedChunks: Uint8Array[] = []
  const flush = async () => {
    if (bufferedBytes > 0) await db.insert(importFileChunks).values({ importId, nth: nth++, bytes: Buffer.concat(bufferedChunks) })
    bufferedChunks = []
    bufferedBytes = 0
  }
  for await (const chunk of withUploadErrors(bytes)) {
    total += chunk.length
    if (total > maxUploadBytes) throw uploadTooLargeError()
    bufferedChunks.push(chunk)
    bufferedBytes += chunk.length
    if (bufferedBytes >= chunkBytes) await flush()
  }
  await flush()
  return total
}

/** Maps stream errors to a 400: the client interrupted the upload. */
async function* withUploadErrors(bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes
  } catch {
    throw new HttpError(400, 'The file could not be uploaded: try again', undefined, { code: 'upload_interrupted' })
  }
}

/** @throws {HttpError} 400 if the announced length is too large, before anything is read */
export function assertUploadSize(announcedBytes: number): void {
  if (announcedBytes > maxUploadBytes) throw uploadTooLargeError()
}

/** The stored file, chunk by chunk. */
export async function* readUpload(db: Database, importId: string): AsyncGenerator<Buffer> {
  for (let after = -1; ; after++) {
    const [chunk] = await db
      .select({ bytes: importFileChunks.bytes })
      .from(importFileChunks)
      .where(and(eq(importFileChunks.importId, importId), gt(importFileChunks.nth, after)))
      .orderBy(asc(importFileChunks.nth))
      .limit(1)
    if (!chunk) return
    yield chunk.bytes
  }
}
