import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import type { User } from '#store/identity/contract.ts'
import type { OrderDetails, StructuredAddress } from '#store/orders/details/contract.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { orderDetails } from '#store/orders/details/table.ts'
import { amountsLeft } from '#store/orders/documents/amounts-left.ts'
import type { Seller } from '#store/orders/documents/contract.ts'
import type { DocumentAmounts } from '#store/orders/documents/document-data.ts'
import { type DocumentWords, withWords, wordsOfAll } from '#store/orders/documents/document-words.ts'
import { findSupply } from '#store/orders/documents/find-supply.ts'
import { findIssuedDocuments, insertDocument, referenceTo } from '#store/orders/documents/issue-documents.ts'
import { findSeller } from '#store/orders/documents/seller.ts'
import { type IssuedDocument, notesFor, standingDocuments, standingParcelInvoices } from '#store/orders/documents/standing-documents.ts'
import { supplyOf } from '#store/orders/documents/supply.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderIdOfLine } from '#store/orders/order-queries.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { findTaxSetup } from '#store/tax/rules.ts'
import { isTaxedOtherwise } from '#store/tax/tax-terms.ts'
import { normalizeVatId } from '#store/tax/vat-id.ts'
import type { CorrectableInvoice, CorrectionBody } from './contract.ts'

type Correctable = { invoice: IssuedDocument; left: DocumentAmounts }
/** `all`: the newest last. */
type Correctables = { newest: Correctable; all: Correctable[] }

/**
 * The invoices of a locked order, and what of each no credit note has given back.
 * @throws {HttpError} 409 there is none, or nothing of it is left
 */
async function findCorrectable(tx: Database, order: OrderRow): Promise<Correctables> {
  if (order.paymentMethod === 'on_account') return findOfParcels(tx, order)
  const newest = await findOnlyInvoice(tx, order)
  return { newest, all: [newest] }
}

async function findOnlyInvoice(tx: Database, order: OrderRow): Promise<Correctable> {
  const standing = standingDocuments(await findIssuedDocuments(tx, order))
  if (!standing) throw conflictError('This order has no invoice yet: one is issued a moment after it is paid. Try again then', 'conflict')
  const left = amountsLeft(standing.billed, standing.notes)
  if (!left) throw nothingLeftError()
  return { invoice: standing.invoice, left }
}

const nothingLeftError = () =>
  conflictError('All of the money has gone back, with a credit note: nothing of the invoice is left to correct', 'conflict')

async function findOfParcels(tx: Database, order: OrderRow): Promise<Correctables> {
  const issued = await findIssuedDocuments(tx, order)
  const invoices = standingParcelInvoices(issued)
  const all = invoices.flatMap((invoice) => {
    const left = amountsLeft(invoice.data, notesFor(issued, invoice))
    return left ? { invoice, left } : []
  })
  if (invoices.length > 0 && all.length === 0) throw nothingLeftError()
  const newest = all.at(-1)
  if (!newest)
    throw conflictError('This order has no invoice yet: each parcel has one, a moment after it is sent. Try again then', 'conflict')
  return { newest, all }
}

/**
 * What of the invoice of an order can be corrected.
 * @throws {HttpError} 404 no such order; 409 it has no invoice, or nothing of it is left
 */
export async function showCorrectableInvoice(db: Database, id: string): Promise<CorrectableInvoice> {
  const orderId = await findOrderIdOfLine(db, id)
  return db.transaction(async (tx) => {
    const { newest, all } = await findCorrectable(tx, await lockOrder(tx, orderId))
    const { buyer, poNumber, buyerReference, lines } = wordsOfAll(all.map(({ invoice, left }) => ({ ...invoice.data, ...left })))
    return {
      ...{ _id: newest.invoice._id, numbers: all.map(({ invoice }) => invoice.number), poNumber, buyerReference },
      ...buyer,
      address: buyer.address && toStructured(buyer.address),
      lines: lines.flatMap(({ orderLineId, name, partNumber }) => (orderLineId === null ? [] : [{ _id: orderLineId, name, partNumber }])),
    }
  })
}

/**
 * Corrects the words of the invoice of an order: a credit note for what is left of it and an invoice in the right words, for the same amounts, in one
 * transaction with the event of the history and its mail. The words are those of all later documents, and of the order where it has a place for them.
 * @param id of the order, or of one of its lines
 * @returns false where this very correction was made before
 * @throws {HttpError} 404 no such order or line; 409 it has no invoice, or was corrected meanwhile; nothing is different; the order would be taxed
 *   in another way
 */
