import { HttpError } from '#platform/http-error.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatCents } from '#shared/money.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { costOfFirstPieces, splitAmountOverLines } from '#store/orders/order-totals.ts'
import { endsDelivery } from '#store/orders/statuses.ts'
import { type NewRefundLine, refundOfNoLine } from './refund-lines.ts'
import type { RefundRequest } from './refunds.ts'

/* What is to go back of an order: see `requestRefund`. Each throws 400 for more than is left, and 409 where nothing is. */

type Plan = RefundRequest['plan']

/** What of one line is to go back: an amount, or all that is left; pieces into stock, or all that are left; and the delivery with them. */
type LineRefund = { amountCents?: number | undefined; restock?: number | undefined; delivery?: boolean }

/** An amount of one line, or all that is left of it; and pieces that go back into stock, or all that are left. */
export const refundOfLine =
  (lineId: string, { amountCents, restock, delivery = false }: LineRefund): Plan =>
  (order) => {
    const { cents, pieces } = findLine(order.lines, lineId).refundable
    const asked = amountCents ?? cents
    if (cents === 0 && (asked > 0 || !delivery)) throw nothingLeftError()
    if (asked > cents) throw fieldError('amountCents', `At most ${formatCents(cents)} can go back`, 'refund_exceeds_rest')
    if (restock !== undefined && restock > pieces) throw restockError('restock', pieces)
    const restocked = restock ?? pieces
    const ofLine = { orderLineId: lineId, amountCents: asked, restock: restocked, pieces: 0 }
    return [...(asked > 0 || restocked > 0 ? [ofLine] : []), ...(delivery ? refundOfDelivery(order, asked) : [])]
  }

/**
 * All that is left of one line, whose pieces are not sent any more; with the last one that was to be sent the delivery goes back, too. Of a line
 * that was sent in part, the pieces that are left to send.
 */
export const cancellationOfLine =
  (lineId: string): Plan =>
  (order) => {
    const line = findLine(order.lines, lineId)
    const { cents, pieces } = line.refundable
    if (line.sent > 0) {
      const unsent = cancellationOfUnsent(line, cents)
      if (!unsent) throw cents === 0 ? nothingLeftError() : orderShippedError()
      return [unsent]
    }
    if (cents === 0) throw nothingLeftError()
    const isLast = endsDelivery(order, lineId) && order.refundableDeliveryCents > 0 && order.refundable.cents > cents
    return [
      { orderLineId: lineId, amountCents: cents, restock: pieces, pieces: line.quantity - line.refundedPieces },
      ...(isLast ? refundOfDelivery(order, cents) : []),
    ]
  }

type AskedPieces = { _id: string; quantity: number; restock?: number | undefined }

/** What pieces of lines have cost, less what went back of them before. Pieces that are not packed are not sent any more. */
export const refundOfPieces =
  (asked: AskedPieces[], { delivery }: { delivery: boolean }): Plan =>
  (order) => {
    const { lines, refundable } = order
    const planned = asked.map(({ _id, quantity, restock }, index): NewRefundLine => {
      const line = findLine(lines, _id)
      const [field, restockField] = [`lines.${index}.quantity`, `lines.${index}.restock`]
      if (asked.findIndex((other) => other._id === _id) !== index)
        throw fieldError(field, 'This line is asked for twice', 'invalid_request')
      const left = line.quantity - line.refundedPieces
      if (quantity > left) throw fieldError(field, `At most ${left} pieces can be given back`, 'refund_exceeds_rest')
      const restockable = Math.min(quantity, line.refundable.pieces)
      if (restock !== undefined && restock > restockable) throw restockError(restockField, restockable)
      const amountCents = Math.max(0, costOfFirstPieces(line, line.refundedPieces + quantity) - line.refundedCents)
      return { orderLineId: _id, amountCents, restock: restock ?? restockable, pieces: quantity }
    })
    const ofLines = planned.reduce((sum, line) => sum + line.amountCents, 0)
    if (ofLines === 0 && !delivery) throw nothingLeftError()
    if (ofLines > refundable.cents) throw fieldError('lines', `At most ${formatCents(refundable.cents)} can go back`, 'refund_exceeds_rest')
    return [...planned, ...(delivery ? refundOfDelivery(order, ofLines) : [])]
  }

/**
 * What the pieces of a line have cost that are left to send, less what went back before: nothing where a refund by amount was as much already.
 * @param leftCents of the order, beside other lines
 * @returns undefined where no pieces are left to send
 */
