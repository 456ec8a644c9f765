import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { inFigures } from '#store/in-figures.ts'
import { categories } from './categories.ts'
import { maximum, type NewTool, type Part, type Tool, type ToolChanges } from './contract.ts'
import { stockMovements, tools } from './table.ts'

const drawings = sql.join(
  categories.flatMap(({ key, aliases, drawing }) => [key, ...aliases].map((name) => sql.raw(`when '${name}' then '${drawing}'`))),
  sql` `,
)

/** The specified fields of a tool. One without a picture of its own shows its category's drawing. */
export const asTool = {
  _id: tools._id,
  name: tools.name,
  img: sql<string>`coalesce(${tools.img}, '/drawings/' || case ${tools.category} ${drawings} else 'part' end || '.svg')`,
  description: tools.description,
  price: tools.price,
  minimum_order_quantity: tools.minimum_order_quantity,
  available_quantity: tools.available_quantity,
}

/** The same with all that is known of the part: what is not known is null, or no key of `specs`. */
export const asPart = {
  ...asTool,
  sku: tools.sku,
  brand: tools.brand,
  mpn: tools.mpn,
  category: tools.category,
  specs: sql<Part['specs']>`coalesce(${tools.specs}, '{}')`,
}

export const forSale = isNull(tools.removedAt)
const noSuchTool = () => new Refusal(404, 'There is no such product')

/** So many products are read at once where all of them are. */
const batch = 500

/** What every visitor asks, prepared once for each connection. */
export function prepareLookups(db: Database) {
  const nextOf = db
    .select({ ...asTool, position: sql<number>`${tools.position}` })
    .from(tools)
    .where(and(sql`${tools.position} > ${sql.placeholder('after')}`, forSale))
    .orderBy(asc(tools.position))
    .limit(batch)
    .prepare('next_tools')
  return {
    /** All products, oldest first, a few hundred at a time. */
    async *all(): AsyncGenerator<Tool[], void> {
      for (let after = 0; ; ) {
        const some = await nextOf.execute({ after })
        if (some.length > 0) yield some
        if (some.length < batch) return
        after = some.at(-1)?.position ?? after
      }
    },
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

type Movement = typeof stockMovements.$inferInsert

/** Writes down pieces that came or went; whoever changes a stock does so in the same transaction. */
const noteMovement = async (db: Database, movement: Movement) => {
  if (movement.pieces !== 0) await db.insert(stockMovements).values(movement)
}

/** @param by the admin's id */
export function add(db: Database, tool: z.output<typeof NewTool>, by: string): Promise<Tool> {
  return db.transaction(async (tx) => {
    const [added] = await tx.insert(tools).values(tool).returning(asTool)
    if (!added) throw new Error('The new product was not returned')
    await noteMovement(tx, { toolId: added._id, pieces: added.available_quantity, reason: 'initial', userId: by })
    return added
  })
}

/** Puts many tools into the catalogue at once, each with its stock, without anybody standing behind it. */
export async function fill(db: Database, filled: (typeof tools.$inferInsert)[]): Promise<void> {
  const added = await db.insert(tools).values(filled).returning({ toolId: tools._id, pieces: tools.available_quantity })
  await db
    .insert(stockMovements)
    .values(added.filter(({ pieces }) => pieces !== 0).map((tool): Movement => ({ ...tool, reason: 'initial' })))
}

/**
 * Sets price, minimum and stock. With `available_quantity_seen` the stock moves by the difference to what the admin saw.
 * @param by the admin's id
 * @throws {Refusal} 404, or 409 when so much was sold or added meanwhile that the difference leads out of what a stock can be
 */
export function update(db: Database, id: string, changes: z.output<typeof ToolChanges>, by: string): Promise<Tool> {
  const { available_quantity, available_quantity_seen, ...rest } = changes
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ stock: tools.available_quantity })
      .from(tools)
      .where(and(eq(tools._id, id), forSale))
      .for('no key update')
    if (!before) throw noSuchTool()
    const pieces = available_quantity - (available_quantity_seen ?? before.stock)
    const stock = before.stock + pieces
    if (stock < 0 || stock > maximum.quantity)
      throw new Refusal(409, `Only ${inFigures(before.stock)} pieces are left now: look at the stock again`, {
        available_quantity: `${inFigures(before.stock)} pieces are left now`,
      })
    const [updated] = await tx
      .update(tools)
      .set({ ...rest, available_quantity: stock })
      .where(eq(tools._id, id))
      .returning(asTool)
    if (!updated) throw new Error('The changed product was not returned')
    await noteMovement(tx, { toolId: id, pieces, reason: 'correction', userId: by })
    return updated
  })
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
 * Puts pieces of an order back into the stock, also of a tool that has left the catalogue.
 * @param by who did it, where it was a person
 */
export async function putBack(
  db: Database,
  movement: { toolId: string; pieces: number; reason: 'release' | 'restock'; orderId: string; userId?: string | null },
) {
  if (movement.pieces === 0) return
  await db
    .update(tools)
    .set({ available_quantity: sql`${tools.available_quantity} + ${movement.pieces}` })
    .where(eq(tools._id, movement.toolId))
  await noteMovement(db, movement)
}
