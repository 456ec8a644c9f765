import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { postgresErrorCode } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { dollarsToCents, formatCents, lineTotal } from '#shared/money.ts'
import type { Product } from '#store/catalogue/contract.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { type BuyerLimits, blockNewOrders, buyerHoldsQuery, findExceededBuyerLimit, hashNetwork } from './buyer-limits.ts'
import {
  type Actor,
  type AdminOrder,
  type AttentionReason,
  attentionReasons,
  buyerVisibleEvents,
  eventsNeedingAttention,
  eventsWithBuyerReason,
  type NewOrder,
  type Order,
  type OrderEvent,
  type OrderForViewer,
  type OrderHistoryEntry,
  type OrderListItem,
  type OrderStatus,
  orderQuantitySchema,
} from './contract.ts'
import { orderHistory, orders, payments, refunds } from './table.ts'

/** The columns that never change after the order was placed. */
const placedOrderColumns = {
  _id: orders._id,
  number: orders.number,
  placedAt: orders.placedAt,
  toolId: orders.toolId,
  productName: orders.productName,
  brand: orders.brand,
  mpn: orders.mpn,
  productQuantity: orders.productQuantity,
  productCost: orders.productCost,
  buyerName: orders.buyerName,
  buyerEmail: orders.buyerEmail,
  buyerAddress: orders.buyerAddress,
  holdUntil: orders.holdUntil,
}
const isChecking = sql<boolean>`${orders.state} = 'open' and ${payments.checkingSince} is not null`
const isPaid = sql<boolean>`${orders.state} in ('paid', 'packed', 'shipped')`
const isUnsentRefund = sql`${refunds.state} = 'asked'`
/**
 * In cents. Includes refunds recorded but not yet sent to the provider. Capped at the amount paid: a refund made in the provider's
 * dashboard may leave too little for the recorded ones, which the provider then rejects.
 */
const refundedCents = sql<number>`coalesce(least(${payments.amountCents}, ${payments.refundedCents}
  + (select coalesce(sum(${refunds.amountCents}), 0) from ${refunds} where ${refunds.paymentId} = ${payments._id} and ${isUnsentRefund})), 0)::integer`
/** What can still be refunded and restocked; used by the refund form and checked again by `requestRefund`. */
const refundable = {
  cents: sql<number>`case when ${isPaid} then ${payments.amountCents} - ${refundedCents} else 0 end`,
  pieces: sql<number>`case when ${isPaid} then ${orders.productQuantity} - ${orders.restocked}
    - (select coalesce(sum(${refunds.restock}), 0) from ${refunds} where ${refunds.orderId} = ${orders._id} and ${isUnsentRefund}) else 0 end::integer`,
}
const orderColumns = {
  ...placedOrderColumns,
  paid: isPaid,
  transectionId: sql<string | null>`case when ${payments.state} = 'succeeded' then ${payments.intentId} end`,
  paidAt: sql<string | null>`case when ${payments.state} = 'succeeded' then ${payments.settledAt} end`.mapWith((at: string) =>
    new Date(at).toISOString(),
  ),
  card: sql<string | null>`case when ${payments.state} = 'succeeded' then ${payments.card} end`,
  state: orders.state,
  refundedCents,
  refundable,
  restocked: orders.restocked,
  checking: isChecking,
}
/** The other fields of an order that was just placed. */
const initialOrderState = {
  paid: false,
  transectionId: null,
  paidAt: null,
  card: null,
  state: 'open',
  refundedCents: 0,
  refundable: { cents: 0, pieces: 0 },
  restocked: 0,
  checking: false,
} as const
/** Whether the buyer's bank disputes the payment, or has decided against the store. */
const isDisputed = sql<boolean>`coalesce(${payments.disputeStatus} not in ('won', 'warning_closed'), false)`

const isUnpaid = sql`${orders.state} = 'open' and ${payments.checkingSince} is null`
/** Whether no admin has acknowledged the order's problems since this event. */
const isUnacknowledged = sql`not exists (select from ${orderHistory} later
  where later.order_id = ${orderHistory.orderId} and later.event = 'looked at' and later.id > ${orderHistory._id})`
