import { and, asc, eq, lte, notExists, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { nextRetryAt, RetryItemLaterError } from '#platform/jobs.ts'
import { shopDay } from '#shared/shop-day.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { payments, refundLines, refunds } from '#store/orders/table.ts'
import type { DocumentKind, Seller } from './contract.ts'
import { creditNoteAmounts, type DocumentData, invoiceAmounts } from './document-data.ts'
import { issueOnAccount } from './on-account-documents.ts'
import { findSeller } from './seller.ts'
import { documentFiles, documentSeries, documents, dueDocuments } from './table.ts'

export type DueDocument = typeof dueDocuments.$inferSelect
export type IssuedDocument = typeof documents.$inferSelect
/** What a document says but its number and day. */
export type DocumentContent = Omit<DocumentData, 'number' | 'issuedOn'>

const retryDelays = { initialDelaySeconds: 5, maxDelaySeconds: 3600 }

/**
 * Issues the document that has been due longest: the invoice of an order that is paid, the credit note of a refund that has succeeded, or the
 * invoice that takes a credit note back whose refund has failed after all; of an order on account the invoice of a parcel that was sent. It has the next number of its kind and year.
 * @returns false when none is due, or nobody has said who sells
 * @throws {RetryItemLaterError} with the error that stopped it; it is tried again later
 */
export async function issueDueDocument(db: Database): Promise<boolean> {
  const seller = await findSeller(db)
  if (!seller) return false
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(dueDocuments)
      .where(lte(dueDocuments.nextTryAt, sql`now()`))
      .orderBy(asc(dueDocuments.nextTryAt), asc(dueDocuments._id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return { found: false }
    try {
      await tx.transaction((within) => issueDocument(within, due, seller))
      await tx.delete(dueDocuments).where(eq(dueDocuments._id, due._id))
      return { found: true }
    } catch (error) {
      const later = { tries: due.tries + 1, nextTryAt: nextRetryAt(dueDocuments.tries, retryDelays) }
      await tx.update(dueDocuments).set(later).where(eq(dueDocuments._id, due._id))
      return { found: true, error }
    }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  return done.found
}

async function issueDocument(tx: Database, due: DueDocument, seller: Seller): Promise<void> {
  const order = await lockOrder(tx, due.orderId) // one document of an order at a time: a credit note counts those before it
  const issued = await tx.select().from(documents).where(eq(documents.orderId, order._id)).orderBy(asc(documents.issuedAt))
  if (order.paymentMethod === 'on_account') return issueOnAccount(tx, due, order, { issued, seller })
  const invoice = issued.find(({ kind, refundId }) => kind === 'invoice' && refundId === null)
  if (due.event === 'paid') {
    if (!invoice && !(await wasPaidBeforeDocuments(tx, order))) await issueInvoice(tx, order, seller)
    return
  }
  if (!invoice) {
    if (await isInvoiceDue(tx, order)) throw new Error(`The invoice of order ${order.number} is still to be issued`)
    return // paid before there were invoices
  }
  if (due.refundId === null) throw new Error(`The document ${due._id} is due for no refund`)
  if (due.event === 'refunded') await issueCreditNote(tx, order, { invoice, issued, refundId: due.refundId })
  else await takeCreditNoteBack(tx, order, { issued, refundId: due.refundId })
}

const isInvoiceDue = async (tx: Database, order: OrderRow): Promise<boolean> =>
  (await tx.$count(dueDocuments, and(eq(dueDocuments.orderId, order._id), eq(dueDocuments.event, 'paid')))) > 0

/** An order of which money has gone back without a credit note that could follow: an invoice would be for money that the shop has not kept. */
const wasPaidBeforeDocuments = async (tx: Database, order: OrderRow): Promise<boolean> =>
  (await tx.$count(
    refunds,
    and(
      eq(refunds.orderId, order._id),
      eq(refunds.state, 'succeeded'),
      notExists(tx.select({ _id: dueDocuments._id }).from(dueDocuments).where(eq(dueDocuments.refundId, refunds._id))),
    ),
  )) > 0

async function issueInvoice(tx: Database, order: OrderRow, seller: Seller): Promise<void> {
  const [payment] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)) : []
  if (payment?.state !== 'succeeded' || !payment.settledAt) return // what came late has gone back before
  const content = await describeInvoice(tx, order, seller)
  const paid = { card: payment.card, paidOn: shopDay(payment.settledAt) }
  await insertDocument(tx, order, { refundId: null, corrects: null, shipmentId: null }, { ...content, payment: paid })
}

/** What the invoice of all of an order says, whoever pays it when. */
export async function describeInvoice(tx: Database, order: OrderRow, seller: Seller): Promise<Omit<DocumentContent, 'payment'>> {
  const [details, lines] = [await findDetailsOfOrder(tx, order._id), await findOrderLines(tx, order._id)]
  const { kind = 'none', sentence = null, pricesIncludeTax = false } = order.taxTerms ?? {}
  return {
    kind: 'invoice',
    corrects: null,
    order: { number: order.number, placedOn: shopDay(new Date(order.placedAt)) },
    currency: order.currency,
    seller,
    buyer: {
      name: details?.name ?? order.buyerName,
      company: details?.company ?? null,
      vatId: details?.vatId ?? null,
      address: details ? (details.billTo ?? details.deliverTo) : null,
      addressText: details ? null : order.buyerAddress,
    },
    deliverTo: details && { name: details.name, address: details.deliverTo },
    delivery: details?.deliveryMethod ? { earliest: details.deliveryMethod.earliest, latest: details.deliveryMethod.latest } : null,
    poNumber: details?.poNumber ?? null,
    buyerReference: details?.buyerReference ?? null,
    tax: { kind, sentence, pricesIncludeTax },
    ...invoiceAmounts(order, lines, details?.partNumbers ?? []),
  }
}

type OfRefund = { issued: IssuedDocument[]; refundId: string }
const noteOf = ({ issued, refundId }: OfRefund) => issued.find((each) => each.kind === 'credit note' && each.refundId === refundId)
const isTakenBack = (issued: IssuedDocument[], { refundId }: IssuedDocument) =>
  refundId !== null && issued.some((each) => each.kind === 'invoice' && each.refundId === refundId)

async function issueCreditNote(tx: Database, order: OrderRow, { invoice, ...of }: OfRefund & { invoice: IssuedDocument }): Promise<void> {
  const [refund] = await tx.select().from(refunds).where(eq(refunds._id, of.refundId))
  if (refund?.state !== 'succeeded' || refund.paymentId !== order.paymentId) return // of a payment that came twice, which no invoice is for
  if (noteOf(of)) return
  const refunded = await tx.select().from(refundLines).where(eq(refundLines.refundId, refund._id)).orderBy(asc(refundLines._id))
  const earlier = of.issued.filter((each) => each.kind === 'credit note' && !isTakenBack(of.issued, each)).map(({ data }) => data)
  await insertDocument(
    tx,
    order,
    { refundId: refund._id, corrects: invoice._id, shipmentId: null },
    {
      ...invoice.data,
      kind: 'credit note',
      corrects: referenceTo(invoice),
      ...creditNoteAmounts(invoice.data, earlier, refunded),
      payment: { card: invoice.data.payment.card, paidOn: shopDay(new Date()) },
    },
  )
}

/** The money of a credit note has come back, as the buyer's bank has refused it: an invoice asks for the same once more, and is paid. */
async function takeCreditNoteBack(tx: Database, order: OrderRow, of: OfRefund): Promise<void> {
  const note = noteOf(of)
  if (!note || isTakenBack(of.issued, note)) return
  const { data } = note
  await insertDocument(
    tx,
    order,
    { refundId: note.refundId, corrects: note._id, shipmentId: null },
    { ...data, kind: 'invoice', corrects: referenceTo(note) },
  )
}

export const referenceTo = ({ number, kind, issuedOn }: IssuedDocument) => ({ number, kind, issuedOn })

/** The number, the data and the task to render them are one transaction: a crash leaves none of them, and no gap. */
export async function insertDocument(
  tx: Database,
  order: OrderRow,
  references: Pick<IssuedDocument, 'refundId' | 'corrects' | 'shipmentId'>,
  content: DocumentContent,
): Promise<void> {
  const { kind, currency, netCents, taxCents, totalCents } = content
  const issuedOn = shopDay(new Date())
  const year = Number(issuedOn.slice(0, 4))
  const serial = await takeNextSerial(tx, kind, year)
  const number = documentNumber(kind, year, serial)
  const data = { ...content, number, issuedOn }
  const [document] = await tx
    .insert(documents)
    .values({ orderId: order._id, kind, year, serial, number, ...references, issuedOn, currency, netCents, taxCents, totalCents, data })
    .returning({ _id: documents._id })
  if (!document) throw new Error(`The document ${number} was not returned`)
  await tx.insert(documentFiles).values({ documentId: document._id })
}

async function takeNextSerial(tx: Database, kind: DocumentKind, year: number): Promise<number> {
  const [series] = await tx
    .insert(documentSeries)
    .values({ kind, year, lastSerial: 1 })
    .onConflictDoUpdate({ target: [documentSeries.kind, documentSeries.year], set: { lastSerial: sql`${documentSeries.lastSerial} + 1` } })
    .returning({ serial: documentSeries.lastSerial })
  if (!series) throw new Error(`The series of ${year} was not returned`)
  return series.serial
}

/** 2026-00042 of an invoice, CN-2026-00042 of a credit note. */
const documentNumber = (kind: DocumentKind, year: number, serial: number): string =>
  `${kind === 'invoice' ? '' : 'CN-'}${year}-${`${serial}`.padStart(5, '0')}`
