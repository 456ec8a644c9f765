import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { shopDay } from '#shared/shop-day.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import type { OrderRow } from '#store/orders/rules.ts'
import { shipmentLines, shipments } from '#store/orders/shipments/table.ts'
import { orderLines, refundLines, refunds } from '#store/orders/table.ts'
import { isUntaxed } from '#store/tax/compute-tax.ts'
import type { Seller } from './contract.ts'
import { creditNoteAmounts, type DocumentAmounts, type DocumentLine, type RefundLine } from './document-data.ts'
import { withWords, wordsOfAll } from './document-words.ts'
import { type DocumentContent, type DueDocument, describeInvoice, insertDocument, referenceTo } from './issue-documents.ts'
import { splitCredit } from './split-credit.ts'
import { type IssuedDocument, notesFor, standingParcelInvoices } from './standing-documents.ts'
import { supplyOf } from './supply.ts'

/* An order on account is invoiced parcel by parcel, and credited only for what was invoiced. */

type Issued = { issued: IssuedDocument[]; seller: Seller }

/** Issues the invoice of a parcel, or the credit notes of what was credited of parcels. The order is locked. */
export async function issueOnAccount(tx: Database, due: DueDocument, order: OrderRow, { issued, seller }: Issued): Promise<void> {
  if (due.event === 'sent' && due.shipmentId) await issueParcelInvoice(tx, order, due.shipmentId, { issued, seller })
  else if (due.event === 'refunded' && due.refundId) await issueCreditNotes(tx, order, due.refundId, issued)
}

async function issueParcelInvoice(tx: Database, order: OrderRow, shipmentId: string, { issued, seller }: Issued): Promise<void> {
  if (issued.some((each) => each.shipmentId === shipmentId)) return
  const [shipment] = await tx.select().from(shipments).where(eq(shipments._id, shipmentId))
  if (!shipment) throw new Error(`The parcel ${shipmentId} was not found`)
  const whole = await describeWhole(tx, order, { issued, seller })
  const sentOn = shopDay(new Date(shipment.sentAt))
  const amounts = withPrices(whole, creditNoteAmounts(whole, earlierInvoices(issued), await findCharges(tx, shipment)))
  if (amounts.totalCents === 0) return // all of it was credited before
  await insertDocument(
    tx,
    order,
    { refundId: null, corrects: null, shipmentId },
    {
      ...whole,
      ...amounts,
      supply: { from: sentOn, to: sentOn, by: 'sent' },
      payment: { card: null, paidOn: sentOn },
      onAccount: { ...(await payableTo(tx, order)), sentOn, dueOn: shipment.dueOn, parcel: shipment.number },
    },
  )
}

/** All of the order, in the words of the correction where its invoices were corrected. */
async function describeWhole(tx: Database, order: OrderRow, { issued, seller }: Issued) {
  const whole = await describeInvoice(tx, order, await findDetailsOfOrder(tx, order._id), seller)
  const corrected = standingParcelInvoices(issued).flatMap(({ data }) => (data.isCorrection ? data : []))
  return corrected.length === 0 ? whole : withWords(whole, wordsOfAll(corrected))
}

const payableTo = async (tx: Database, { number }: OrderRow) => ({
  account: await findBankAccount(tx),
  reference: creditorReference(number),
})

/** That of a correction says what was said before. */
const earlierInvoices = (issued: IssuedDocument[]) =>
  issued.flatMap(({ kind, data }) => (kind === 'invoice' && !data.isCorrection ? data : []))

/** What a parcel is charged, in the form in which money goes back: the taxes are shared out in the same way. */
async function findCharges(tx: Database, { _id, deliveryCents }: typeof shipments.$inferSelect): Promise<RefundLine[]> {
  const lines = await tx
    .select({
      orderLineId: shipmentLines.orderLineId,
      amountCents: sql<number>`coalesce(${shipmentLines.chargedCents}, 0)`,
      pieces: shipmentLines.quantity,
      restock: sql<number>`0`,
      isDelivery: sql<boolean>`false`,
    })
    .from(shipmentLines)
    .innerJoin(orderLines, eq(orderLines._id, shipmentLines.orderLineId))
    .where(eq(shipmentLines.shipmentId, _id))
    .orderBy(asc(orderLines.position))
  const delivery = { orderLineId: null, amountCents: deliveryCents ?? 0, pieces: 0, restock: 0, isDelivery: true }
  return [...lines, ...(delivery.amountCents > 0 ? [delivery] : [])]
}

/** Names the price of a piece where the amount of its line follows from it. */
function withPrices({ tax, lines: ordered }: Pick<DocumentContent, 'tax' | 'lines'>, amounts: DocumentAmounts): DocumentAmounts {
  const showsGross = tax.pricesIncludeTax && !isUntaxed(tax.kind)
  const priced = (line: DocumentLine): DocumentLine => {
    const unitPriceCents =
      ordered.find(({ orderLineId }) => orderLineId !== null && orderLineId === line.orderLineId)?.unitPriceCents ?? null
    const shownCents = line.netCents + (showsGross ? line.taxCents : 0)
    return unitPriceCents !== null && unitPriceCents * line.quantity === shownCents ? { ...line, unitPriceCents } : line
  }
  return { ...amounts, lines: amounts.lines.map(priced) }
}

/** One for each invoice of which something is credited. */
async function issueCreditNotes(tx: Database, order: OrderRow, refundId: string, issued: IssuedDocument[]): Promise<void> {
  if (issued.some((each) => each.kind === 'credit note' && each.refundId === refundId)) return
  const [refund] = await tx.select().from(refunds).where(eq(refunds._id, refundId))
  if (refund?.state !== 'succeeded' || refund.paymentId !== null) return // what was paid too much goes back without a document
  const credited = await tx.select().from(refundLines).where(eq(refundLines.refundId, refundId)).orderBy(asc(refundLines._id))
  const ofInvoices = credited
    .map((line) => ({ ...line, amountCents: line.amountCents - line.notInvoicedCents }))
    .filter(({ amountCents }) => amountCents > 0)
  if (ofInvoices.length === 0) return // nothing of it was sent
  const invoices = standingParcelInvoices(issued)
    .map((invoice) => ({ invoice, notes: notesFor(issued, invoice) }))
    .reverse()
  if (invoices.length === 0) throw new Error(`The invoice that the credit ${refundId} is for was not found`)
  for (const { invoice, notes, lines } of splitCredit(invoices, ofInvoices)) {
    const { isCorrection: _, onAccount, ...data } = invoice.data
    await insertDocument(
      tx,
      order,
      { refundId, corrects: invoice._id, shipmentId: null },
      {
        ...data,
        kind: 'credit note',
        corrects: referenceTo(invoice),
        supply: supplyOf(invoice.data),
        ...creditNoteAmounts(invoice.data, notes, lines),
        payment: { card: null, paidOn: shopDay(new Date()) },
        ...(onAccount && { onAccount: { ...onAccount, ...(await payableTo(tx, order)), dueOn: null } }),
      },
    )
  }
}
