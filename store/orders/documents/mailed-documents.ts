import { and, asc, eq, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { EmailAttachment } from '#platform/mail.ts'
import { users } from '#store/identity/table.ts'
import type { OrderEvent } from '#store/orders/contract.ts'
import type { DueEmail } from '#store/orders/email-limits.ts'
import type { Shipment } from '#store/orders/shipments/contract.ts'
import { orderHistory, orders } from '#store/orders/table.ts'
import type { DocumentKind } from './contract.ts'
import { documentFiles, documents, dueDocuments, seller } from './table.ts'

/* Which invoices and credit notes go with which mail: each with the first mail to the buyer about its order that can have it. */

/** What documents are issued of, so that its mail waits for them. */
const eventsWithDocuments: OrderEvent[] = [
  'paid',
  'sent',
  'refunded',
  'partly refunded',
  'cancelled',
  'line cancelled',
  'invoice corrected',
]

/** After this, a mail goes without the document that is still being made, which goes with the next mail about the order, if there is one. */
const longestWaitMinutes = 5

/** An order on account has a document for each parcel and each credit: so many go with one mail, the others with the next. */
const maxAttachedDocuments = 10

/** So often a mail is tried with its documents, which takes a minute; after that it is tried without them. */
const maxTriesWithDocuments = 3

/**
 * Whether the mail of a row of `order_history`, `orders` and `users` waits: it may have documents, and one of its order is to be issued, or its PDF to
 * be rendered.
 */
export const isWaitingForDocuments: SQL = sql`(
  (coalesce(${users.emailVerified}, false) or ${orders.emailConfirmedAt} is not null)
  and ${inArray(orderHistory.event, eventsWithDocuments)}
  and ${orderHistory.at} > now() - make_interval(mins => ${sql.raw(`${longestWaitMinutes}`)})
  and exists (select from ${seller})
  and (
    exists (select from ${dueDocuments} where ${dueDocuments.orderId} = ${orderHistory.orderId})
    or exists (select from ${documents} join ${documentFiles} on ${documentFiles.documentId} = ${documents._id}
      where ${documents.orderId} = ${orderHistory.orderId} and ${documentFiles.pdf} is null)
  )
)`

export type MailedDocument = { _id: string; kind: DocumentKind; number: string; pdf: Uint8Array }

/**
 * Documents say name, address and whatever else was typed with an order, so they go to the buyer alone, at an address that is proven: others may be
 * somebody else's.
 */
const mayHaveDocuments = ({ line, order, verified, receiptEmail }: DueEmail): boolean =>
  line.mailTries < maxTriesWithDocuments &&
  line.event !== 'receipt to payer' &&
  (receiptEmail === null || receiptEmail === order.buyerEmail) &&
  (verified || order.emailConfirmedAt !== null)

/**
 * The documents of an order that no mail has had yet, with their PDF, the oldest first; of the mail about a parcel, of other parcels none. They are
 * locked until the transaction ends: no other process sends them.
 * @param shipment that the mail is about
 */
export async function findDocumentsToMail(tx: Database, due: DueEmail, shipment: Shipment | undefined): Promise<MailedDocument[]> {
  if (!mayHaveDocuments(due)) return []
  const found = await tx
    .select({ _id: documents._id, kind: documents.kind, number: documents.number, pdf: documentFiles.pdf })
    .from(documents)
    .innerJoin(documentFiles, eq(documentFiles.documentId, documents._id))
    .where(
      and(
        eq(documents.orderId, due.order._id),
        isNotNull(documentFiles.pdf),
        not(documentFiles.mailed),
        shipment && or(sql`${documents.shipmentId} is null`, eq(documents.shipmentId, shipment._id)),
      ),
    )
    .orderBy(asc(documents.issuedAt), asc(documents.number))
    .limit(maxAttachedDocuments)
    .for('update', { of: documentFiles, skipLocked: true })
  return found.flatMap(({ pdf, ...document }) => (pdf ? [{ ...document, pdf }] : []))
}

/** In the transaction of `findDocumentsToMail`, once the mail is sent. */
export async function markAsMailed(tx: Database, attached: MailedDocument[]): Promise<void> {
  if (attached.length === 0) return
  const ids = attached.map(({ _id }) => _id)
  await tx.update(documentFiles).set({ mailed: true }).where(inArray(documentFiles.documentId, ids))
}

export const attachmentOf = ({ number, pdf }: MailedDocument): EmailAttachment => ({
  filename: `${number}.pdf`,
  content: Buffer.from(pdf),
  contentType: 'application/pdf',
})

/** What a mail says of them: "Attached: invoice 2026-00001, credit note CN-2026-00001." */
export const attachedText = (attached: MailedDocument[]): string[] =>
  attached.length > 0 ? [`Attached: ${attached.map(({ kind, number }) => `${kind} ${number}`).join(', ')}.`] : []
