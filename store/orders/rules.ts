import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { maximum, type Tool } from '#store/catalogue/contract.ts'
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
 * Takes the pieces from stock and prices the order from the catalogue, whatever cost the browser sent.
 * @throws {Refusal} 404 no such tool; 400 below the minimum; 409 the price or the stock has changed, or the name fits several tools
 */
export function place(db: Database, buyer: User, wish: z.output<typeof NewOrder>): Promise<Order> {
  return db.transaction(async (tx) => {
    const tool = wish.toolId ? await catalogue.find(tx, wish.toolId) : await findByNameAndCost(tx, wish)
    const quantity = wish.productQuantity
    checkQuantity(tool, quantity)

    const cost = tool.price * quantity
    if (cost > maximum.price)
      throw new Refusal(400, `An order costs at most $${maximum.price}`, { productQuantity: `An order costs at most $${maximum.price}` })
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

async function findByNameAndCost(db: Database, { productName, productCost, productQuantity }: z.output<typeof NewOrder>): Promise<Tool> {
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