const attentionConditions: Record<AttentionReason, SQL> = {
  'hold ends today': sql`${isUnpaid} and ${orders.holdUntil} < (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'`,
  'card declined': sql`${isUnpaid} and exists (select from ${orderHistory}
    where ${orderHistory.orderId} = ${orders._id} and ${orderHistory.event} = 'card declined')`,
  'to be looked at': sql`exists (select from ${orderHistory} where ${orderHistory.orderId} = ${orders._id}
    and ${orderHistory.event} in (${sql.raw(eventsNeedingAttention.map((event) => `'${event}'`).join())}) and ${isUnacknowledged})`,
  'refund under way': sql`exists (select from ${refunds}
    where ${refunds.orderId} = ${orders._id} and ${refunds.state} in ('asked', 'pending'))`,
}
type OrderRequest = z.output<typeof NewOrder>
type IdempotentRequest = { key: string; hash: string }
/** `requestKey`: the buyer's `Idempotency-Key`, if they sent one; `network`: the widest network that the client may have all of. */
export type PlacementContext = { requestKey?: string | undefined; network: string }
/** How long an order holds its pieces, `newBuyerHoldMinutes` for a buyer who has never paid, and the buyer limits. */
export type OrderTerms = { holdMinutes: number; newBuyerHoldMinutes: number; buyerLimits: BuyerLimits | undefined }
type PlacedRow = Record<'number' | 'placed_at' | 'hold_until' | 'product_name', string> & Record<'brand' | 'mpn', string | null>
const uniqueViolation = '23505'
const orderNotFoundError = () => new HttpError(404, 'There is no such order')

/**
 * Places an order: checks its cost against the catalogue, takes its pieces from stock and holds them. The same idempotency key from the
 * same buyer returns the same order, however often it is sent and wherever the first response was lost: the key is in the order's row.
 * @returns isNew: false for such a repetition, where nothing has changed
 * @throws {HttpError} 404 no such product; 400 below the minimum; 409 the price or the stock has changed, several products match the name,
 *   or a buyer limit is exceeded; 422 the key was used for another order; 429 too many orders of the account or of its network
 *   within an hour or a day
 */
export async function place(
  db: Database,
  buyer: User,
  newOrder: OrderRequest,
  terms: OrderTerms,
  { requestKey, network }: PlacementContext,
): Promise<{ order: Order; isNew: boolean }> {
  const hash = createHash('sha256').update(JSON.stringify(newOrder)).digest('base64url')
  const request = requestKey === undefined ? undefined : { key: requestKey, hash }
  try {
    return { order: await insertOrder(db, buyer, newOrder, terms, { request, network: hashNetwork(network) }), isNew: true }
  } catch (error) {
    // Whatever the error: if an earlier request with this key placed an order, that order is the response.
    const placedBefore = request && (await findOrderByRequest(db, buyer, request))
    // After any other error, such as a lost connection, it may be the order of this very call.
    const isRefused = error instanceof HttpError || postgresErrorCode(error) === uniqueViolation
    if (placedBefore) return { order: placedBefore, isNew: !isRefused }
    throw error
  }
}

async function findOrderByRequest(db: Database, buyer: User, { key, hash }: IdempotentRequest): Promise<Order | undefined> {
  const [placed] = await db
    .select({ ...placedOrderColumns, hash: orders.requestHash })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), eq(orders.requestKey, key)))
  if (!placed) return undefined
  if (placed.hash !== hash)
    throw new HttpError(422, 'This Idempotency-Key was used for another order', undefined, { code: 'idempotency_key_reused' })
  return { ...placed, ...initialOrderState }
}

/**
 * One statement, so that the row lock on a popular product is not held for a round trip between store and database. It takes the pieces
 * if the product is for sale at this cost and has enough in stock, and writes the order, the stock movement and the first history event
 * with them. Otherwise, or if a buyer limit would be exceeded, it writes nothing. The buyer's holds are counted and locked first.
 */
