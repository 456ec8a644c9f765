import { createHash } from 'node:crypto'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Tool } from '#store/catalogue/contract.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import type { User } from '#store/identity/contract.ts'
import { type NewOrder, type Order, quantityFor } from './contract.ts'
import { orders, payments } from './table.ts'

const asOrder = {
  _id: orders._id,
  number: orders.number,
  placedAt: orders.placedAt,
  toolId: orders.toolId,
  productName: orders.productName,
  productQuantity: orders.productQuantity,
  productCost: orders.productCost,
  buyerName: orders.buyerName,
  buyerEmail: orders.buyerEmail,
  buyerAddress: orders.buyerAddress,
  paid: sql<boolean>`coalesce(${payments.state} = 'succeeded', false)`,
  transectionId: sql<string | null>`case when ${payments.state} = 'succeeded' then ${payments.intentId} end`,
}

const select = (db: Database, which?: SQL): Promise<Order[]> =>
  db.select(asOrder).from(orders).leftJoin(payments, eq(orders.paymentId, payments._id)).where(which).orderBy(desc(orders.number))

/**
 * Places an order. The same key from the same buyer again is the same order, however often it comes and wherever the first answer got lost.
 * @param requestKey the buyer's `Idempotency-Key`, if they sent one
 * @throws {Refusal} 422 when the key was used for another order; else as `take`
 */
export async function place(db: Database, buyer: User, wish: Wish, requestKey?: string): Promise<Order> {
  if (requestKey === undefined) return take(db, buyer, wish)
  const request = { key: requestKey, hash: createHash('sha256').update(JSON.stringify(wish)).digest('base64url') }
  const placed = await placedBefore(db, buyer, request)
  if (placed) return placed
  try {
    return await take(db, buyer, wish, request)
  } catch (error) {
    // At the same moment the same request was faster; whatever stopped this one, the answer is that one's order.
    const placedMeanwhile = await placedBefore(db, buyer, request)
    if (placedMeanwhile) return placedMeanwhile
    throw error
  }
}

type Wish = z.output<typeof NewOrder>
type Request = { key: string; hash: string }

async function placedBefore(db: Database, buyer: User, { key, hash }: Request): Promise<Order | undefined> {
  const which = and(eq(orders.buyerId, buyer.id), eq(orders.requestKey, key))
  const [found] = await db.select({ hash: orders.requestHash }).from(orders).where(which)
  if (!found) return undefined
  if (found.hash !== hash) throw new Refusal(422, 'This Idempotency-Key was used for another order')
  const [order] = await select(db, which)
  return order
}

/**
 * Takes the pieces from stock and prices the order from the catalogue, whatever cost the browser sent.
 * @throws {Refusal} 404 no such tool; 400 below the minimum; 409 the price or the stock has changed, or the name fits several tools
 */
function take(db: Database, buyer: User, wish: Wish, request?: Request): Promise<Order> {
  return db.transaction(async (tx) => {
    const tool = wish.toolId ? await catalogue.find(tx, wish.toolId) : await findByNameAndCost(tx, wish)
    const quantity = wish.productQuantity
    checkQuantity(tool, quantity)

    const cost = tool.price * quantity
    if (wish.productCost !== cost) throw new Refusal(409, `The price has changed: ${quantity} pieces now cost $${cost}`)

    if (!(await catalogue.takeFromStock(tx, tool._id, quantity))) {
      checkQuantity(await catalogue.find(tx, tool._id), quantity)
      throw new Refusal(409, 'The stock is changing at this moment: try again')
    }

    const [order] = await tx
      .insert(orders)
      .values({
        toolId: tool._id,
        productName: tool.name,
        unitPrice: tool.price,
        productQuantity: quantity,
        productCost: cost,
        buyerId: buyer.id,
        buyerName: buyer.name,
        buyerEmail: buyer.email,
        buyerAddress: wish.buyerAddress,
        phoneNumber: wish.phone_number,
        requestKey: request?.key,
        requestHash: request?.hash,
      })
      .returning()
    if (!order) throw new Error('The new order was not returned')
    return { ...order, paid: false, transectionId: null }
  })
}

/** The words are the form's. Too few is the buyer's mistake; too many means that others were faster. */
function checkQuantity(tool: Tool, quantity: number) {
  const checked = quantityFor(tool).safeParse(quantity)
  const message = checked.error?.issues[0]?.message
  if (message) throw new Refusal(quantity > tool.available_quantity ? 409 : 400, message, { productQuantity: message })
}

async function findByNameAndCost(db: Database, { productName, productCost, productQuantity }: Wish): Promise<Tool> {
  const named = await catalogue.findByName(db, productName)
  const [tool, ...others] = named.length > 1 ? named.filter(({ price }) => price * productQuantity === productCost) : named
  if (!tool) throw new Refusal(404, 'There is no such product')
  if (others.length > 0) throw new Refusal(409, 'Several products have this name and price: send toolId')
  return tool
}

export const listOf = (db: Database, buyerEmail: string): Promise<Order[]> => select(db, eq(orders.buyerEmail, buyerEmail))

export const listAll = (db: Database): Promise<Order[]> => select(db)

/**
 * One order, for its buyer or an admin.
 * @throws {Refusal} 404 for everybody else, as for what does not exist
 */
export async function show(db: Database, asking: User, id: string): Promise<Order> {
  const [order] = await select(db, and(eq(orders._id, id), asking.role === 'admin' ? undefined : eq(orders.buyerId, asking.id)))
  if (!order) throw new Refusal(404, 'There is no such order')
  return order
}
