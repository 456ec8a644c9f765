import { HttpError } from '#platform/http-error.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatCents } from '#shared/money.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { costOfFirstPieces, splitAmountOverLines } from '#store/orders/order-totals.ts'
import type { NewRefundLine } from './refund-lines.ts'
import type { RefundRequest } from './refunds.ts'

/* What is to go back of an order: see `requestRefund`. Each throws 400 for more than is left, and 409 where nothing is. */

type Plan = RefundRequest['plan']

/** An amount of one line, or all that is left of it; and pieces that go back into stock, or all that are left. */
export const refundOfLine =
  (
    lineId: string,
    { amountCents, restock, cancels }: { amountCents?: number | undefined; restock?: number | undefined; cancels: boolean },
  ): Plan =>
  ({ lines }) => {
    const line = findLine(lines, lineId)
    const { cents, pieces } = line.refundable
    if (cents === 0) throw nothingLeftError()
    if (amountCents !== undefined && amountCents > cents)
      throw fieldError('amountCents', `At most ${formatCents(cents)} can go back`, 'refund_exceeds_rest')
    if (restock !== undefined && restock > pieces) throw restockError('restock', pieces)
    return [
      {
        orderLineId: lineId,
        amountCents: amountCents ?? cents,
        restock: restock ?? pieces,
        pieces: cancels ? line.quantity - line.refundedPieces : 0,
      },
    ]
  }

/** What pieces of lines have cost, less what went back of them before. Pieces that are not packed are not sent any more. */
export const refundOfPieces =
  (asked: { _id: string; quantity: number; restock?: number | undefined }[]): Plan =>
  ({ lines, refundable }) => {
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
    const amountCents = planned.reduce((sum, line) => sum + line.amountCents, 0)
    if (amountCents === 0) throw nothingLeftError()
    if (amountCents > refundable.cents)
      throw fieldError('lines', `At most ${formatCents(refundable.cents)} can go back`, 'refund_exceeds_rest')
    return planned
  }

/** All that is left of the order. */
export const refundOfAll: Plan = ({ lines, refundable }) => {
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
  const rest = refundable.cents - ofLines
  return [
    ...planned.filter(({ amountCents, restock }) => amountCents > 0 || restock > 0),
    ...(rest > 0 ? [{ orderLineId: null, amountCents: rest }] : []),
  ]
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
