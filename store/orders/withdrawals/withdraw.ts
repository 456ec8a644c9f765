import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { conflictError, HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import { formatNumber } from '#shared/format-number.ts'
import { shopDay } from '#shared/shop-day.ts'
import { addDays } from '#store/delivery/delivery-days.ts'
import type { User } from '#store/identity/contract.ts'
import { recordOwnerNotices } from '#store/identity/owner-notices.ts'
import { users } from '#store/identity/table.ts'
import type { Viewer } from '#store/orders/buyer.ts'
import { standardDeliveryCents } from '#store/orders/details/delivery-of-rest.ts'
import { formatItem, joinItems } from '#store/orders/order-contract.ts'
import { appendEvent, type EventActor, lastEventOf } from '#store/orders/order-history.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { assertWithinAdminRefundLimit, notifyOwnersOfManyRefunds } from '#store/orders/payments/admin-refund-limits.ts'
import { cancelPieces } from '#store/orders/payments/cancel-pieces.ts'
import type { CardProvider } from '#store/orders/payments/card-provider.ts'
import { endUnpaidOrder } from '#store/orders/payments/end-order.ts'
import { insertRefund, type NewRefundLine } from '#store/orders/payments/refund-lines.ts'
import { cancellationOfAll, cancellationOfPieces } from '#store/orders/payments/refund-plans.ts'
import { lockOrderForRefund } from '#store/orders/payments/refunds.ts'
import { doerOf, openReturn } from '#store/orders/returns/open-return.ts'
import { returns } from '#store/orders/returns/table.ts'
import { findOrderLines, lockOrder, type OrderRow } from '#store/orders/rules.ts'
import { orderHistory, orders, payments } from '#store/orders/table.ts'
import type { Withdrawal, WithdrawalBody } from './contract.ts'
import { findWithdrawals } from './find-withdrawals.ts'
import { refundDays } from './period.ts'
import { withdrawalLines, withdrawals, withdrawnReturnLines } from './table.ts'
import {
  findWithdrawable,
  firstOfLine,
  piecesOf,
  returnNumbers,
  type Withdrawable,
  type WithdrawableLine,
  withBuyerOf,
} from './withdrawable.ts'

/** The withdrawals from one order in a day: each writes mails. */
const perDay = { max: 10, seconds: 24 * 3600 }

/**
 * Receives the declaration that a consumer withdraws from the contract. What was not sent is cancelled and refunded, what was sent becomes a return,
 * and an order that is not paid is cancelled, in the transaction that keeps the declaration with its receipt.
 * @param viewer whoever has the page's secret address comes as the holder of the order's link
 * @throws {HttpError} 404 no such order or line; 400 a line is named twice; 409 it cannot be withdrawn from, or not so many pieces; 429 too
 *   often, or more than admins who are no owners can refund within an hour; 503 the card provider does not know whether the order was paid
 */
export async function withdraw(db: Database, cards: CardProvider, viewer: Viewer, id: string, body: WithdrawalBody): Promise<Withdrawal> {
  const { _id: orderId } = await findOrder(db, viewer, id)
  const doer = await findDoer(db, viewer, orderId)
  const { order, ...found } = await findWithdrawable(db, orderId)
  choosePieces({ order, ...found }, body)
  await enforceRateLimit(db, `withdrawals of ${orderId}`, perDay, 'Too many withdrawals from this order')
  if (order.orderStatus === 'open') {
    const withdrawal = await withdrawUnpaid(db, cards, orderId, body, doer)
    if (withdrawal) return withdrawal // else it was paid at this moment
  }
  return db.transaction(async (tx) => {
    if (viewer.role === 'guest' || doer.actor !== 'admin') return withdrawPaid(tx, await lockOrder(tx, orderId), body, doer)
    const locked = await lockOrderForRefund(tx, viewer, orderId)
    return withdrawPaid(tx, locked.order, body, { ...doer, limited: locked.isLimited ? viewer : undefined })
  })
}

/** Whoever has the page's secret address acts as the buyer. */
async function findDoer(db: Database, viewer: Viewer, orderId: string): Promise<EventActor> {
  if (viewer.role !== 'guest') return doerOf(db, viewer, orderId)
  const [order] = await db.select({ userId: orders.buyerId }).from(orders).where(eq(orders._id, orderId))
  return { actor: 'buyer', userId: order?.userId ?? null }
}

async function withdrawUnpaid(
  db: Database,
  cards: CardProvider,
  orderId: string,
  body: WithdrawalBody,
  doer: EventActor,
): Promise<Withdrawal | undefined> {
  let withdrawal: Withdrawal | undefined
  await endUnpaidOrder(db, cards, orderId, {
    to: 'cancelled',
    doer,
    mail: false, // the receipt says it
    before: async (tx, order) => {
      const found = await findWithdrawable(tx, orderId)
      const chosen = choosePieces(found, body)
      const eventId = await appendWithdrawn(tx, order, chosen, { ...body, doer })
      withdrawal = await insertWithdrawal(tx, orderId, { ...body, chosen, eventId, deliveryCents: 0 })
    },
  })
  return withdrawal
}

/** `limited`: the admin, if they are no owner */
type Doer = EventActor & { limited?: User | undefined }
type Declared = Pick<WithdrawalBody, 'name' | 'email'>

async function withdrawPaid(tx: Database, order: OrderRow, body: WithdrawalBody, { limited, ...doer }: Doer): Promise<Withdrawal> {
  if (order.paymentId) await tx.select().from(payments).where(eq(payments._id, order.paymentId)).for('update')
  const found = await findWithdrawable(tx, order._id)
  const chosen = choosePieces(found, body)
  const eventId = await appendWithdrawn(tx, order, chosen, { ...body, doer })
  const refund = await planRefund(tx, order, found, chosen)
  const amountCents = refund.reduce((sum, line) => sum + line.amountCents, 0)
  if (limited) await assertWithinAdminRefundLimit(tx, amountCents)
  const refundId = amountCents > 0 ? await recordRefund(tx, order, { lines: refund, amountCents, doer }) : null
  if (limited) await notifyOwnersOfManyRefunds(tx, limited)
  const withBuyer = chosen
    .map((line) => ({ _id: line._id, quantity: withBuyerOf(line), reason: null }))
    .filter(({ quantity }) => quantity > 0)
  const moneyDueOn = addDays(shopDay(new Date()), refundDays)
  const returned =
    withBuyer.length > 0 ? await openReturn(tx, order, { cause: 'withdrawal', lines: withBuyer, doer, moneyDueOn }) : undefined
  if (amountCents === 0) await cancelWithoutMoney(tx, order, { lines: refund, doer })
  const deliveryCents = refund.reduce((sum, line) => sum + (line.isDelivery ? line.amountCents : 0), 0)
  return insertWithdrawal(tx, order._id, { ...body, chosen, eventId, refundId, returnId: returned?._id, deliveryCents, moneyDueOn })
}

/**
 * The pieces that are meant.
 * @throws {HttpError} 404, 400 and 409
 */
function choosePieces(found: Withdrawable, { lines: asked }: Pick<WithdrawalBody, 'lines'>): WithdrawableLine[] {
  const { order, lines, refusal } = found
  if (refusal) throw refusal
  if (!asked) return lines
  const quantities = new Map<string, number>()
  for (const [index, { _id, quantity }] of asked.entries()) {
    const ordered = order.lines.find((line) => line._id === _id)
    if (!ordered) throw new HttpError(404, 'There is no such line in this order')
    const field = `lines.${index}.quantity`
    if (quantities.has(_id)) throw new HttpError(400, 'This line is named twice', { [field]: 'This line is named twice' })
    const line = lines.find((line) => line._id === _id)
    const left = line ? piecesOf(line) : 0
    if (quantity > left) throw moreThanLeftError(found, field, ordered, left)
    quantities.set(_id, quantity)
  }
  const isPart = lines.some((line) => quantities.get(line._id) !== piecesOf(line))
  if (order.orderStatus === 'open' && isPart)
    throw conflictError(
      `Order ${order.number} is not paid, so you withdraw from all of it, or cancel a part of it on its page`,
      'order_not_paid',
    )
  return lines.flatMap((line) => {
    const quantity = quantities.get(line._id) ?? 0
    return quantity > 0 ? [firstOfLine(line, quantity)] : []
  })
}

function moreThanLeftError(
  { withdrawn, toResend }: Withdrawable,
  field: string,
  line: { _id: string; productName: string },
  left: number,
): HttpError {
  const before = withdrawn
    .flatMap(({ lines }) => lines.filter(({ _id }) => _id === line._id))
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const what = left === 0 ? `Nothing of ${line.productName} is left` : `Only ${formatItem({ ...line, quantity: left })} is left`
  const why = [
    before > 0 && `${formatNumber(before)} withdrawn from before`,
    toResend.length > 0 && `what was decided of ${returnNumbers(toResend)} has to be sent to you first`,
    before === 0 && toResend.length === 0 && 'the rest is returned, cancelled or refunded',
  ].filter((reason) => typeof reason === 'string')
  const message = `${what} to withdraw from: ${why.join(', ')}`
  return conflictError(message, 'more_than_left', { [field]: message })
}

/**
 * What goes back at once: for what was not sent, and for the delivery once the buyer keeps nothing and nothing is sent to them again. Of an order of which nothing was sent
 * that is all that was paid for the delivery, else no more than the cheapest delivery would cost (Directive 2011/83/EU, Article 13).
 */
async function planRefund(tx: Database, order: OrderRow, found: Withdrawable, chosen: WithdrawableLine[]): Promise<NewRefundLine[]> {
  if (!order.paymentId || !order.isPaid) return []
  const isAll =
    found.toResend.length === 0 &&
    found.lines.every((line) => chosen.some(({ _id, unsent, sent }) => _id === line._id && unsent + sent === piecesOf(line)))
  if (isAll && order.fulfilmentStatus === 'to_send' && found.order.refundable.cents > 0) return cancellationOfAll(found.order)
  const unsent = chosen.filter((line) => line.unsent > 0).map(({ _id, unsent }) => ({ _id, quantity: unsent }))
  const lines = cancellationOfPieces(unsent)(found.order)
  if (!isAll) return lines
  const { refundable, refundableDeliveryCents, chargedDeliveryCents } = found.order
  const besideCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const owedCents = await standardDeliveryCents(tx, order, await findOrderLines(tx, order._id), chargedDeliveryCents)
  const amountCents = Math.min(owedCents, refundableDeliveryCents, refundable.cents - besideCents)
  return amountCents > 0 ? [...lines, { orderLineId: null, isDelivery: true, amountCents }] : lines
}

/** Cancels unsent pieces whose money had gone back before. */
async function cancelWithoutMoney(
  tx: Database,
  order: OrderRow,
  { lines, doer }: { lines: NewRefundLine[]; doer: EventActor },
): Promise<void> {
  if (!order.paymentId || lines.length === 0) return
  await cancelPieces(tx, order, { refund: { paymentId: order.paymentId, orderId: order._id, endsAs: 'cancelled', ...doer }, lines })
}

/** The worker asks the card provider for it. */
async function recordRefund(
  tx: Database,
  order: OrderRow,
  { lines, amountCents, doer }: { lines: NewRefundLine[]; amountCents: number; doer: EventActor },
): Promise<string> {
  const { _id: orderId, paymentId } = order
  if (!paymentId) throw new Error(`Order ${order.number} has lost its payment`)
  const endsAs = lines.some(({ orderLineId }) => orderLineId !== null) ? 'cancelled' : 'refunded'
  const { _id } = await insertRefund(tx, { paymentId, orderId, amountCents, endsAs, ...doer }, lines)
  await appendEvent(tx, order, { event: 'refund asked', doer, amountCents })
  return _id
}

/** @returns the id of the event, whose mail is the receipt */
async function appendWithdrawn(
  tx: Database,
  order: OrderRow,
  chosen: WithdrawableLine[],
  { name, email, doer }: Declared & { doer: EventActor },
): Promise<number> {
  const items = joinItems(chosen.map((line) => formatItem({ ...line, quantity: piecesOf(line) })))
  await appendEvent(tx, order, { event: 'withdrawn', doer, note: `${name}, ${email}`, items, mail: true })
  const [admin] =
    doer.actor === 'admin' && doer.userId ? await tx.select({ email: users.email }).from(users).where(eq(users.id, doer.userId)) : []
  await recordOwnerNotices(tx, { event: 'withdrawal', about: `order ${order.number}`, by: admin?.email, detail: items })
  const [event] = await tx
    .select({ id: orderHistory._id })
    .from(orderHistory)
    .where(eq(orderHistory._id, lastEventOf(order._id)))
  if (!event) throw new Error('The event was not found')
  return event.id
}

type NewWithdrawal = Omit<typeof withdrawals.$inferInsert, 'orderId'> & { chosen: WithdrawableLine[]; moneyDueOn?: string }

async function insertWithdrawal(tx: Database, orderId: string, { chosen, moneyDueOn, ...declared }: NewWithdrawal): Promise<Withdrawal> {
  const { name, email, deliveryCents, eventId, refundId, returnId } = declared
  const [row] = await tx.insert(withdrawals).values({ orderId, name, email, deliveryCents, eventId, refundId, returnId }).returning()
  if (!row) throw new Error('The new withdrawal was not returned')
  await tx
    .insert(withdrawalLines)
    .values(chosen.map((line) => ({ withdrawalId: row._id, orderLineId: line._id, quantity: piecesOf(line), sent: line.sent })))
  const taken = chosen.flatMap((line) =>
    line.inReturns.map(({ returnId, quantity }) => ({ withdrawalId: row._id, returnId, orderLineId: line._id, quantity })),
  )
  if (taken.length > 0 && moneyDueOn) await takeOver(tx, taken, moneyDueOn)
  const inserted = (await findWithdrawals(tx, orderId)).find(({ _id }) => _id === row._id)
  if (!inserted) throw new Error('The new withdrawal was not found')
  return inserted
}

/** Pieces of returns that were asked for become those of a withdrawal: a trigger counts them, so that nobody refuses them. */
async function takeOver(tx: Database, taken: (typeof withdrawnReturnLines.$inferInsert)[], moneyDueOn: string): Promise<void> {
  await tx.insert(withdrawnReturnLines).values(taken)
  const ids = taken.map(({ returnId }) => returnId)
  await tx
    .update(returns)
    .set({ moneyDueOn })
    .where(and(inArray(returns._id, ids), isNull(returns.moneyDueOn)))
}
