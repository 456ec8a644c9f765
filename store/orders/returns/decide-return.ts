import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, type HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatPieces } from '#shared/format-pieces.ts'
import type { User } from '#store/identity/contract.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, lastEventOf } from '#store/orders/order-history.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import type { RefundRow } from '#store/orders/payments/refund-lines.ts'
import { lockOrderForRefund, recordRefund, submitRecordedRefund } from '#store/orders/payments/refunds.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import type { DecideReturnBody } from './admin-contract.ts'
import type { Return, ReturnLine } from './contract.ts'
import { findReturnById } from './find-returns.ts'
import { assertOpen, lineNotFoundError, turnedDownOf } from './receive-return.ts'
import { formatReturnNumber } from './return-reasons.ts'
import { findReturnedMoney, refundOfReturned } from './return-refund.ts'
import { moveReturnStock } from './return-stock.ts'
import { returnDecisions, returns } from './table.ts'

type AskedDecision = DecideReturnBody['decisions'][number]
/** `hasArrived`: false for refused pieces that the buyer keeps */
type NewDecision = AskedDecision & { line: ReturnLine; hasArrived: boolean }

/**
 * Decides what becomes of pieces of a return: stock, refund, event and mail are written in one transaction; the refund is submitted after it. A
 * refund that the provider rejects leaves the decision, and stands in the order's history as one that an admin has to look at.
 * @throws {HttpError} 404 no such return, or no line of it; 409 it is not open, was decided meanwhile, has fewer pieces, comes of a withdrawal
 *   and is not refunded, fewer pieces are in stock than are to replace others, or nothing of the delivery can go back; 429 see `recordRefund`
 */
export async function decideReturn(db: Database, cards: CardProvider, admin: User, id: string, body: DecideReturnBody): Promise<Return> {
  const { orderId } = await findReturnById(db, id)
  const refund = await db.transaction((tx) => recordDecisions(tx, admin, { id, orderId, ...body }))
  if (refund) await submitRecordedRefund(db, cards, refund)
  return findReturnById(db, id)
}

type Decided = DecideReturnBody & { id: string; orderId: string }

/** @returns the refund that is to be submitted after the commit */
async function recordDecisions(tx: Database, admin: User, body: Decided): Promise<RefundRow | undefined> {
  const { id, orderId, delivery, decidedSeen } = body
  const isRefunded = body.decisions.some(({ outcome }) => outcome === 'refund')
  const order = isRefunded ? (await lockOrderForRefund(tx, admin, orderId)).order : await lockOrder(tx, orderId)
  const asked = await findReturnById(tx, id)
  assertOpen(asked)
  assertSeen(asked, decidedSeen)
  const decisions = takePieces(asked, body.decisions)
  const refund = isRefunded ? await recordReturnRefund(tx, admin, order, { asked, decisions, delivery }) : undefined
  const doer = { actor: 'admin', userId: admin.id } as const
  // What was credited may have completed it.
  await appendEvent(tx, await lockOrder(tx, orderId), {
    event: 'return decided',
    doer,
    note: formatReturnNumber(asked.number),
    items: joinItems(decisions.map(formatDecision)),
    mail: true,
  })
  await insertDecisions(tx, asked, decisions, refund)
  const lines = await findOrderLines(tx, orderId)
  const moves = lines.map((line) => {
    const ofLine = decisions.filter(({ _id }) => _id === line._id)
    return {
      line,
      restocked: piecesOf(ofLine, ({ restock }) => restock),
      replaced: piecesOf(ofLine, ({ outcome }) => outcome === 'replacement'),
    }
  })
  await moveReturnStock(tx, moves, doer)
  const isClosed = (await findReturnById(tx, id)).lines.every((line) => line.quantity === piecesOf(line.decisions))
  if (isClosed) await tx.update(returns).set({ status: 'closed' }).where(eq(returns._id, id))
  return refund?.row
}

const piecesOf = <Pieces extends { quantity: number }>(decisions: Pieces[], which: (decision: Pieces) => boolean = () => true): number =>
  decisions.filter(which).reduce((sum, { quantity }) => sum + quantity, 0)

function assertSeen({ lines }: Return, decidedSeen: number | undefined): void {
  const decided = lines.reduce((sum, line) => sum + piecesOf(line.decisions), 0)
  if (decidedSeen === undefined || decidedSeen === decided) return
  const message = `Meanwhile ${formatPieces(decided)} of this return ${decided === 1 ? 'is' : 'are'} decided: look at it again`
  throw conflictError(message, 'return_changed')
}

