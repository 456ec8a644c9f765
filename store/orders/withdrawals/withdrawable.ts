import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, type HttpError } from '#platform/http-error.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { formatDay } from '#shared/format-day.ts'
import { shopDay } from '#shared/shop-day.ts'
import { findDeliverySettings } from '#store/delivery/rules.ts'
import { shopHolidays } from '#store/delivery/table.ts'
import { findDetailsOfOrder } from '#store/orders/details/rules.ts'
import { documents } from '#store/orders/documents/table.ts'
import { joinItems, type Order } from '#store/orders/order-contract.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { findReturnable, findReturnsOfOrder } from '#store/orders/returns/find-returns.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { returnDecisions } from '#store/orders/returns/table.ts'
import { findAssumedDays } from '#store/orders/shipments/deliveries.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import { orderLines, orders } from '#store/orders/table.ts'
import { findShopCountry } from '#store/tax/rules.ts'
import type { Withdrawal } from './contract.ts'
import { findWithdrawals } from './find-withdrawals.ts'
import { isWithdrawalCountry, lastDayToWithdraw } from './period.ts'

type PiecesInReturn = { returnId: string; number: number; quantity: number }

/**
 * A line with the pieces that can be withdrawn from: `unsent` are cancelled, `sent` come back. `inReturns`: of the latter, those of returns that were
 * asked for and in which they are not decided.
 */
export type WithdrawableLine = { _id: string; productName: string; unsent: number; sent: number; inReturns: PiecesInReturn[] }

export type Withdrawable = {
  order: Order
  withdrawn: Withdrawal[]
  isByLaw: boolean
  /** the last day; null: the period has not begun */
  until: string | null
  lines: WithdrawableLine[]
  /** the numbers of the returns with pieces that were decided to be sent to the buyer again, and are still in the shop */
  toResend: number[]
  /** why nothing can be withdrawn from */
  refusal: HttpError | undefined
}

/** What of an order its buyer can withdraw from now. Stays correct until the transaction ends if the caller has locked the order. */
export async function findWithdrawable(db: Database, orderId: string): Promise<Withdrawable> {
  const order = await findOrderById(db, orderId)
  const withdrawn = await findWithdrawals(db, orderId)
  const returns = await findReturnsOfOrder(db, orderId)
  const lines = (await findLines(db, order, returns))
    .map((line) => withoutWithdrawn(line, order, withdrawn))
    .filter((line) => piecesOf(line) > 0)
  const until = await findLastDay(db, order)
  const offer = await findOffer(db, order)
  const toResend = returns.filter((each) => each.lines.some((line) => line.toResend > 0)).map((each) => each.number)
  const refusal = refusalOf({ order, withdrawn, lines, until, offer, toResend })
  return { order, withdrawn, isByLaw: offer === 'law', until, lines, toResend, refusal }
}

type Offer = 'law' | 'shop' | 'business' | 'elsewhere'

/**
 * Who has the right: a consumer who is delivered to in the EU or the EEA. Who has named a company or a VAT id, or belongs to a company, is none. An
 * order that names no country, which only calls without a checkout place, is taken to go to the shop's.
 */
async function findOffer(db: Database, { _id, country }: Order): Promise<Offer> {
  const [placed] = await db.select({ companyId: orders.companyId }).from(orders).where(eq(orders._id, _id))
  const typed = await findTypedBuyer(db, _id)
  if (placed?.companyId || typed?.company || typed?.vatId) return 'business'
  const deliveredTo = country ?? (await findShopCountry(db))
  if (deliveredTo !== null && isWithdrawalCountry(deliveredTo)) return 'law'
  return (await findDeliverySettings(db)).withdrawalEverywhere ? 'shop' : 'elsewhere'
}

/** What was typed at the checkout: a correction changes the details of an order, but not its first invoice. */
async function findTypedBuyer(db: Database, orderId: string): Promise<{ company: string | null; vatId: string | null } | null> {
  const [first] = await db
    .select({ data: documents.data })
    .from(documents)
    .where(and(eq(documents.orderId, orderId), eq(documents.kind, 'invoice'), isNull(documents.corrects)))
  return first ? first.data.buyer : findDetailsOfOrder(db, orderId)
}

