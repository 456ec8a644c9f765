import { asc, eq, sql } from 'drizzle-orm'
import { type Database, executePrepared, selectPrepared } from '#platform/database.ts'
import { ownPriceSql } from '#store/catalogue/pricing/own-prices.ts'
import { productDetailsColumns } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { piecesHeldForCartSql } from '#store/orders/details/rules.ts'
import type { OfferedProduct, StoredCartLine } from './cart-lines.ts'
import { cartLines } from './table.ts'

/* The lines of a cart with their products, read and written all at once: a list that is pasted has a hundred. */

type CartOf = { cartId: string; userId: string | null }

const offeredColumns = (userId: string | null, cartId?: string) => {
  const { specs: _, description: __, ...columns } = productDetailsColumns
  const inStock = products.available_quantity
  return {
    ...columns,
    taxClass: products.tax_class,
    weightGrams: products.weightGrams,
    available_quantity: cartId ? sql<number>`${inStock} + ${piecesHeldForCartSql(cartId)}` : sql<number>`${inStock}`,
    isForSale: sql<boolean>`${products.removedAt} is null`,
    ownCents: userId === null ? sql<null>`null` : sql<number | null>`(select own_cents from ${ownPriceSql(userId)} own)`,
  }
}

/** Products as a buyer can have them, sold or not; for a cart what its own unpaid order holds counts as in stock. */
export const findOfferedProducts = (db: Database, ids: string[], userId: string | null, cartId?: string): Promise<OfferedProduct[]> =>
  selectPrepared(
    db
      .select(offeredColumns(userId, cartId))
      .from(products)
      .where(sql`${products._id} = any(${sql.param(ids)}::uuid[])`),
  )

/** The lines of a cart, in the order in which they were put in. */
export const readLines = (db: Database, { cartId, userId }: CartOf): Promise<StoredCartLine[]> =>
  selectPrepared(
    db
      .select({
        product: offeredColumns(userId, cartId),
        quantity: cartLines.quantity,
        seenPriceCents: cartLines.seenPriceCents,
        cappedFrom: cartLines.cappedFrom,
      })
      .from(cartLines)
      .innerJoin(products, eq(products._id, cartLines.toolId))
      .where(eq(cartLines.cartId, cartId))
      .orderBy(asc(cartLines.position)),
  )

/** Writes lines of a cart that the transaction has locked; new ones stand behind the others, in this order. */
export async function writeLines(tx: Database, cartId: string, lines: StoredCartLine[]): Promise<void> {
  if (lines.length === 0) return
  const column = (values: (string | number | null)[]) => sql.param(values)
  await executePrepared(
    tx,
    sql`insert into cart_lines (cart_id, tool_id, quantity, seen_price_cents, capped_from)
      select ${cartId}::uuid, tool_id, quantity, seen_price_cents, capped_from
      from unnest(${column(lines.map(({ product }) => product._id))}::uuid[], ${column(lines.map(({ quantity }) => quantity))}::integer[],
        ${column(lines.map(({ seenPriceCents }) => seenPriceCents))}::integer[], ${column(lines.map(({ cappedFrom }) => cappedFrom))}::integer[])
        with ordinality as line (tool_id, quantity, seen_price_cents, capped_from, nth)
      order by nth
      on conflict (cart_id, tool_id) do update
        set quantity = excluded.quantity, seen_price_cents = excluded.seen_price_cents, capped_from = excluded.capped_from`,
  )
}
