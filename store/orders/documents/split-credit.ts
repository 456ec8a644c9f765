import { type DocumentData, type DocumentLine, grossOf, isOfLine, type RefundLine } from './document-data.ts'
import type { IssuedDocument } from './standing-documents.ts'

/** An invoice of a parcel, and the credit notes for it. */
export type Credited = { invoice: IssuedDocument; notes: DocumentData[] }

/** What is left of a product, of the delivery or of nothing in particular in an invoice. */
type Left = { cents: number; pieces: number }
type Part = Credited & { lines: RefundLine[] }

/**
 * Splits what is credited of an order on account over the invoices of its parcels: each piece and each cent goes to the newest invoice that has
 * some of it left, so that no credit note is for more than its invoice.
 * @param invoices the newest first, at least one
 * @param credited in cents of the order's currency
 * @returns one part for each invoice that is touched
 */
export function splitCredit(invoices: Credited[], credited: RefundLine[]): Part[] {
  const parts = invoices.map((of): Part => ({ ...of, lines: [] }))
  for (const line of credited) {
    let rest = takeFrom(parts, line, ({ pieces }, wanted) => Math.min(Math.max(0, pieces), wanted.pieces))
    rest = takeFrom(parts, rest, (_left, { pieces }) => pieces)
    const [newest] = parts
    if (rest.amountCents > 0) newest?.lines.push(rest) // of no invoice: it is said all the same, so that the sum is what was credited
  }
  return parts.filter(({ lines }) => lines.length > 0)
}

/** @param piecesOf how many pieces an invoice takes, whose share of the amount goes to it as far as it has it left @returns what no invoice takes */
function takeFrom(parts: Part[], line: RefundLine, piecesOf: (left: Left, wanted: RefundLine) => number): RefundLine {
  let rest = line
  for (const part of parts) {
    const left = leftOf(part, line)
    const pieces = piecesOf(left, rest)
    const share = rest.pieces === pieces ? rest.amountCents : Math.round((rest.amountCents * pieces) / rest.pieces)
    const amountCents = Math.min(share, left.cents)
    if (amountCents <= 0) continue
    part.lines.push({ ...rest, amountCents, pieces })
    rest = { ...rest, amountCents: rest.amountCents - amountCents, pieces: rest.pieces - pieces, restock: 0 }
  }
  return rest
}

function leftOf({ invoice, notes, lines }: Part, { orderLineId, isDelivery }: RefundLine): Left {
  const isMeant = (row: DocumentLine) => (isDelivery ? row.kind === 'delivery' : orderLineId === null || isOfLine(orderLineId)(row))
  const isTaken = (each: RefundLine) => orderLineId === null || each.orderLineId === orderLineId
  const billed = sum(invoice.data.lines.filter(isMeant))
  const back = sum(notes.flatMap((note) => note.lines).filter(isMeant))
  const taken = lines.filter((each) => each.isDelivery === isDelivery && isTaken(each))
  return {
    cents: billed.cents - back.cents - taken.reduce((total, { amountCents }) => total + amountCents, 0),
    pieces: billed.pieces - back.pieces - taken.reduce((total, { pieces }) => total + pieces, 0),
  }
}

const sum = (rows: DocumentLine[]): Left => ({
  cents: rows.reduce((total, row) => total + grossOf(row), 0),
  pieces: rows.reduce((total, { kind, quantity }) => total + (kind === 'goods' ? quantity : 0), 0),
})