async function findLastDay(db: Database, { _id, lines, country }: Order): Promise<string | null> {
  const parcels = await db
    .select({ deliveredOn: shipments.deliveredOn, sentAt: shipments.sentAt })
    .from(shipments)
    .where(and(eq(shipments.orderId, _id), isNull(shipments.returnId), isNull(shipments.takenBackAt)))
  const holidays = await db.select({ day: shopHolidays.day }).from(shopHolidays).orderBy(asc(shopHolidays.day))
  const assumedOn = await findAssumedDays(db)
  const today = shopDay(new Date())
  return lastDayToWithdraw({
    deliveredOn: parcels.map(({ deliveredOn, sentAt }) => {
      if (deliveredOn !== null) return deliveredOn
      const day = assumedOn({ sentAt, country }) // the job may not have come to this parcel yet
      return day <= today ? day : null
    }),
    isToSend: lines.some(({ toSend }) => toSend > 0),
    holidays: holidays.map(({ day }) => day),
  })
}

async function findLines(db: Database, order: Order, returns: Return[]): Promise<WithdrawableLine[]> {
  const { orderStatus, lines } = order
  if (orderStatus === 'open')
    return lines.map(({ _id, productName, quantity, inTotal }) => ({
      _id,
      productName,
      unsent: inTotal ? quantity : 0,
      sent: 0,
      inReturns: [],
    }))
  if (orderStatus !== 'placed' && orderStatus !== 'completed') return []
  const returnable = new Map((await findReturnable(db, order._id)).map(({ _id, pieces }) => [_id, pieces]))
  const refunded = await findPiecesRefundedByReturns(db, order._id)
  const asked = undecidedPieces(returns)
  return lines.map((line) => {
    const { _id, productName, quantity, sent, toSend, refundedPieces, chargedCents, refundedCents } = line
    if (refundedCents === chargedCents) return { _id, productName, unsent: 0, sent: 0, inReturns: [] }
    // Refunds by piece take unsent pieces first. What of them is neither that nor of a return was given back while the buyer keeps the piece.
    const keptAndRefunded = Math.max(0, refundedPieces - (quantity - sent - toSend) - (refunded.get(_id) ?? 0))
    const [withBuyer, inReturns] = [returnable.get(_id) ?? 0, asked.filter(({ lineId }) => lineId === _id)]
    const left = firstPieces(inReturns, sumOf(inReturns) - Math.max(0, keptAndRefunded - withBuyer))
    return { _id, productName, unsent: toSend, sent: Math.max(0, withBuyer - keptAndRefunded) + sumOf(left), inReturns: left }
  })
}

/** Pieces of returns in which they are neither decided nor withdrawn from, those of the oldest return first. */
const undecidedPieces = (returns: Return[]): (PiecesInReturn & { lineId: string })[] =>
  returns
    .filter(({ status }) => status === 'open')
    .flatMap(({ _id: returnId, number, lines }) =>
      lines.map(({ _id: lineId, quantity, decisions, toRefund }) => {
        return { lineId, returnId, number, quantity: quantity - sumOf(decisions) - toRefund }
      }),
    )
    .filter(({ quantity }) => quantity > 0)

/** So many pieces of a line: those that were not sent first, then those that the buyer has, and those of returns last. */
export function firstOfLine(line: WithdrawableLine, quantity: number): WithdrawableLine {
  const unsent = Math.min(quantity, line.unsent)
  const sent = Math.min(quantity - unsent, line.sent)
  return { ...line, unsent, sent, inReturns: firstPieces(line.inReturns, sent - withBuyerOf(line)) }
}

/** Of the pieces of a line that were sent, those that are in no return. */
export const withBuyerOf = ({ sent, inReturns }: WithdrawableLine): number => sent - sumOf(inReturns)

