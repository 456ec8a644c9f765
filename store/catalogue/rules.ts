import { and, asc, between, eq, gte, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { maximum, type NewTool, type Tool, type ToolChanges } from './contract.ts'
import { tools } from './table.ts'

/** The specified fields of a tool. One without a picture of its own shows its category's drawing. */
const asTool = {
  _id: tools._id,
  name: tools.name,
  img: sql<string>`coalesce(${tools.img}, '/drawings/' || coalesce(${tools.category}, 'part') || '.svg')`,
  description: tools.description,
  price: tools.price,
  minimum_order_quantity: tools.minimum_order_quantity,
  available_quantity: tools.available_quantity,
}

const forSale = isNull(tools.removedAt)
const noSuchTool = () => new Refusal(404, 'There is no such product')

/** The two questions that every visitor asks, prepared once for each connection. */
export function prepareLookups(db: Database) {
  return {
    all: db.select(asTool).from(tools).where(forSale).orderBy(asc(tools.position)).prepare('all_tools'),
    one: db
      .select(asTool)
      .from(tools)
      .where(and(eq(tools._id, sql.placeholder('id')), forSale))
      .prepare('one_tool'),
  }
}

/** @throws {Refusal} 404 when it is not in the catalogue */
export async function find(db: Database, id: string): Promise<Tool> {
  const [tool] = await db
    .select(asTool)
    .from(tools)
    .where(and(eq(tools._id, id), forSale))
  if (!tool) throw noSuchTool()
  return tool
}

/** All tools in the catalogue under this name; names are not unique. */
export const findByName = (db: Database, name: string): Promise<Tool[]> =>
  db
    .select(asTool)
    .from(tools)
    .where(and(eq(tools.name, name), forSale))

export async function add(db: Database, tool: z.output<typeof NewTool>): Promise<Tool> {
  const [added] = await db.insert(tools).values(tool).returning(asTool)
  if (!added) throw new Error('The new product was not returned')
  return added
}

/**
 * Sets price, minimum and stock. With `available_quantity_seen` the stock moves by the difference to what the admin saw.
 * @throws {Refusal} 404, or 409 when so much was sold or added meanwhile that the difference leads out of what a stock can be
 */
export async function update(db: Database, id: string, changes: z.output<typeof ToolChanges>): Promise<Tool> {
  const { available_quantity, available_quantity_seen, ...rest } = changes
  const difference = available_quantity_seen === undefined ? undefined : available_quantity - available_quantity_seen
  const stock = difference === undefined ? available_quantity : sql<number>`${tools.available_quantity} + ${difference}`
  const [updated] = await db
    .update(tools)
    .set({ ...rest, available_quantity: stock })
    .where(
      and(
        eq(tools._id, id),
        forSale,
        difference === undefined ? undefined : between(sql`${tools.available_quantity} + ${difference}`, 0, maximum.quantity),
      ),
    )
    .returning(asTool)
  if (updated) return updated
  const { available_quantity: left } = await find(db, id)
  throw new Refusal(409, `Only ${left} pieces are left now: look at the stock again`, { available_quantity: `${left} pieces are left now` })
}

/** Takes a tool out of the catalogue. The row stays for the orders that name it. */
export async function remove(db: Database, id: string): Promise<Tool> {
  const [removed] = await db
    .update(tools)
    .set({ removedAt: sql`now()` })
    .where(and(eq(tools._id, id), forSale))
    .returning(asTool)
  if (!removed) throw noSuchTool()
  return removed
}

/**
 * Takes pieces from the stock, or nothing. The condition stands in the statement itself: between a look and this line others may buy.
 * @returns whether there were as many
 */
export async function takeFromStock(db: Database, id: string, pieces: number): Promise<boolean> {
  const taken = await db
    .update(tools)
    .set({ available_quantity: sql`${tools.available_quantity} - ${pieces}` })
    .where(and(eq(tools._id, id), forSale, gte(tools.available_quantity, pieces)))
  return taken.rowCount === 1
}
