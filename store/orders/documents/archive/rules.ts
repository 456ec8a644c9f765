import { Readable } from 'node:stream'
import { and, asc, eq, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { ZipFile } from 'yazl'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { renderDocument } from '#store/orders/documents/render-documents.ts'
import { monthOf } from '#store/orders/documents/supply.ts'
import { documentFiles, documents } from '#store/orders/documents/table.ts'
import type { DocumentMonth } from './contract.ts'
import { type ArchivedDocument, documentsCsv, findRates } from './documents-csv.ts'

/** The months in which documents were issued, the newest first. Each is one look into the index, whatever number of documents it has. */
async function findMonths(db: Database): Promise<string[]> {
  const newest = (where: SQL) => sql`(select date_trunc('month', ${documents.issuedOn}::timestamp)::date from ${documents} ${where}
    order by ${documents.issuedOn} desc limit 1)`
  const { rows } = await db.execute<{ month: string }>(sql`
    with recursive months (month) as (
      select ${newest(sql``)}
      union all
      select ${newest(sql`where ${documents.issuedOn} < months.month`)} from months where month is not null
    )
    select to_char(month, 'YYYY-MM') as month from months where month is not null order by 1 desc`)
  return rows.map(({ month }) => month)
}

/**
 * What was issued in each month, the newest first.
 * @param counted of how many months the documents are counted
 */
export async function listMonths(db: Database, counted = 36): Promise<DocumentMonth[]> {
  const months = await findMonths(db)
  const oldest = months.slice(0, counted).at(-1)
  if (oldest === undefined) return []
  const month = sql<string>`to_char(${documents.issuedOn}, 'YYYY-MM')`
  const ofKind = (kind: 'invoice' | 'credit note') => sql<number>`count(*) filter (where ${documents.kind} = ${kind})::integer`
  const [issued, waiting] = await Promise.all([
    db
      .select({ month, invoices: ofKind('invoice'), creditNotes: ofKind('credit note') })
      .from(documents)
      .where(gte(documents.issuedOn, `${oldest}-01`))
      .groupBy(sql`1`),
    db
      .select({ month, withoutFiles: sql<number>`count(*)::integer` })
      .from(documentFiles)
      .innerJoin(documents, eq(documents._id, documentFiles.documentId))
      .where(isNull(documentFiles.pdf))
      .groupBy(sql`1`),
  ])
  return months.map((month) => {
    const { invoices = null, creditNotes = null } = issued.find((each) => each.month === month) ?? {}
    return { month, invoices, creditNotes, withoutFiles: waiting.find((each) => each.month === month)?.withoutFiles ?? 0 }
  })
}

const isOfMonth = (month: string): SQL => {
  const { from, to } = monthOf(`${month}-01`)
  return sql`${documents.issuedOn} between ${from} and ${to}`
}

/** How long files that are still to be made are waited for: the job goes on making them. */
const maxRenderMs = 20_000

type Archive = { zip: Readable; withoutFiles: number }

/**
 * The documents of a month as a ZIP, which is made while it is read: it holds one file in memory at a time.
 * @param month such as 2026-11 @returns withoutFiles: how many documents have no PDF in it
 * @throws {HttpError} 404 none was issued then
 */
export async function openArchive(db: Database, month: string): Promise<Archive> {
  const which = isOfMonth(month)
  await renderMissing(db, which)
  const archived = await db
    .select({
      _id: documents._id,
      number: documents.number,
      issuedAt: documents.issuedAt,
      hasPdf: sql<boolean>`${documentFiles.pdf} is not null`,
      hasXml: sql<boolean>`${documentFiles.xml} is not null`,
    })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .where(which)
    .orderBy(asc(documents.issuedOn), asc(documents.number))
  if (archived.length === 0) throw new HttpError(404, `No invoice and no credit note was issued in ${month}`)
  return {
    zip: zipOf(db, archived, { month, ratesPpm: await findRates(db, which) }),
    withoutFiles: archived.filter(({ hasPdf }) => !hasPdf).length,
  }
}

async function renderMissing(db: Database, which: SQL): Promise<void> {
  const missing = await db
    .select({ _id: documents._id })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .where(and(which, isNull(documentFiles.pdf)))
    .orderBy(asc(documents.issuedOn), asc(documents.number))
  const end = Date.now() + maxRenderMs
  for (const { _id } of missing) {
    if (Date.now() > end) return
    await renderDocument(db, _id).catch(() => {}) // the job tries again, and the archive says that it is missing
  }
}

function zipOf(db: Database, archived: ArchivedDocument[], { month, ratesPpm }: { month: string; ratesPpm: number[] }): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addReadStreamLazy(`${month}/documents.csv`, {}, (give) => give(null, Readable.from(documentsCsv(db, archived, ratesPpm))))
  for (const { _id, number, issuedAt, hasPdf, hasXml } of archived) {
    const add = (suffix: 'pdf' | 'xml') =>
      zip.addReadStreamLazy(`${month}/${number}.${suffix}`, { mtime: new Date(issuedAt) }, (give) =>
        readFile(db, _id, suffix).then(
          (content) => give(null, Readable.from([content])),
          (error) => give(error, Readable.from([])),
        ),
      )
    if (hasPdf) add('pdf')
    if (hasXml) add('xml')
  }
  zip.end()
  return output
}

async function readFile(db: Database, documentId: string, suffix: 'pdf' | 'xml'): Promise<Uint8Array> {
  const [file] = await db.select({ content: documentFiles[suffix] }).from(documentFiles).where(eq(documentFiles.documentId, documentId))
  if (!file?.content) throw new Error(`The ${suffix} of the document ${documentId} has gone`)
  return Buffer.from(file.content as string)
}
