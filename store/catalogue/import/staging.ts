import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { maximum, type StockChoice } from '../contract.ts'
import { importRows } from '../table.ts'

/**
 * Puts parts beside the catalogue, to be compared with it.
 * @param importId whose they are: an import, or a run of the command
 * @param parts a JSON array of what `readParts` gives
 */
export async function stage(db: Database, importId: string, parts: string): Promise<void> {
  // One parameter however many rows there are, and one statement for each batch: no transaction is open meanwhile.
  await db.execute(sql`
    insert into import_rows (import_id, row, sku, name, brand, mpn, category, description, img, price, minimum_order_quantity,
      available_quantity, available_quantity_seen, specs, specs_known, specs_unknown)
    select ${importId}::uuid, r.* from json_to_recordset(${parts}::json) as r (row integer, sku text, name text, brand text,
      mpn text, category text, description text, img text, price integer, minimum_order_quantity integer, available_quantity integer,
      available_quantity_seen integer, specs jsonb, specs_known jsonb, specs_unknown text[])`)
}

/** So that PostgreSQL plans with the rows that are there now, not with those of another file. */
export async function takeStockOfStaged(db: Database): Promise<void> {
  await db.execute(sql`analyze import_rows`)
}

/** Takes an import's rows away again. */
export async function unstage(db: Database, importId: string): Promise<void> {
  await db.delete(importRows).where(sql`${importRows.importId} = ${importId}`)
}

/**
 * What each field is to become, of a staged row `s` and its product `t`, if there is one: what the file leaves out stays as it is. Where the
 * file says which stock it saw, the difference is added to the stock of now, so that what was sold meanwhile stays sold.
 */
export const meant = (stock: StockChoice) => ({
  name: sql`coalesce(s.name, t.name)`,
  brand: sql`nullif(coalesce(s.brand, t.brand), '')`,
  mpn: sql`nullif(coalesce(s.mpn, t.mpn), '')`,
  category: sql`nullif(coalesce(s.category, t.category), '')`,
  description: sql`case when s.description <> '' then s.description when s.description is null and t.id is not null then t.description
    else coalesce(s.name, t.name) end`,
  img: sql`nullif(coalesce(s.img, t.img), '')`,
  price: sql`coalesce(s.price, t.price)`,
  minimum_order_quantity: sql`coalesce(s.minimum_order_quantity, t.minimum_order_quantity)`,
  available_quantity: sql`case when t.id is null then s.available_quantity when s.available_quantity is null then t.available_quantity
    when s.available_quantity_seen is not null
      then least(greatest(t.available_quantity + s.available_quantity - s.available_quantity_seen, 0), ${sql.raw(String(maximum.quantity))})
    else ${stock === 'set' ? sql`s.available_quantity` : sql`t.available_quantity`} end`,
  specs: sql`(coalesce(s.specs, t.specs, '{}') - coalesce(s.specs_unknown, '{}')) || coalesce(s.specs_known, '{}')`,
})

/** Whether the stock of the product `t` would be replaced, as its row `s` does not say which stock it saw. */
export const setsStock: SQL = sql`(t.id is not null and s.available_quantity_seen is null and s.available_quantity <> t.available_quantity)`

/** Whether the stock of the product `t` would move by the difference between what its row `s` says and what it saw. */
export const movesStock: SQL = sql`(t.id is not null and s.available_quantity_seen is not null
  and ${meant('keep').available_quantity} <> t.available_quantity)`

/** How many pieces a row `s` takes away that its product `t` no longer has: none of a new product, and none where it does not say which stock it saw. */
export const shortPieces: SQL = sql`greatest(coalesce(s.available_quantity_seen - s.available_quantity - t.available_quantity, 0), 0)`

/** Whether anything of a product `t` is to become different by its row `s`. One that was taken out of the catalogue comes back. */
export const differs = (stock: StockChoice): SQL => sql`(t.removed_at is not null or (${sql.join(Object.values(meant(stock)), sql`, `)})
  is distinct from (t.name, t.brand, t.mpn, t.category, t.description, t.img, t.price, t.minimum_order_quantity, t.available_quantity,
  coalesce(t.specs, '{}')))`