function firstPieces<Pieces extends { quantity: number }>(list: Pieces[], quantity: number): Pieces[] {
  let left = Math.max(0, quantity)
  return list.flatMap((pieces) => {
    const taken = Math.min(left, pieces.quantity)
    left -= taken
    return taken > 0 ? [{ ...pieces, quantity: taken }] : []
  })
}

const sumOf = (list: { quantity: number }[]): number => list.reduce((sum, { quantity }) => sum + quantity, 0)

/** No piece is withdrawn from twice: one whose refund was refused is unsent again, and stays withdrawn from. */
function withoutWithdrawn(line: WithdrawableLine, { lines }: Order, withdrawn: Withdrawal[]): WithdrawableLine {
  const quantity = lines.find(({ _id }) => _id === line._id)?.quantity ?? 0
  return firstOfLine(line, quantity - sumOf(withdrawn.flatMap((each) => each.lines.filter(({ _id }) => _id === line._id))))
}

async function findPiecesRefundedByReturns(db: Database, orderId: string): Promise<Map<string, number>> {
  const found = await db
    .select({ _id: returnDecisions.orderLineId, pieces: sql<number>`sum(${returnDecisions.quantity})::integer` })
    .from(returnDecisions)
    .innerJoin(orderLines, eq(orderLines._id, returnDecisions.orderLineId))
    .where(and(eq(orderLines.orderId, orderId), isNotNull(returnDecisions.refundId)))
    .groupBy(returnDecisions.orderLineId)
  return new Map(found.map(({ _id, pieces }) => [_id, pieces]))
}

type Found = Pick<Withdrawable, 'order' | 'withdrawn' | 'lines' | 'until' | 'toResend'> & { offer: Offer }

/** Why nothing of an order can be withdrawn from, in words. */
function refusalOf({ order, withdrawn, lines, until, offer, toResend }: Found): HttpError | undefined {
  const { number, orderStatus } = order
  const last = withdrawn.at(-1)
  if (last && lines.length === 0 && toResend.length === 0)
    return conflictError(
      `All of order ${number} that could be was withdrawn from by ${formatDateTime(last.at)}: the receipt went to ${last.email}`,
      'nothing_to_withdraw',
    )
  if (orderStatus === 'cancelled' || orderStatus === 'expired')
    return conflictError(
      `Order ${number} ${orderStatus === 'cancelled' ? 'is cancelled' : 'has expired'}, so there is no contract to withdraw from`,
      'nothing_to_withdraw',
    )
  if (offer === 'business')
    return conflictError(
      `Order ${number} was placed for a business: the right to withdraw is for consumers. Ask for a return on the page of the order, or write to us`,
      'withdrawal_not_offered',
    )
  if (offer === 'elsewhere')
    return conflictError(
      `Order ${number} is delivered where the law gives no right to withdraw. Ask for a return on the page of the order, or write to us`,
      'withdrawal_not_offered',
    )
  if (lines.length === 0 && toResend.length === 0)
    return conflictError(
      `All of order ${number} is returned, cancelled or refunded already: nothing is left to withdraw from`,
      'nothing_to_withdraw',
    )
  if (until !== null && shopDay(new Date()) > until)
    return conflictError(
      `The time to withdraw from order ${number} ended on ${formatDay(until)}. Ask for a return on the page of the order, or write to us`,
      'withdrawal_ended',
    )
  if (lines.length === 0)
    return conflictError(
      `What is left of order ${number} is here, and will be sent to you again as it was decided of ${returnNumbers(toResend)}: withdraw from it then`,
      'nothing_to_withdraw',
    )
  return undefined
}

/** "return R1001 and R1002" */
export const returnNumbers = (numbers: number[]): string => `return ${joinItems(numbers.map(formatReturnNumber))}`

/** How many pieces of a line of an order can be withdrawn from. */
export const piecesOf = ({ unsent, sent }: Pick<WithdrawableLine, 'unsent' | 'sent'>): number => unsent + sent
