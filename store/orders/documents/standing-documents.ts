import { amountsOf, type DocumentAmounts, type DocumentData, type DocumentLine, isAt, isOfLine, sumOf } from './document-data.ts'
import type { documents } from './table.ts'

export type IssuedDocument = typeof documents.$inferSelect

/**
 * What the documents of an order say together. `invoice`: the one whose words hold, which is the last correction where there is one; `billed`: its
 * amounts, with those of earlier credit notes that were taken back after it; `notes`: the credit notes for these that stand.
 */
export type StandingDocuments = { invoice: IssuedDocument; billed: DocumentAmounts; notes: DocumentData[] }

/** @param issued all documents of an order @returns undefined where it has no invoice */
export function standingDocuments(issued: IssuedDocument[]): StandingDocuments | undefined {
  const invoice = issued
    .filter(({ kind, refundId }) => kind === 'invoice' && refundId === null)
    .toSorted(bySerial)
    .at(-1)
  if (!invoice) return undefined
  const ofRefunds = issued.filter(({ kind, refundId }) => kind === 'credit note' && refundId !== null)
  const isForInvoice = ({ corrects }: IssuedDocument) => corrects === invoice._id
  const takenBackLater = ofRefunds.filter((note) => {
    const taking = findTakingBack(issued, note)
    return !isForInvoice(note) && taking !== undefined && bySerial(taking, invoice) > 0
  })
  const notes = ofRefunds.filter((note) => isForInvoice(note) && !findTakingBack(issued, note))
  return {
    invoice,
    billed: takenBackLater.reduce((billed: DocumentAmounts, { data }) => addAmounts(billed, data), invoice.data),
    notes: notes.map(({ data }) => data),
  }
}

/** Invoices in the order in which they were issued. */
const bySerial = (a: IssuedDocument, b: IssuedDocument): number => a.year - b.year || a.serial - b.serial

/** The invoices of the parcels of an order on account, the oldest first, each as it was corrected last. */
export const standingParcelInvoices = (issued: IssuedDocument[]): IssuedDocument[] =>
  issued
    .filter(({ _id, kind }) => kind === 'invoice' && !issued.some((each) => each.kind === 'invoice' && each.corrects === _id))
    .toSorted(bySerial)

/** The credit notes of what was given back of an invoice of a parcel. */
export const notesFor = (issued: IssuedDocument[], { _id }: IssuedDocument): DocumentData[] =>
  issued.flatMap(({ kind, corrects, refundId, data }) => (kind === 'credit note' && refundId !== null && corrects === _id ? data : []))

/** The invoice that takes back the credit note of a refund that has failed after all. */
export const findTakingBack = (issued: IssuedDocument[], { refundId }: IssuedDocument): IssuedDocument | undefined =>
  issued.find((each) => each.kind === 'invoice' && refundId !== null && each.refundId === refundId)

function addAmounts(billed: DocumentAmounts, more: DocumentAmounts): DocumentAmounts {
  const lines = more.lines.reduce(addRow, billed.lines)
  const ratesPpm = [...new Set([...billed.taxes, ...more.taxes].map(({ ratePpm }) => ratePpm))].sort((a, b) => b - a)
  const taxes = ratesPpm.map((ratePpm) => {
    const ofRate = [...billed.taxes, ...more.taxes].filter(isAt(ratePpm))
    return { ratePpm, netCents: sumOf(ofRate, 'netCents'), taxCents: sumOf(ofRate, 'taxCents') }
  })
  return amountsOf(lines, taxes)
}

/** Pieces and money of one product, or of the delivery, at one rate are one row. */
function addRow(rows: DocumentLine[], row: DocumentLine): DocumentLine[] {
  const isSame = (each: DocumentLine) =>
    each.ratePpm === row.ratePpm && (row.orderLineId === null ? each.kind === row.kind : isOfLine(row.orderLineId)(each))
  const at = rows.findIndex(isSame)
  const same = rows[at]
  if (!same) return [...rows, row]
  const sum = { netCents: same.netCents + row.netCents, taxCents: same.taxCents + row.taxCents }
  if (same.kind !== 'goods' || row.kind !== 'goods') {
    const none = { unitPriceCents: null, reductionCents: 0, reductionReason: null }
    return rows.with(at, { ...(same.kind === 'goods' ? same : row), ...none, ...sum })
  }
  const isAtOnePrice = same.unitPriceCents !== null && same.unitPriceCents === row.unitPriceCents
  const price = isAtOnePrice ? {} : { unitPriceCents: null, reductionReason: null }
  const reductionCents = isAtOnePrice ? same.reductionCents + row.reductionCents : 0
  const reductionReason = reductionCents > 0 ? (same.reductionReason ?? row.reductionReason) : null
  return rows.with(at, { ...same, quantity: same.quantity + row.quantity, reductionCents, reductionReason, ...price, ...sum })
}
