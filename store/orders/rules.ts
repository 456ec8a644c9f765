import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Tool } from '#store/catalogue/contract.ts'
import { maximum } from '#store/catalogue/contract.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { tools } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { inFigures } from '#store/in-figures.ts'
import { askWhatIsHeld, type BuyerLimits, hashedNetwork, keepFromOrdering, overLimit } from './buyer-limits.ts'
import {
  type Actor,
  type Attention,
  attentions,
  type Booking,
  eventsForBuyers,
  eventsToLookAt,
  type HistoryLine,
  type ListedOrder,
  type NewOrder,
  type Order,
  type OrderEvent,
  type OrderState,
  quantityFor,
  reasonsForBuyers,
  type ShownOrder,
} from './contract.ts'
import { orderHistory, orders, payments, refunds } from './table.ts'

/** What of an order stays as it was when it was placed. */
const asPlaced = {
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
const asked = sql`${refunds.state} = 'asked'`
/**
 * In cents. Includes refunds that are recorded and not yet sent to the provider. Never more than was paid: one made at the provider's own
 * site may leave too little for those, which the provider then refuses.
 */
const refundedCents = sql<number>`coalesce(least(${payments.amountCents}, ${payments.refundedCents}
  + (select coalesce(sum(${refunds.amountCents}), 0) from ${refunds} where ${refunds.paymentId} = ${payments._id} and ${asked})), 0)::integer`
/** What can still go back: the refund form offers it and the rule that takes a refund asks for it. */
const refundable = {
  cents: sql<number>`case when ${isPaid} then ${payments.amountCents} - ${refundedCents} else 0 end`,
  pieces: sql<number>`case when ${isPaid} then ${orders.productQuantity} - ${orders.restocked}
    - (select coalesce(sum(${refunds.restock}), 0) from ${refunds} where ${refunds.orderId} = ${orders._id} and ${asked}) else 0 end::integer`,
}
const asOrder = {
  ...asPlaced,
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
/** What else an order is while nothing has happened to it yet. */
const untouched = {
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
const disputed = sql<boolean>`coalesce(${payments.disputeStatus} not in ('won', 'warning_closed'), false)`

const isUnpaid = sql`${orders.state} = 'open' and ${payments.checkingSince} is null`
/** What has happened to an order since an admin said that they have looked at it, or ever. */
const sinceLookedAt = sql`not exists (select from ${orderHistory} later
  where later.order_id = ${orderHistory.orderId} and later.event = 'looked at' and later.id > ${orderHistory._id})`
const wants: Record<Attention, SQL> = {
  'hold ends today': sql`${isUnpaid} and ${orders.holdUntil} < (date_trunc('day', now() at time zone 'utc') + interval '1 day') at time zone 'utc'`,
  'card declined': sql`${isUnpaid} and exists (select from ${orderHistory}
    where ${orderHistory.orderId} = ${orders._id} and ${orderHistory.event} = 'card declined')`,
  'to be looked at': sql`${orders._id} in (select ${orderHistory.orderId} from ${orderHistory}
    where ${orderHistory.event} in (${sql.raw(eventsToLookAt.map((event) => `'${event}'`).join())}) and ${sinceLookedAt})`,
  'refund under way': sql`${orders._id} in (select ${refunds.orderId} from ${refunds} where ${refunds.state} in ('asked', 'pending'))`,
}
type Wish = z.output<typeof NewOrder>
type Request = { key: string; hash: string }
/** How an order comes in: the buyer's `Idempotency-Key`, if they sent one, and the network that they send it from. */
export type Sent = { requestKey?: string | undefined; network: string }
/** What the shop lets buyers order: how long an order holds its pieces, the first of a buyer who has never paid, and at most how much. */
export type Terms = { holdMinutes: number; holdMinutesFirst: number; buyerLimits: BuyerLimits | undefined }
type PlacedRow = Record<'number' | 'placed_at' | 'hold_until' | 'product_name', string> & Record<'brand' | 'mpn', string | null>
const noSuchOrder = () => new Refusal(404, 'There is no such order')

/**
 * Places an order: prices it from the catalogue, takes its pieces from the stock and holds them. The same key from the same buyer again
 * is the same answer, however often it comes and wherever the first one got lost; the key stands in the order's own row.
 * @throws {Refusal} 404 no such tool; 400 below the minimum; 409 the price or the stock has changed, the name fits several tools, or the
 *   buyer has as much waiting for payment as they may; 422 the key was used for another order; 429 too many orders within an hour
 */
export async function place(db: Database, buyer: User, wish: Wish, terms: Terms, { requestKey, network }: Sent): Promise<Order> {
  const hash = createHash('sha256').update(JSON.stringify(wish)).digest('base64url')
  const request = requestKey === undefined ? undefined : { key: requestKey, hash }
  try {
    return await take(db, buyer, wish, terms, { request, network: hashedNetwork(network) })
  } catch (error) {
    // Whatever stopped this one: if the same request was here before, the answer is that one's.
    const answered = request && (await answerTo(db, buyer, request))
    if (answered) return answered
    throw error
  }
}

async function answerTo(db: Database, buyer: User, { key, hash }: Request): Promise<Order | undefined> {
  const [placed] = await db
    .select({ ...asPlaced, hash: orders.requestHash })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), eq(orders.requestKey, key)))
  if (!placed) return undefined
  if (placed.hash !== hash) throw new Refusal(422, 'This Idempotency-Key was used for another order')
  return { ...placed, ...untouched }
}

