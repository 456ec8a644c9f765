import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { EmailAttachment } from '#platform/mail.ts'
import { orderHistory } from '#store/orders/table.ts'
import type { DocumentKind } from './contract.ts'
import { documentFiles, documents, dueDocuments, seller } from './table.ts'

/** After this, a mail about an order goes without the document that is still being made: it stands on the order's page later. */
const longestWaitMinutes = 5

/** An order on account has a document for each parcel and each credit: so many go with one mail. */
const maxAttachedDocuments = 10

/** Whether the mail of a row of `order_history` waits: a document of its order is to be issued, or its PDF to be rendered. */
export const isWaitingForDocuments: SQL = sql`(
  ${orderHistory.at} > now() - make_interval(mins => ${sql.raw(`${longestWaitMinutes}`)})
  and exists (select from ${seller})
  and (
    exists (select from ${dueDocuments} where ${dueDocuments.orderId} = ${orderHistory.orderId})
    or exists (select from ${documents} join ${documentFiles} on ${documentFiles.documentId} = ${documents._id}
      where ${documents.orderId} = ${orderHistory.orderId} and ${documentFiles.pdf} is null)
  )
)`

export type MailedDocument = { kind: DocumentKind; number: string; pdf: Uint8Array }

/**
 * The documents of an order that go with its next mail to the buyer: those that were issued after the last one was sent, with their PDF, the oldest
 * first.
 */
export async function findDocumentsToMail(db: Database, orderId: string): Promise<MailedDocument[]> {
  const lastMail = sql`coalesce((select max(${orderHistory.mailedAt}) from ${orderHistory}
    where ${orderHistory.orderId} = ${orderId} and ${orderHistory.event} <> 'receipt to payer'), '-infinity')`
  const found = await db
    .select({ kind: documents.kind, number: documents.number, pdf: documentFiles.pdf })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .where(and(eq(documents.orderId, orderId), isNotNull(documentFiles.pdf), gt(documents.issuedAt, lastMail)))
    .orderBy(asc(documents.issuedAt), asc(documents.number))
    .limit(maxAttachedDocuments)
  return found.flatMap(({ pdf, ...document }) => (pdf ? [{ ...document, pdf }] : []))
}

export const attachmentOf = ({ number, pdf }: MailedDocument): EmailAttachment => ({
  filename: `${number}.pdf`,
  content: Buffer.from(pdf),
  contentType: 'application/pdf',
})

/** What a mail says of them: "Attached: invoice 2026-1, credit note 2026-G1." */
export const attachedText = (attached: MailedDocument[]): string[] =>
  attached.length > 0 ? [`Attached: ${attached.map(({ kind, number }) => `${kind} ${number}`).join(', ')}.`] : []
