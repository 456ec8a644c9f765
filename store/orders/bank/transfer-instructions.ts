import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { users } from '#store/identity/table.ts'
import { isVisibleSql, type Viewer } from '#store/orders/buyer.ts'
import { appendEvent } from '#store/orders/order-history.ts'
import { findOrderIdOfLine, orderNotFoundError } from '#store/orders/order-queries.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { findBankAccount, findPaymentSettings } from '#store/orders/payment-methods/rules.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { orderHistory, orders } from '#store/orders/table.ts'
import type { TransferInstructions } from './contract.ts'
import { dueCentsSql } from './find-candidates.ts'

/**
 * How an order is paid by transfer, for its buyer or an admin.
 * @param id of the order or of one of its lines
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function showTransfer(db: Database, viewer: Viewer, id: string): Promise<TransferInstructions> {
  const orderId = await findOrderIdOfLine(db, id)
  const [order] = await db
    .select({
      ...{ number: orders.number, orderStatus: orders.orderStatus, totalCents: orders.totalCents, writtenOffCents: orders.writtenOffCents },
      ...{ holdUntil: orders.holdUntil, transferHoldUntil: orders.transferHoldUntil, dueCents: dueCentsSql },
    })
    .from(orders)
    .where(and(eq(orders._id, orderId), isVisibleSql(viewer)))
  if (!order) throw orderNotFoundError()
  const { card } = await findPaymentSettings(db)
  const { holdUntil, transferHoldUntil, dueCents } = order
  const receivedCents = order.totalCents - order.writtenOffCents - dueCents
  const isHeldLong = transferHoldUntil === null || Date.parse(transferHoldUntil) <= Date.parse(holdUntil)
  return {
    account: await findBankAccount(db),
    reference: creditorReference(order.number),
    ...{ dueCents, receivedCents, holdUntil },
    longHoldUntil: isHeldLong ? null : transferHoldUntil,
    canPayByCard: card && order.orderStatus === 'open' && receivedCents === 0,
  }
}

/** What the link of a guest's mail has beside the link of the order, which their browser knows without the mail. @param secret the store's */
export const createMailProof = (secret: string, orderId: string): string =>
  createHmac('sha256', secret).update(`mail about the order ${orderId}`).digest('hex').slice(0, 32)

/**
 * A guest has opened the link of the mail, so the address is theirs: an order that awaits a transfer is held for as long as one of a known buyer.
 * @throws {HttpError} 404 no such order; 400 it is not the link of the mail
 */
export async function confirmEmail(
  db: Database,
  secret: string,
  viewer: Viewer,
  id: string,
  token: string,
): Promise<{ holdUntil: string }> {
  const orderId = await findOrderIdOfLine(db, id)
  if ((await db.$count(orders, and(eq(orders._id, orderId), isVisibleSql(viewer)))) === 0) throw orderNotFoundError()
  const proof = Buffer.from(createMailProof(secret, orderId))
  const given = Buffer.from(token)
  if (given.length !== proof.length || !timingSafeEqual(given, proof))
    throw new HttpError(400, 'This is not the link of the mail about the order: open it from the mail again')
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const [confirmed] = await tx
      .update(orders)
      .set({
        emailConfirmedAt: sql`coalesce(${orders.emailConfirmedAt}, now())`,
        ...(order.orderStatus === 'open' && { holdUntil: sql`greatest(${orders.holdUntil}, ${orders.transferHoldUntil})` }),
      })
      .where(eq(orders._id, orderId))
      .returning({ holdUntil: orders.holdUntil })
    if (!confirmed) throw orderNotFoundError()
    return confirmed
  })
}

/** Orders per statement, so that it ends well before the statement timeout. */
const maxExtended = 1000

/**
 * Holds what awaits a transfer for its days once its buyer has verified the e-mail. Those of a removed account end at once, see `endBuyerHolds`.
 * Called every minute, before holds end.
 */
export async function extendHoldsOfVerified(db: Database): Promise<void> {
  const verified = db
    .select({ _id: orders._id })
    .from(orders)
    .innerJoin(users, and(eq(users.id, orders.buyerId), eq(users.emailVerified, true), isNull(users.removedAt)))
    .where(and(eq(orders.orderStatus, 'open'), lt(orders.holdUntil, orders.transferHoldUntil)))
    .limit(maxExtended)
  await db
    .update(orders)
    .set({ holdUntil: sql`${orders.transferHoldUntil}` })
    .where(and(inArray(orders._id, verified), eq(orders.orderStatus, 'open')))
}

/** Has buyers reminded of orders whose transfer has not come: two days before the hold ends, or once half of a shorter one is over. Called every minute. */
export async function remindOfTransfers(db: Database): Promise<boolean> {
  const isReminded = sql`exists (select from ${orderHistory} where ${orderHistory.orderId} = ${orders._id} and ${orderHistory.event} = 'transfer reminder')`
  const due = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(
      and(
        eq(orders.orderStatus, 'open'),
        eq(orders.paymentMethod, 'bank_transfer'),
        isNotNull(orders.transferHoldUntil),
        sql`${orders.holdUntil} >= ${orders.transferHoldUntil}`, // a shorter hold is over before a transfer can have come
        sql`now() > ${orders.holdUntil} - least(interval '2 days', (${orders.holdUntil} - ${orders.placedAt}) / 2)`,
        sql`not ${isReminded}`,
      ),
    )
    .limit(maxExtended)
  for (const { _id } of due)
    await db.transaction(async (tx) => {
      const order = await lockOrder(tx, _id)
      const isDue = order.orderStatus === 'open' && (await tx.$count(orders, and(eq(orders._id, _id), sql`not ${isReminded}`))) > 0
      if (isDue) await appendEvent(tx, order, { event: 'transfer reminder', doer: { actor: 'store' }, mail: true })
    })
  return due.length > 0
}