/**
 * One statement, so that the row of a tool that everybody wants is locked for no trip between store and database: it takes the pieces
 * where the tool is for sale at this cost and has as many, and with them writes the order, the movement of stock and the beginning of
 * its history. Without the pieces nothing is written, nor beyond what its buyer may have waiting: that is counted first, and held.
 */
async function take(
  db: Database,
  buyer: User,
  wish: Wish,
  terms: Terms,
  { request, network }: { request: Request | undefined; network: string },
): Promise<Order> {
  const toolId = wish.toolId ?? (await findByNameAndCost(db, wish))._id
  const id = crypto.randomUUID()
  const { productQuantity: quantity, productCost: cost } = wish
  const { holdMinutes, holdMinutesFirst, buyerLimits } = terms
  if (cost < 1 || cost > maximum.price) throw await whyNot(db, buyer, toolId, wish, terms, network)
  const { rows } = await db.execute<PlacedRow>(sql`
    with buyer as materialized (${askWhatIsHeld(buyer.id, buyerLimits, wish, network)}), tool as (
      update tools set available_quantity = available_quantity - ${quantity}
      where id = ${toolId} and removed_at is null and available_quantity >= ${quantity} and minimum_order_quantity <= ${quantity}
        and price::bigint * ${quantity} = ${cost} and exists (select from buyer where over is null)
      returning id, name, brand, mpn, price
    ), placed as (
      insert into orders (id, tool_id, product_name, brand, mpn, unit_price, product_quantity, product_cost, buyer_id, buyer_name, buyer_email,
        buyer_address, phone_number, network, request_key, request_hash, hold_until)
      select ${id}::uuid, id, name, brand, mpn, price, ${quantity}::integer, ${cost}::integer, ${buyer.id}, ${buyer.name}, ${buyer.email},
        ${wish.buyerAddress}, ${wish.phone_number ?? null}, (select counted_network from buyer), ${request?.key ?? null}, ${request?.hash ?? null},
        now() + make_interval(mins => case when (select has_paid from buyer) then ${holdMinutes}::integer else ${holdMinutesFirst}::integer end)
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
  if (!placed) throw await whyNot(db, buyer, toolId, wish, terms, network)
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
    buyerAddress: wish.buyerAddress,
    holdUntil: new Date(placed.hold_until).toISOString(),
    ...untouched,
  }
}

/** The words are the form's. Too few is the buyer's mistake; too many, or another price, means that others were faster. */
async function whyNot(db: Database, buyer: User, toolId: string, wish: Wish, { buyerLimits }: Terms, network: string): Promise<Refusal> {
  const { productQuantity: quantity, productCost } = wish
  const tool = await catalogue.find(db, toolId)
  const message = quantityFor(tool).safeParse(quantity).error?.issues[0]?.message
  if (message) return new Refusal(quantity > tool.available_quantity ? 409 : 400, message, { productQuantity: message })
  const cost = tool.price * quantity
  if (productCost !== cost) return new Refusal(409, `The price has changed: ${inFigures(quantity)} pieces now cost $${inFigures(cost)}`)
  const over = buyerLimits && (await overLimit(db, buyer.id, buyerLimits, wish, network))
  if (over) return over
  return new Refusal(409, 'The stock is changing at this moment: try again')
}

async function findByNameAndCost(db: Database, { productName, productCost, productQuantity }: Wish): Promise<Tool> {
  const named = await catalogue.findByName(db, productName)
  const [tool, ...others] = named.length > 1 ? named.filter(({ price }) => price * productQuantity === productCost) : named
  if (!tool) throw new Refusal(404, 'There is no such product')
  if (others.length > 0) throw new Refusal(409, 'Several products have this name and price: send toolId')
  return tool
}

/**
 * The open orders of a buyer whose account is removed: their holds end now, and who ends holds gives their pieces back. An order that is
 * being placed at this moment is among them, and no other comes after.
 * @param tx the transaction that removes the account
 */
export async function endHoldsOf(tx: Database, buyerId: string): Promise<void> {
  await keepFromOrdering(tx, buyerId)
  const open = tx
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.buyerId, buyerId), eq(orders.state, 'open')))
    .orderBy(asc(orders._id))
    .for('update')
  await tx.update(orders).set({ holdUntil: sql`now()` }).where(inArray(orders._id, open))
}

export const listOf = (db: Database, buyerEmail: string): Promise<ListedOrder[]> =>
  db
    .select({ ...asOrder, sku: tools.sku })
    .from(orders)
    .innerJoin(tools, eq(tools._id, orders.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(eq(orders.buyerEmail, buyerEmail))
    .orderBy(desc(orders.number))

export function listAll(db: Database): Promise<Booking[]> {
  const back = db
    .select({
      orderId: refunds.orderId,
      paymentId: refunds.paymentId,
      all: sql<Booking['refunds']>`json_agg(json_build_object('amountCents', ${refunds.amountCents}, 'at',
        to_char(${refunds.askedAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by ${refunds.askedAt})`.as('all'),
    })
    .from(refunds)
    .where(ne(refunds.state, 'failed'))
    .groupBy(refunds.orderId, refunds.paymentId)
    .as('back')
  const reasons = attentions.map((attention) => sql`case when ${wants[attention]} then ${sql.raw(`'${attention}'`)} end`)
  return db
    .select({
      ...asOrder,
      sku: tools.sku,
      phone_number: orders.phoneNumber,
      disputed,
      refunds: sql<Booking['refunds']>`coalesce(${back.all}, '[]')`,
      attention: sql<Attention[]>`array_remove(array[${sql.join(reasons, sql`, `)}], null)`,
    })
    .from(orders)
    .innerJoin(tools, eq(tools._id, orders.toolId))
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .leftJoin(back, and(eq(back.orderId, orders._id), eq(back.paymentId, payments._id)))
    .orderBy(desc(orders.number))
}

/** So many orders, and what they cost together in whole dollars. */
type Waiting = { orders: number; cost: number }

/**
 * How many orders an admin would find in each list of `listAll` that asks for attention, and among all that are open: unpaid ones, and ones
 * of which the card provider is to say whether they are paid.
 */
export async function countWaiting(db: Database): Promise<Record<Attention | 'unpaid' | 'checking', Waiting>> {
  const count = async (which: SQL): Promise<Waiting> => {
    const [found] = await db
      .select({ orders: sql<number>`count(*)::integer`, cost: sql`coalesce(sum(${orders.productCost}), 0)`.mapWith(Number) })
      .from(orders)
      .leftJoin(payments, eq(orders.paymentId, payments._id))
      .where(which)
    return found ?? { orders: 0, cost: 0 }
  }
  return {
    'hold ends today': await count(wants['hold ends today']),
    'card declined': await count(wants['card declined']),
    'to be looked at': await count(wants['to be looked at']),
    'refund under way': await count(wants['refund under way']),
    unpaid: await count(isUnpaid),
    checking: await count(isChecking),
  }
}

/**
 * One order, for its buyer or an admin.
 * @throws {Refusal} 404 for everybody else, as for what does not exist
 */
export async function show(db: Database, asking: User, id: string): Promise<ShownOrder> {
  const isAdmin = asking.role === 'admin'
  const [order] = await db
    .select({ ...asOrder, ...(isAdmin && { disputed, phone_number: orders.phoneNumber }) })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(and(eq(orders._id, id), isAdmin ? undefined : eq(orders.buyerId, asking.id)))
  if (!order) throw noSuchOrder()
  return order
}

/**
 * How much of an order's money has gone back and what can still go back. Holds until the transaction ends where the caller has locked the
 * order and its payment.
 */
export async function refundState(tx: Database, id: string): Promise<Pick<Order, 'refundedCents' | 'refundable'>> {
  const [state] = await tx
    .select({ refundedCents, refundable })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments._id))
    .where(eq(orders._id, id))
  if (!state) throw noSuchOrder()
  return state
}

/**
 * What happened to an order, oldest first: all of it for an admin, for its buyer what concerns them.
 * @throws {Refusal} 404 for everybody else, as for what does not exist
 */
export async function history(db: Database, asking: User, id: string): Promise<HistoryLine[]> {
  const isAdmin = asking.role === 'admin'
  const lines = await db
    .select({
      event: orderHistory.event,
      state: orderHistory.state,
      at: orderHistory.at,
      actor: orderHistory.actor,
      by: users.email,
      note: orderHistory.note,
      amountCents: orderHistory.amountCents,
      mail: sql<HistoryLine['mail']>`case when ${orderHistory.mailedAt} is not null then 'sent'
        when ${orderHistory.mailDueAt} is not null then 'due' else 'none' end`,
    })
    .from(orderHistory)
    .innerJoin(orders, eq(orders._id, orderHistory.orderId))
    .leftJoin(users, eq(users.id, orderHistory.userId))
    .where(
      and(
        eq(orderHistory.orderId, id),
        isAdmin ? undefined : and(eq(orders.buyerId, asking.id), inArray(orderHistory.event, eventsForBuyers)),
      ),
    )
    .orderBy(asc(orderHistory._id))
  if (lines.length === 0) throw noSuchOrder()
  return isAdmin ? lines : lines.map((line) => asTold(line, asking))
}

/** A line as its order's buyer reads it: no admin's name, and no word that was written for admins. */
const asTold = (line: HistoryLine, { email }: User): HistoryLine => ({
  ...line,
  by: line.by === email ? email : null,
  note: reasonsForBuyers.has(line.event) ? line.note : null,
})

/**
 * An admin has looked at what went wrong with an order.
 * @returns its history with that in it
 * @throws {Refusal} 404 no such order; 409 there is nothing to look at, or no more
 */
export function noteLookedAt(db: Database, admin: User, id: string): Promise<HistoryLine[]> {
  return db.transaction(async (tx) => {
    const order = await lock(tx, id)
    const [waiting] = await tx
      .select({ _id: orders._id })
      .from(orders)
      .where(and(eq(orders._id, id), wants['to be looked at']))
    if (!waiting) throw new Refusal(409, 'There is nothing to look at any more')
    await note(tx, order, { event: 'looked at', doer: { actor: 'admin', userId: admin.id } })
    return history(tx, admin, id)
  })
}

export type OrderRow = typeof orders.$inferSelect
export type Doer = { actor: Actor; userId?: string | null }

/** The order's row, held until the transaction ends. Orders are locked before their payments, everywhere. */
export async function lock(tx: Database, id: string): Promise<OrderRow> {
  const [order] = await tx.select().from(orders).where(eq(orders._id, id)).for('update')
  if (!order) throw noSuchOrder()
  return order
}

type Told = { event: OrderEvent; doer: Doer; note?: string | null; amountCents?: number; mail?: boolean }

/** Writes a line of the order's history. With `mail` the buyer gets a mail that tells of it. */
export async function note(
  tx: Database,
  order: Pick<OrderRow, '_id' | 'state'>,
  { event, doer, note, amountCents, mail }: Told,
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
 * Takes an order, which the caller has locked, a step further, and writes down that it did; what it gives back goes into stock with it.
 * @param restock how many of its pieces go back into stock
 * @throws when the step is none that an order may take: the database refuses it
 */
export async function step(tx: Database, order: OrderRow, to: OrderState, restock: number, told: Told): Promise<OrderRow> {
  const [stepped] = await tx
    .update(orders)
    .set({ state: to, restocked: order.restocked + restock })
    .where(eq(orders._id, order._id))
    .returning()
  if (!stepped) throw new Error(`Order ${order.number} went away while it was locked`)
  await putBack(tx, order, restock, to === 'expired' || (to === 'cancelled' && order.state === 'open') ? 'release' : 'restock', told.doer)
  await note(tx, stepped, told)
  return stepped
}

/** Gives pieces of a locked order back while its state stays. */
export async function giveBack(tx: Database, order: OrderRow, pieces: number, doer: Doer): Promise<void> {
  if (pieces === 0) return
  await tx
    .update(orders)
    .set({ restocked: order.restocked + pieces })
    .where(eq(orders._id, order._id))
  await putBack(tx, order, pieces, 'restock', doer)
}

const putBack = (tx: Database, { _id, toolId }: OrderRow, pieces: number, reason: 'release' | 'restock', { userId }: Doer) =>
  catalogue.putBack(tx, { toolId, pieces, reason, orderId: _id, userId })