async function insertOrder(
  db: Database,
  buyer: User,
  newOrder: OrderRequest,
  terms: OrderTerms,
  { request, network }: { request: IdempotentRequest | undefined; network: string },
): Promise<Order> {
  const toolId = newOrder.toolId ?? (await findProductByNameAndCost(db, newOrder))._id
  const id = crypto.randomUUID()
  const { productQuantity: quantity, productCost: cost } = newOrder
  const { holdMinutes, newBuyerHoldMinutes, buyerLimits } = terms
  if (cost < 1 || cost > productLimits.maxPrice) throw await explainRefusedOrder(db, buyer, toolId, newOrder, terms, network)
  const { rows } = await db.execute<PlacedRow>(sql`
    with buyer as materialized (${buyerHoldsQuery(buyer.id, buyerLimits, newOrder, network)}), tool as (
      update tools set available_quantity = available_quantity - ${quantity}
      where id = ${toolId} and removed_at is null and available_quantity >= ${quantity} and minimum_order_quantity <= ${quantity}
        and price_cents::bigint * ${quantity} = ${cost}::bigint * 100 and exists (select from buyer where over is null)
      returning id, name, brand, mpn, price_cents
    ), placed as (
      insert into orders (id, tool_id, product_name, brand, mpn, unit_price, product_quantity, product_cost, buyer_id, buyer_name, buyer_email,
        buyer_address, phone_number, network, placed_from_network, request_key, request_hash, hold_until)
      select ${id}::uuid, id, name, brand, mpn, price_cents / 100, ${quantity}::integer, ${cost}::integer, ${buyer.id}, ${buyer.name}, ${buyer.email},
        ${newOrder.buyerAddress}, ${newOrder.phone_number ?? null}, (select counted_network from buyer),
        (select placed_from_network from buyer), ${request?.key ?? null}, ${request?.hash ?? null},
        now() + make_interval(mins => case when (select has_paid from buyer) then ${holdMinutes}::integer else ${newBuyerHoldMinutes}::integer end)
      from tool
      returning *
    ), moved as (
      insert into stock_movements (tool_id, pieces, reason, order_id) select tool_id, -product_quantity, 'order', id from placed
    ), noted as (
      insert into order_history (order_id, event, state, actor, user_id, mail_due_at)
      select id, 'placed', 'open', 'buyer', buyer_id, now() from placed
    )
    select number, placed_at, hold_until, product_name, brand, mpn from placed`)
  const [placed] = rows
  if (!placed) throw await explainRefusedOrder(db, buyer, toolId, newOrder, terms, network)
  return {
    _id: id,
    number: Number(placed.number),
    placedAt: new Date(placed.placed_at).toISOString(),
    toolId,
    productName: placed.product_name,
    brand: placed.brand,
    mpn: placed.mpn,
    productQuantity: quantity,
    productCost: cost,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerAddress: newOrder.buyerAddress,
    holdUntil: new Date(placed.hold_until).toISOString(),
    ...initialOrderState,
  }
}

/**
 * The error for an order that was not inserted, with the form's messages. Too few pieces is the buyer's mistake (400). Too many, or another
 * price, means that stock or price has changed meanwhile (409).
 */
async function explainRefusedOrder(
  db: Database,
  buyer: User,
  toolId: string,
  newOrder: OrderRequest,
  { buyerLimits }: OrderTerms,
  network: string,
): Promise<HttpError> {
  const { productQuantity: quantity, productCost } = newOrder
  const tool = await catalogue.find(db, toolId)
  const message = orderQuantitySchema(tool).safeParse(quantity).error?.issues[0]?.message
  if (message) {
    const errors = { productQuantity: message }
    if (quantity > tool.available_quantity) return new HttpError(409, message, errors, { code: 'stock_too_low' })
    return new HttpError(400, message, errors, quantity < tool.minimum_order_quantity ? { code: 'below_minimum' } : {})
  }
  const costCents = lineTotal(dollarsToCents(tool.price), quantity)
  if (dollarsToCents(productCost) !== costCents)
    return new HttpError(409, `The price has changed: ${formatNumber(quantity)} pieces now cost ${formatCents(costCents)}`, undefined, {
      code: 'price_changed',
    })
  const over = buyerLimits && (await findExceededBuyerLimit(db, buyer.id, buyerLimits, newOrder, network))
  if (over) return over
  return new HttpError(409, 'The stock is changing at this moment: try again', undefined, { code: 'stock_changed' })
}

async function findProductByNameAndCost(db: Database, { productName, productCost, productQuantity }: OrderRequest): Promise<Product> {
  const named = await catalogue.listByName(db, productName)
  const costCents = dollarsToCents(productCost)
  const [tool, ...others] =
    named.length > 1 ? named.filter(({ price }) => lineTotal(dollarsToCents(price), productQuantity) === costCents) : named
  if (!tool) throw new HttpError(404, 'There is no such product')
  if (others.length > 0)
    throw new HttpError(409, 'Several products have this name and price: send toolId', undefined, { code: 'ambiguous_product' })
  return tool
}

/**
 * Ends the holds of the open orders of a buyer whose account is removed. `endOverdueOrders` then cancels the orders and restocks their
 * pieces. An order that is being placed concurrently is included, and no order can be placed after it.
 * @param tx the transaction that removes the account
 */
export async function endBuyerHolds(tx: Database, buyerId: string): Promise<void> {
  await blockNewOrders(tx, buyerId)
  const open = tx
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.buyerId, buyerId), eq(orders.state, 'open')))
    .orderBy(asc(orders._id))
    .for('update')
  await tx.update(orders).set({ holdUntil: sql`now()` }).where(inArray(orders._id, open))
}