function cancellationOfUnsent(line: OrderLine, leftCents: number): NewRefundLine | undefined {
  const { toSend, refundedPieces, refundedCents, refundable } = line
  if (toSend === 0) return undefined
  const amountCents = Math.min(refundable.cents, leftCents, Math.max(0, costOfFirstPieces(line, refundedPieces + toSend) - refundedCents))
  return { orderLineId: line._id, amountCents, restock: Math.min(toSend, refundable.pieces), pieces: toSend }
}

/**
 * What unsent pieces that were withdrawn from have cost, as far as it has not gone back. It refuses nothing, as their buyer has the right whatever
 * went back before: the pieces are cancelled also where no money is left for them.
 */
export const cancellationOfPieces =
  (unsent: { _id: string; quantity: number }[]): Plan =>
  ({ lines, refundable }) => {
    let leftCents = refundable.cents
    return unsent.map(({ _id, quantity }): NewRefundLine => {
      const line = findLine(lines, _id)
      const dueCents = costOfFirstPieces(line, Math.min(line.quantity, line.refundedPieces + quantity)) - line.refundedCents
      const amountCents = Math.max(0, Math.min(dueCents, line.refundable.cents, leftCents))
      leftCents -= amountCents
      return { orderLineId: _id, amountCents, restock: Math.min(quantity, line.refundable.pieces), pieces: quantity }
    })
  }

export const orderShippedError = () =>
  new HttpError(409, 'This order has been sent off: it can be refunded, not cancelled', undefined, { code: 'order_shipped' })

/** What is left of the order: all of it or, where some of it was sent, what its other pieces have cost. */
export const cancellationOfAll: Plan = (order) => {
  if (order.fulfilmentStatus === 'to_send') return refundOfAll(order)
  let leftCents = order.refundable.cents // a shortfall may leave less than the lines have cost
  const unsent = order.lines.flatMap((line): NewRefundLine[] => {
    const planned = cancellationOfUnsent(line, leftCents)
    leftCents -= planned?.amountCents ?? 0
    return planned ? [planned] : []
  })
  if (unsent.length === 0) throw orderShippedError()
  return unsent
}

/** All that is left of the order. */
const refundOfAll: Plan = ({ lines, refundable, refundableDeliveryCents }) => {
  if (refundable.cents === 0) throw nothingLeftError()
  const ofLines = Math.min(refundable.cents, sumOf(lines))
  const shares = splitAmountOverLines(
    ofLines,
    lines.map((line) => line.refundable.cents),
  )
  const planned = lines.map((line, index) => ({
    orderLineId: line._id,
    amountCents: shares[index] ?? 0,
    restock: line.refundable.pieces,
    pieces: line.quantity - line.refundedPieces,
  }))
  return [
    ...planned.filter(({ amountCents, restock }) => amountCents > 0 || restock > 0),
    ...refundOfNoLine(refundable.cents - ofLines, refundableDeliveryCents),
  ]
}

/**
 * What is left of the delivery.
 * @param besideCents what goes back with it: money that was given back in the provider's dashboard may leave less for both
 */
export function refundOfDelivery({ refundable, refundableDeliveryCents }: Parameters<Plan>[0], besideCents: number): NewRefundLine[] {
  const amountCents = Math.min(refundableDeliveryCents, refundable.cents - besideCents)
  if (amountCents <= 0) {
    const message = 'Nothing of the delivery can go back: it has cost nothing, or its money is on its way back already'
    throw new HttpError(409, message, { delivery: message }, { code: 'nothing_to_refund' })
  }
  return [{ orderLineId: null, isDelivery: true, amountCents }]
}

const sumOf = (lines: OrderLine[]) => lines.reduce((sum, { refundable }) => sum + refundable.cents, 0)

function findLine(lines: OrderLine[], id: string): OrderLine {
  const line = lines.find(({ _id }) => _id === id)
  if (!line) throw new HttpError(404, 'There is no such line in this order')
  return line
}

const nothingLeftError = () => new HttpError(409, 'All of the money is on its way back already', undefined, { code: 'nothing_to_refund' })

const restockError = (field: string, pieces: number) =>
  fieldError(field, `At most ${pieces} pieces can go back into stock`, 'restock_exceeds_rest')

const fieldError = (field: string, message: string, code: ErrorCode) => new HttpError(400, message, { [field]: message }, { code })