export async function correctInvoice(db: Database, owner: User, id: string, body: CorrectionBody): Promise<boolean> {
  const orderId = await findOrderIdOfLine(db, id)
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const {
      newest: { invoice },
      all,
    } = await findCorrectable(tx, order)
    const before = wordsOfAll(all.map((each) => each.invoice.data))
    const words = correctedWords(before, body)
    const seller = (await findSeller(tx)) ?? invoice.data.seller
    const isSame = isEqual(words, before)
    if (invoice._id !== body.invoice) {
      if (isSame && invoice.corrects === body.invoice) return false
      throw conflictError(
        `This invoice was corrected meanwhile: ${invoice.number} is the one that holds. Look at it first`,
        'documents_changed',
      )
    }
    if (isSame && isEqual(seller, invoice.data.seller))
      throw conflictError('Nothing is different from the invoice: change what is wrong', 'conflict')
    await assertTaxedAlike(tx, order, words, seller.country)
    const details = await findDetailsOfOrder(tx, order._id)
    const replaced: string[] = []
    for (const each of all) replaced.push(await insertCorrection(tx, order, { ...each, details, words, seller }))
    if (details) await correctDetails(tx, order, details, words)
    await appendEvent(tx, order, {
      event: 'invoice corrected',
      doer: { actor: 'admin', userId: owner.id },
      note: body.reason,
      items: replaced.join('. '),
      mail: true,
    })
    return true
  })
}

type Correction = Correctable & { details: OrderDetails | null; words: DocumentWords; seller: Seller }

/** @returns what was done, in a sentence of the history */
async function insertCorrection(tx: Database, order: OrderRow, { invoice, left, details, words, seller }: Correction): Promise<string> {
  const references = { refundId: null, corrects: invoice._id }
  const common = { corrects: referenceTo(invoice), isCorrection: true } as const
  const wrong = { ...invoice.data, ...left, ...common, supply: supplyOf(invoice.data) }
  const { onAccount } = wrong
  const note = { ...wrong, kind: 'credit note', ...(onAccount && { onAccount: { ...onAccount, dueOn: null } }) } as const
  const creditNote = await insertDocument(tx, order, { ...references, shipmentId: null }, note)
  const supply = onAccount ? wrong.supply : await findSupply(tx, order, details, wrong.supply.from)
  const right = { ...withWords(wrong, words), kind: 'invoice', seller, supply } as const
  const replacement = await insertDocument(tx, order, { ...references, shipmentId: invoice.shipmentId }, right)
  return `Invoice ${replacement} replaces ${invoice.number}, which credit note ${creditNote} cancels`
}

/** Property by property, whatever their order: the database keeps that of none. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, of]) => of !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  )
}

function correctedWords({ lines }: DocumentWords, body: CorrectionBody): DocumentWords {
  const { name, company, vatId, poNumber, buyerReference } = body
  for (const { _id } of body.lines)
    if (!lines.some(({ orderLineId }) => orderLineId === _id)) throw new HttpError(404, 'There is no such line in the invoice')
  return {
    buyer: {
      ...{ name, company: company ?? null, vatId: vatId === undefined ? null : normalizeVatId(vatId) },
      ...{ address: toStructured(body), addressText: null },
    },
    poNumber: poNumber ?? null,
    buyerReference: buyerReference ?? null,
    lines: lines.map((line) => {
      const said = body.lines.find(({ _id }) => _id === line.orderLineId)
      return said ? { ...line, name: said.name, partNumber: said.partNumber ?? null } : line
    }),
  }
}

const toStructured = ({ country, line1, line2, city, postalCode, state }: StructuredAddress): StructuredAddress => ({
  ...{ country, line1, city },
  ...(line2 && { line2 }),
  ...(postalCode && { postalCode }),
  ...(state && { state }),
})

/** @throws {HttpError} 409 with this VAT id, or without one, the order would be taxed in another way */
async function assertTaxedAlike(tx: Database, order: OrderRow, { buyer }: DocumentWords, sellerCountry: string): Promise<void> {
  const kind = order.taxTerms?.kind ?? 'none'
  const { settings } = await findTaxSetup(tx)
  if (!isTaxedOtherwise(kind, buyer.vatId, settings.country ?? sellerCountry)) return
  const why =
    kind === 'reverse charge'
      ? 'This order was sold without VAT as reverse charge, for which the buyer needs a VAT id of another country of the EU than the shop'
      : 'With this VAT id the order would have been sold without VAT, as reverse charge'
  const message = `${why}. A correction changes no amounts: refund the order, which issues its credit note, and have it ordered anew with the right VAT id`
  throw conflictError(message, 'tax_would_change', { vatId: message })
}

/** The order says the same from then on: on its page, in its mails and to whoever searches it. */
async function correctDetails(
  tx: Database,
  order: OrderRow,
  details: OrderDetails,
  { buyer, lines, ...numbers }: DocumentWords,
): Promise<void> {
  const { company, vatId, address } = buyer
  const orderedLines = await findOrderLines(tx, order._id)
  const partNumbers = orderedLines.flatMap(({ _id, toolId }) => {
    const said = lines.find(({ orderLineId }) => orderLineId === _id)
    const partNumber = said ? said.partNumber : details.partNumbers.find(({ productId }) => productId === toolId)?.partNumber
    return partNumber ? [{ productId: toolId, partNumber }] : []
  })
  const isWhereDelivered = isEqual(address, toStructured(details.deliverTo))
  await tx
    .update(orderDetails)
    .set({ ...{ company, vatId, partNumbers }, ...numbers, billTo: isWhereDelivered ? null : address })
    .where(eq(orderDetails.orderId, order._id))
}
