import { and, asc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { orders } from '#store/orders/table.ts'
import type { OrderDocument } from './contract.ts'
import { documentFiles, documents } from './table.ts'

const corrected = alias(documents, 'corrected')

/**
 * The documents of an order, the oldest first, for its buyer or an admin.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function listDocuments(db: Database, viewer: Viewer, id: string): Promise<OrderDocument[]> {
  const orderId = await findVisibleOrder(db, viewer, id)
  const rows = await db
    .select({
      _id: documents._id,
      kind: documents.kind,
      number: documents.number,
      issuedOn: documents.issuedOn,
      dueOn: sql<string | null>`${documents.data} -> 'onAccount' ->> 'dueOn'`,
      corrects: corrected.number,
      isCorrected: sql<boolean>`exists (select from ${documents} as later
        where later.corrects = ${documents._id} and later.refund_id is null)`,
      isReplacement: sql<boolean>`${documents.kind} = 'invoice' and ${documents.corrects} is not null and ${documents.refundId} is null`,
      currency: documents.currency,
      netCents: documents.netCents,
      taxCents: documents.taxCents,
      totalCents: documents.totalCents,
      hasPdf: sql<boolean>`${documentFiles.pdf} is not null`,
      hasXml: sql<boolean>`${documentFiles.xml} is not null`,
    })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .leftJoin(corrected, eq(corrected._id, documents.corrects))
    .where(eq(documents.orderId, orderId))
    .orderBy(asc(documents.issuedAt), asc(documents.number))
  const addressOf = (_id: string, suffix: string) => `/api/orders/${orderId}/documents/${_id}/${suffix}`
  return rows.map(({ hasPdf, hasXml, ...document }) => ({
    ...document,
    pdf: hasPdf ? addressOf(document._id, 'pdf') : null,
    xml: hasXml ? addressOf(document._id, 'xml') : null,
  }))
}

async function findVisibleOrder(db: Database, viewer: Viewer, id: string): Promise<string> {
  const orderId = await findOrderIdOfLine(db, id)
  if ((await db.$count(orders, and(eq(orders._id, orderId), isVisibleSql(viewer)))) === 0) throw orderNotFoundError()
  return orderId
}

type DocumentFile = { number: string; pdf: Uint8Array | null; xml: string | null }

/**
 * The files of a document of an order, for its buyer or an admin.
 * @throws {HttpError} 404 for everybody else, and where the order has no such document
 */
export async function findDocumentFile(
  db: Database,
  viewer: Viewer,
  { id, document }: { id: string; document: string },
): Promise<DocumentFile> {
  const orderId = await findVisibleOrder(db, viewer, id)
  const [file] = await db
    .select({ number: documents.number, pdf: documentFiles.pdf, xml: documentFiles.xml })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .where(and(eq(documents._id, document), eq(documents.orderId, orderId)))
  if (!file) throw new HttpError(404, 'There is no such document')
  return file
}
