import { and, asc, desc, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { categoryOf } from '../categories.ts'
import { lowBelowOrders } from '../contract.ts'
import { partsByIds } from '../parts.ts'
import { forSale } from '../rules.ts'
import { tools } from '../table.ts'
import type { Answered, Asked } from './asked.ts'
import { foldPartNumber, wordsAsked } from './fold.ts'

/**
 * Answers while the index is being built: the same filters and orders, words as they are spelled, no facets. It reads every product, which
 * is right for a second or two after a start and slow for a shop.
 */
export async function askInSql(db: Database, asked: Asked): Promise<Answered> {
  const { q, category, brands, price, inStock, stock, pieces, choices, ranges, sort = '', offset, limit } = asked
  const defined = categoryOf(category ?? null)
  const contains = (text: SQL, part: string) => sql`strpos(${text}, ${part}) > 0`
  const text = sql`lower(concat_ws(' ', ${tools.name}, ${tools.brand}, ${tools.mpn}, ${tools.sku}, ${tools.category}, ${tools.description}, ${tools.specs}))`
  const partNumber = sql`regexp_replace(lower(concat_ws(' ', ${tools.mpn}, ${tools.sku})), '[^a-z0-9 ]', '', 'g')`
  const words = wordsAsked(q)
  const filters = [
    forSale,
    q.trim() === ''
      ? undefined
      : words.length === 0
        ? sql`false`
        : sql`(${and(...words.map((word) => contains(text, word)))} or ${contains(partNumber, foldPartNumber(q))})`,
    category === undefined ? undefined : inArray(tools.category, defined ? [defined.key, ...defined.aliases] : [category]),
    brands.length > 0 ? inArray(tools.brand, brands) : undefined,
    price.min === undefined ? undefined : gte(tools.price, sql`${price.min}::float8`),
    price.max === undefined ? undefined : lte(tools.price, sql`${price.max}::float8`),
    inStock ? gte(tools.available_quantity, tools.minimum_order_quantity) : undefined,
    stock === undefined ? undefined : levels[stock],
    pieces === undefined ? undefined : sql`${tools.minimum_order_quantity} <= ${pieces} and ${tools.available_quantity} >= ${pieces}`,
    ...[...choices].map(([key, chosen]) => chosenIn(key, chosen)),
    ...[...ranges].map(([key, { min, max }]) => {
      const number = numberAt(key)
      return and(
        min === undefined ? undefined : sql`${number} >= ${min}::float8`,
        max === undefined ? undefined : sql`${number} <= ${max}::float8`,
      )
    }),
  ]
  const by = sort.replace(/^-/, '')
  const columns: Record<string, SQL> = {
    price: sql`${tools.price}`,
    name: sql`lower(${tools.name})`,
    minimum: sql`${tools.minimum_order_quantity}`,
    available: sql`${tools.available_quantity}`,
  }
  const order = by.startsWith('spec.') ? numberAt(by.slice(5)) : columns[by]
  const found = await db
    .select({ id: tools._id, total: sql<number>`count(*) over ()::integer` })
    .from(tools)
    .where(and(...filters))
    .orderBy(
      ...(by === 'newest' ? [desc(tools.position)] : []),
      ...(order ? [sort.startsWith('-') ? sql`${order} desc nulls last` : sql`${order} nulls last`] : []),
      asc(tools.position),
    )
    .offset(offset)
    .limit(limit)
  const ids = found.map(({ id }) => id)
  const parts = await partsByIds(db, ids)
  return { total: found[0]?.total ?? 0, ids, cards: parts.map((part) => JSON.stringify(part)), facets: [] }
}

/** What `stockLevel` of the contract says. */
const levels = {
  out: lt(tools.available_quantity, tools.minimum_order_quantity),
  low: and(
    gte(tools.available_quantity, tools.minimum_order_quantity),
    sql`${tools.available_quantity} < ${lowBelowOrders} * ${tools.minimum_order_quantity}`,
  ),
}

const numberAt = (key: string): SQL =>
  sql`case when jsonb_typeof(${tools.specs} -> ${key}::text) = 'number' then (${tools.specs} ->> ${key}::text)::float8 end`

const chosenIn = (key: string, chosen: string[]): SQL => sql`exists (
  select from jsonb_path_query(${tools.specs} -> ${key}::text, '$[*]') as said
  where case said #>> '{}' when 'true' then 'Yes' when 'false' then 'No' else said #>> '{}' end = any(${sql.param(chosen)}::text[]))`