/** Refused pieces are those that have arrived first; what is left of them has not come. */
function takePieces(asked: Return, decisions: AskedDecision[]): NewDecision[] {
  const left = new Map(
    asked.lines.map((line) => {
      const [arrived, expected] = [line.toDecide, line.quantity - line.arrived - turnedDownOf(line)]
      return [line._id, { arrived, expected, notWithdrawn: arrived + expected - line.toRefund }]
    }),
  )
  const taken = decisions.flatMap((decision, index): (NewDecision & { index: number })[] => {
    const [line, pieces] = [asked.lines.find(({ _id }) => _id === decision._id), left.get(decision._id)]
    if (!line || !pieces) throw lineNotFoundError()
    if (decision.outcome !== 'refund' && line.toRefund > 0 && decision.quantity > pieces.notWithdrawn)
      throw withdrawnError(line, pieces, index)
    const isRefused = decision.outcome === 'refused'
    if (decision.quantity > pieces.arrived + (isRefused ? pieces.expected : 0))
      throw moreThanArrivedError(line, pieces, `decisions.${index}.quantity`)
    const arrived = Math.min(decision.quantity, pieces.arrived)
    const expected = decision.quantity - arrived
    if (decision.outcome !== 'refund') pieces.notWithdrawn -= decision.quantity
    pieces.arrived -= arrived
    pieces.expected -= expected
    const parts = [
      { quantity: arrived, hasArrived: true },
      { quantity: expected, hasArrived: false },
    ]
    return parts.filter(({ quantity }) => quantity > 0).map((part) => ({ ...decision, ...part, line, index }))
  })
  return taken
}

function withdrawnError(line: ReturnLine, { notWithdrawn }: { notWithdrawn: number }, index: number): HttpError {
  const message =
    notWithdrawn <= 0
      ? 'The buyer has withdrawn from the contract: the money goes back'
      : `The buyer has withdrawn from ${formatNumber(line.toRefund)} of ${line.productName}, whose money goes back: at most ${formatNumber(notWithdrawn)} can be decided otherwise`
  return conflictError(message, 'return_of_withdrawal', { [`decisions.${index}.outcome`]: message })
}

function moreThanArrivedError(line: ReturnLine, { arrived, expected }: { arrived: number; expected: number }, field: string): HttpError {
  const what = arrived === 0 ? 'Nothing' : `Only ${formatNumber(arrived)}`
  const message = `${what} of ${line.productName} ${arrived === 0 ? 'that has arrived is' : arrived === 1 ? 'has arrived and is' : 'have arrived and are'} to be decided${expected > 0 ? `; ${formatNumber(expected)} ${expected === 1 ? 'has' : 'have'} not come yet` : ''}`
  return conflictError(message, 'more_than_arrived', { [field]: message })
}

const outcomeWords = { refund: 'money back', replacement: 'replaced', repair: 'repaired', refused: 'refused' }
const formatDecision = ({ line, quantity, outcome }: NewDecision): string =>
  `${formatItem({ productName: line.productName, quantity })} ${outcomeWords[outcome]}`

type ReturnRefund = { asked: Return; decisions: NewDecision[]; delivery: boolean }
type RecordedRefund = { row: RefundRow; lineIds: Set<string> }

/** @returns undefined where nothing of the money is left to go back */
async function recordReturnRefund(
  tx: Database,
  admin: User,
  order: OrderRow,
  { asked, decisions, delivery }: ReturnRefund,
): Promise<RecordedRefund | undefined> {
  const pieces = new Map<string, number>()
  for (const { _id, quantity, outcome } of decisions) if (outcome === 'refund') pieces.set(_id, (pieces.get(_id) ?? 0) + quantity)
  const plan = refundOfReturned(pieces, { delivery })
  const planned = await findReturnedMoney(tx, order, plan)
  if (planned.length === 0) return undefined
  const row = await recordRefund(tx, admin, order._id, { plan, endsAs: 'refunded', reason: `Return ${formatReturnNumber(asked.number)}` })
  return row && { row, lineIds: new Set(planned.flatMap(({ orderLineId }) => orderLineId ?? [])) }
}

/** The event that they are of is the last one of the order. Triggers refuse more pieces than have arrived. */
async function insertDecisions(tx: Database, asked: Return, decisions: NewDecision[], refund: RecordedRefund | undefined): Promise<void> {
  await tx.insert(returnDecisions).values(
    decisions.map(({ _id, quantity, outcome, restock, reason, hasArrived }) => ({
      returnId: asked._id,
      orderLineId: _id,
      quantity,
      outcome,
      hasArrived,
      isRestocked: restock,
      reason: outcome === 'refused' ? reason : null,
      refundId: outcome === 'refund' && refund?.lineIds.has(_id) ? refund.row._id : null,
      eventId: lastEventOf(asked.orderId),
    })),
  )
}
