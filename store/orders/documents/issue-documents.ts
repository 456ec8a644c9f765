import { and, asc, eq, gt, inArray, lte, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { nextRetryAt, RetryItemLaterError } from '#platform/jobs.ts'
import type { Cents } from '#shared/money.ts'
import { shopDay } from '#shared/shop-day.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { payments, refundLines, refunds } from '#store/orders/table.ts'
import { amountsLeft } from './amounts-left.ts'
import type { DocumentKind, Seller } from './contract.ts'
import { creditNoteAmounts, type DocumentData, invoiceAmounts } from './document-data.ts'
import { documentParties } from './document-parties.ts'
import { withWords, wordsOf } from './document-words.ts'
import { findSupply } from './find-supply.ts'
import { issueOnAccount } from './on-account-documents.ts'
import { findSeller } from './seller.ts'
import { findTakingBack, type IssuedDocument, type StandingDocuments, standingDocuments } from './standing-documents.ts'
import { supplyOf } from './supply.ts'
import { documentFiles, documentSeries, documents, dueDocuments, retryDelays } from './table.ts'

export type DueDocument = typeof dueDocuments.$inferSelect
/** What a document says but its number and day. */
export type DocumentContent = Omit<DocumentData, 'number' | 'issuedOn'>

/**
 * Issues the document that has been due longest: the invoice of an order that is paid, the credit note of a refund that has succeeded, or the
 * invoice that takes a credit note back whose refund has failed after all; of an order on account the invoice of a parcel that was sent. It has the
 * next number of its kind and year. What follows an invoice is not due before it.
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
      .where(and(lte(dueDocuments.nextTryAt, sql`now()`), or(isFirst(dueDocuments), notExists(dueInvoices(tx)))))
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

const first = alias(dueDocuments, 'first')
/** Whether it is an invoice of what was paid or sent. What is due of refunds follows one. */
const isFirst = ({ event }: typeof dueDocuments | typeof first) => inArray(event, ['paid', 'sent'])

/** Those of the same order, also one that another process issues now, or that is tried again later. */
const dueInvoices = (tx: Database) =>
  tx
    .select({ _id: first._id })
    .from(first)
    .where(and(eq(first.orderId, dueDocuments.orderId), isFirst(first)))

async function issueDocument(tx: Database, due: DueDocument, seller: Seller): Promise<void> {
  const order = await lockOrder(tx, due.orderId) // one document of an order at a time: a credit note counts those before it
  const issued = await findIssuedDocuments(tx, order)
  if (order.paymentMethod === 'on_account') return issueOnAccount(tx, due, order, { issued, seller })
  const standing = standingDocuments(issued)
  if (due.event === 'paid') {
    if (!standing && !(await wasPaidBeforeDocuments(tx, order))) await issueInvoice(tx, order, seller)
    return
  }
  if (!standing) return // paid before there were invoices
  if (due.refundId === null) throw new Error(`The document ${due._id} is due for no refund`)
  const of = { issued, standing, refundId: due.refundId }
  if (due.event === 'refunded') await issueCreditNote(tx, order, of)
  else await takeCreditNoteBack(tx, order, of)
}

/** The order is locked: no other document of it is issued meanwhile. */
export const findIssuedDocuments = (tx: Database, { _id }: OrderRow): Promise<IssuedDocument[]> =>
  tx.select().from(documents).where(eq(documents.orderId, _id)).orderBy(asc(documents.issuedAt))

/**
 * An order of whose payment money has gone back without a credit note that could follow: an invoice would be for money that the shop has not kept.
 * What of a surplus went back is no part of that.
 */
const wasPaidBeforeDocuments = async (tx: Database, order: OrderRow): Promise<boolean> =>
  order.paymentId !== null &&
  (await tx.$count(
    refunds,
    and(
      eq(refunds.paymentId, order.paymentId),
      eq(refunds.state, 'succeeded'),
      gt(refunds.amountCents, 0),
      notExists(tx.select({ _id: dueDocuments._id }).from(dueDocuments).where(eq(dueDocuments.refundId, refunds._id))),
    ),
  )) > 0

async function issueInvoice(tx: Database, order: OrderRow, seller: Seller): Promise<void> {
  const [payment] = order.paymentId ? await tx.select().from(payments).where(eq(payments._id, order.paymentId)) : []
  if (payment?.state !== 'succeeded' || !payment.settledAt) return // what came late has gone back before
  const details = await findDetailsOfOrder(tx, order._id)
  const content = await describeInvoice(tx, order, details, seller)
  const supply = await findSupply(tx, order, details, shopDay(new Date()))
  const paid = { card: payment.card, method: payment.method, paidOn: shopDay(payment.settledAt), ...writtenOff(order.writtenOffCents) }
  await insertDocument(tx, order, { refundId: null, corrects: null, shipmentId: null }, { ...content, supply, payment: paid })
}

/** Left out where there is none, as in documents from before it was kept. */
const writtenOff = (cents: Cents) => (cents > 0 ? { writtenOffCents: cents } : {})

/** What the invoice of all of an order says, whoever pays it when. */
export async function describeInvoice(
  tx: Database,
  order: OrderRow,
  details: OrderDetails | null,
  seller: Seller,
): Promise<Omit<DocumentContent, 'payment'>> {
  const lines = await findOrderLines(tx, order._id)
  return {
    kind: 'invoice',
    corrects: null,
    seller,
    ...documentParties(order, details),
    ...invoiceAmounts(order, lines, details?.partNumbers ?? []),
  }
}

type OfRefund = { issued: IssuedDocument[]; standing: StandingDocuments; refundId: string }
const noteOf = ({ issued, refundId }: OfRefund) => issued.find((each) => each.kind === 'credit note' && each.refundId === refundId)

async function issueCreditNote(tx: Database, order: OrderRow, of: OfRefund): Promise<void> {
  const [refund] = await tx.select().from(refunds).where(eq(refunds._id, of.refundId))
  if (refund?.state !== 'succeeded' || refund.paymentId !== order.paymentId) return // of a payment that came twice, which no invoice is for
  if (noteOf(of)) return
  const { invoice, billed, notes } = of.standing
  const refunded = await tx.select().from(refundLines).where(eq(refundLines.refundId, refund._id)).orderBy(asc(refundLines._id))
  const { isCorrection: _, ...data } = invoice.data
  const amounts = (await isLastMoneyBack(tx, order, of)) ? amountsLeft(billed, notes) : null
  const credited = amounts ?? creditNoteAmounts(billed, notes, refunded)
  const { writtenOffCents: __, ...payment } = data.payment
  await insertDocument(
    tx,
    order,
    { refundId: refund._id, corrects: invoice._id, shipmentId: null },
    {
      ...data,
      kind: 'credit note',
      corrects: referenceTo(invoice),
      supply: supplyOf(invoice.data),
      ...credited,
      payment: { ...payment, paidOn: shopDay(new Date()), ...writtenOff(amounts ? amounts.totalCents - refund.amountCents : 0) },
    },
  )
}

/**
 * Whether an order of which a part was written off has with this refund lost all that was paid: then its credit note is for all that is left of the
 * invoice, as nothing is asked for it any more. Credit notes that were taken back do not count.
 */
async function isLastMoneyBack(tx: Database, order: OrderRow, { issued, refundId }: OfRefund): Promise<boolean> {
  if (order.writtenOffCents === 0 || order.paymentId === null) return false
  const notes = issued.filter((each) => each.kind === 'credit note' && !findTakingBack(issued, each))
  const [paid] = await tx.select({ cents: payments.amountCents }).from(payments).where(eq(payments._id, order.paymentId))
  const [back] = await tx
    .select({ cents: sql<number>`sum(${refunds.amountCents})::integer` })
    .from(refunds)
    .where(inArray(refunds._id, [refundId, ...notes.flatMap((note) => note.refundId ?? [])]))
  return paid !== undefined && back !== undefined && back.cents >= paid.cents
}

/** The money of a credit note has come back, as the buyer's bank has refused it: an invoice asks for the same once more, and is paid. */
async function takeCreditNoteBack(tx: Database, order: OrderRow, of: OfRefund): Promise<void> {
  const note = noteOf(of)
  if (!note || findTakingBack(of.issued, note)) return
  await insertDocument(
    tx,
    order,
    { refundId: note.refundId, corrects: note._id, shipmentId: null },
    {
      ...withWords(note.data, wordsOf(of.standing.invoice.data)),
      kind: 'invoice',
      corrects: referenceTo(note),
      supply: supplyOf(note.data),
    },
  )
}

export const referenceTo = ({ number, kind, issuedOn }: IssuedDocument) => ({ number, kind, issuedOn })

/** The number, the data and the task to render them are one transaction: a crash leaves none of them, and no gap. @returns the number */
export async function insertDocument(
  tx: Database,
  order: OrderRow,
  references: Pick<IssuedDocument, 'refundId' | 'corrects' | 'shipmentId'>,
  content: DocumentContent,
): Promise<string> {
  const { kind, currency, netCents, taxCents, totalCents } = content
  if (kind === 'pro forma') throw new TypeError('A pro forma has no number of a series')
  const issuedOn = shopDay(new Date())
  const year = Number(issuedOn.slice(0, 4))
  const serial = await takeNextSerial(tx, kind, year)
  const number = documentNumber(kind, year, serial)
  const data = { ...content, number, issuedOn }
  const [document] = await tx
    .insert(documents)
    .values({
      orderId: order._id,
      issuedAt: sql`clock_timestamp()`,
      kind,
      year,
      serial,
      number,
      ...references,
      issuedOn,
      currency,
      netCents,
      taxCents,
      totalCents,
      data,
    })
    .returning({ _id: documents._id })
  if (!document) throw new Error(`The document ${number} was not returned`)
  await tx.insert(documentFiles).values({ documentId: document._id })
  return number
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