/** A part of a list that is ordered by falling number: at most `limit` orders, those before `before` where it is given. */
export type OrderPage = { before?: number | undefined; limit: number }
const isBefore = ({ before }: OrderPage) => (before === undefined ? undefined : lt(orders.number, before))

export const listByBuyer = (db: Database, buyerEmail: string, page: OrderPage): Promise<OrderListItem[]> =>
  db
    .select({ ...orderColumns, sku: products.sku })
    .from(orders)
    .innerJoin(products, eq(products._id, orders.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders.buyerEmail, buyerEmail), isBefore(page)))
    .orderBy(desc(orders.number))
    .limit(page.limit)

export function listAll(db: Database, page: OrderPage): Promise<AdminOrder[]> {
  // Looked up for each order of the page: a join would sum up the refunds of all orders for every page.
  const back = sql<AdminOrder['refunds']>`coalesce((select json_agg(json_build_object('amountCents', ${refunds.amountCents}, 'at',
      to_char(${refunds.askedAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by ${refunds.askedAt})
    from ${refunds} where ${refunds.orderId} = ${orders._id} and ${refunds.paymentId} = ${payments._id} and ${refunds.state} <> 'failed'), '[]')`
  const reasons = attentionReasons.map(
    (attention) => sql`case when ${attentionConditions[attention]} then ${sql.raw(`'${attention}'`)} end`,
  )
  return db
    .select({
      ...orderColumns,
      sku: products.sku,
      phone_number: orders.phoneNumber,
      disputed: isDisputed,
      refunds: back,
      attention: sql<AttentionReason[]>`array_remove(array[${sql.join(reasons, sql`, `)}], null)`,
    })
    .from(orders)
    .innerJoin(products, eq(products._id, orders.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(isBefore(page))
    .orderBy(desc(orders.number))
    .limit(page.limit)
}

/** How many orders, and their total cost in whole dollars. */
type OrderCount = { orders: number; cost: number }

/**
 * How many orders of `listAll` have each attention reason, and how many open orders are `unpaid`, or `checking`: the card provider has yet
 * to confirm their payment.
 */
export async function countOrdersNeedingAttention(db: Database): Promise<Record<AttentionReason | 'unpaid' | 'checking', OrderCount>> {
  const count = async (which: SQL): Promise<OrderCount> => {
    const [found] = await db
      .select({ orders: sql<number>`count(*)::integer`, cost: sql`coalesce(sum(${orders.productCost}), 0)`.mapWith(Number) })
      .from(orders)
      .leftJoin(payments, eq(orders.paymentId, payments._id))
      .where(which)
    return found ?? { orders: 0, cost: 0 }
  }
  return {
    'hold ends today': await count(attentionConditions['hold ends today']),
    'card declined': await count(attentionConditions['card declined']),
    'to be looked at': await count(attentionConditions['to be looked at']),
    'refund under way': await count(attentionConditions['refund under way']),
    unpaid: await count(isUnpaid),
    checking: await count(isChecking),
  }
}

/**
 * One order, for its buyer or an admin.
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function findOrder(db: Database, viewer: User, id: string): Promise<OrderForViewer> {
  const isAdmin = viewer.role === 'admin'
  const [order] = await db
    .select({ ...orderColumns, ...(isAdmin && { disputed: isDisputed, phone_number: orders.phoneNumber }) })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, id), isAdmin ? undefined : eq(orders.buyerId, viewer.id)))
  if (!order) throw orderNotFoundError()
  return order
}

/**
 * How much of an order is refunded and how much still can be. Stays correct until the transaction ends if the caller has locked the order
 * and its payment.
 */
export async function getRefundState(tx: Database, id: string): Promise<Pick<Order, 'refundedCents' | 'refundable'>> {
  const [state] = await tx
    .select({ refundedCents, refundable })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(eq(orders._id, id))
  if (!state) throw orderNotFoundError()
  return state
}

/**
 * An order's history, oldest first: all events for an admin, `buyerVisibleEvents` for its buyer.
 * @throws {HttpError} 404 for everybody else, as for an order that does not exist
 */
export async function listHistory(db: Database, viewer: User, id: string): Promise<OrderHistoryEntry[]> {
  const isAdmin = viewer.role === 'admin'
  const entries = await db
    .select({
      event: orderHistory.event,
      state: orderHistory.state,
      at: orderHistory.at,
      actor: orderHistory.actor,
      by: users.email,
      note: orderHistory.note,
      amountCents: orderHistory.amountCents,
      mail: sql<OrderHistoryEntry['mail']>`case when ${orderHistory.mailedAt} is not null then 'sent'
        when ${orderHistory.mailDueAt} is not null then 'due' when ${orderHistory.mailTries} > 0 then 'failed' else 'none' end`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orderHistory.userId))
    .where(
      and(
        eq(orderHistory.orderId, id),
        isAdmin ? undefined : and(eq(orders.buyerId, viewer.id), inArray(orderHistory.event, buyerVisibleEvents)),
      ),
    )
    .orderBy(asc(orderHistory._id))
  if (entries.length === 0) throw orderNotFoundError()
  return isAdmin ? entries : entries.map((entry) => toBuyerHistoryEntry(entry, viewer))
}

/** Removes admins' e-mail addresses and the notes that are for admins. */
const toBuyerHistoryEntry = (entry: OrderHistoryEntry, { email }: User): OrderHistoryEntry => ({
  ...entry,
  by: entry.by === email ? email : null,
  note: eventsWithBuyerReason.has(entry.event) ? entry.note : null,
})

/**
 * Records that an admin has looked at what went wrong with an order.
 * @returns the order's history, with the new event
 * @throws {HttpError} 404 no such order; 409 nothing to acknowledge, or another admin did it first
 */
export function acknowledgeProblems(db: Database, admin: User, id: string): Promise<OrderHistoryEntry[]> {
  return db.transaction(async (tx) => {
    const order = await lock(tx, id)
    const [waiting] = await tx
      .select({ _id: orders._id })
      .from(orders)
      .where(and(eq(orders._id, id), attentionConditions['to be looked at']))
    if (!waiting) throw new HttpError(409, 'There is nothing to look at any more', undefined, { code: 'nothing_to_acknowledge' })
    await appendEvent(tx, order, { event: 'looked at', doer: { actor: 'admin', userId: admin.id } })
    return listHistory(tx, admin, id)
  })
}

export type OrderRow = typeof orders.$inferSelect
export type EventActor = { actor: Actor; userId?: string | null }

/** Locks the order's row until the transaction ends. To avoid deadlocks, orders are always locked before their payments. */
export async function lock(tx: Database, id: string): Promise<OrderRow> {
  const [order] = await tx.select().from(orders).where(eq(orders._id, id)).for('update')
  if (!order) throw orderNotFoundError()
  return order
}

type NewEvent = { event: OrderEvent; doer: EventActor; note?: string | null; amountCents?: number; mail?: boolean }

/** Writes an event of the order's history. With `mail` the buyer gets an email about it. */
export async function appendEvent(
  tx: Database,
  order: Pick<OrderRow, '_id' | 'state'>,
  { event, doer, note, amountCents, mail }: NewEvent,
): Promise<void> {
  await tx.insert(orderHistory).values({
    orderId: order._id,
    event,
    state: order.state,
    actor: doer.actor,
    userId: doer.userId,
    note,
    amountCents,
    ...(mail && { mailDueAt: sql`now()` }),
  })
}

/**
 * Changes the state of an order that the caller has locked, appends the event and restocks pieces.
 * @param restock how many of its pieces go back into stock
 * @throws when the transition is not in `allowedOrderTransitions`: a database trigger rejects it
 */
export async function transition(tx: Database, order: OrderRow, to: OrderStatus, restock: number, newEvent: NewEvent): Promise<OrderRow> {
  const [updated] = await tx
    .update(orders)
    .set({ state: to, restocked: order.restocked + restock })
    .where(eq(orders._id, order._id))
    .returning()
  if (!updated) throw new Error(`Order ${order.number} went away while it was locked`)
  await returnPiecesToStock(
    tx,
    order,
    restock,
    to === 'expired' || (to === 'cancelled' && order.state === 'open') ? 'release' : 'restock',
    newEvent.doer,
  )
  await appendEvent(tx, updated, newEvent)
  return updated
}

/** Restocks pieces of a locked order without changing its state. */
export async function restockPieces(tx: Database, order: OrderRow, pieces: number, doer: EventActor): Promise<void> {
  if (pieces === 0) return
  await tx
    .update(orders)
    .set({ restocked: order.restocked + pieces })
    .where(eq(orders._id, order._id))
  await returnPiecesToStock(tx, order, pieces, 'restock', doer)
}

const returnPiecesToStock = (
  tx: Database,
  { _id, toolId }: OrderRow,
  pieces: number,
  reason: 'release' | 'restock',
  { userId }: EventActor,
) => catalogue.restock(tx, { toolId, pieces, reason, orderId: _id, userId })
