import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { allCategories } from '../categories.ts'
import { products } from '../table.ts'

/** How the products for sale spell makers and choices, the most frequent spelling first. */
export type KnownSpellings = { brands: string[]; choices: KnownChoice[] }
/** `products`: how many have it, spelled so */
type KnownChoice = { category: string; key: string; value: string; products: number }

export const listKnownSpellings = async (db: Database): Promise<KnownSpellings> => ({
  brands: await listBrands(db),
  choices: await listChoices(db),
})

/** The spellings of makers in the catalogue, the most frequent first. */
export async function listBrands(db: Database): Promise<string[]> {
  const found = await db
    .select({ brand: products.brand })
    .from(products)
    .where(and(isNotNull(products.brand), isNull(products.removedAt)))
    .groupBy(products.brand)
    .orderBy(sql`count(*) desc`, products.brand)
  return found.flatMap(({ brand }) => brand ?? [])
}

async function listChoices(db: Database): Promise<KnownChoice[]> {
  const asked = allCategories().flatMap(({ key: category, aliases, attributes }) =>
    attributes
      .filter(({ kind, counted }) => kind === 'choice' && !counted)
      .flatMap(({ key }) => [category, ...aliases].map((name) => ({ name, category, key }))),
  )
  const { rows } = await db.execute<KnownChoice>(sql`
    with asked as (select * from json_to_recordset(${JSON.stringify(asked)}::json) as one(name text, category text, key text)),
      stated as (
        select asked.category, key, specs -> key as stated from tools join asked on tools.category = asked.name where removed_at is null and specs ? key
      ),
      chosen as (
        select category, key, stated #>> '{}' as value from stated where jsonb_typeof(stated) = 'string'
        union all
        select category, key, item #>> '{}' from stated, jsonb_array_elements(stated) as item
        where jsonb_typeof(stated) = 'array' and jsonb_typeof(item) = 'string'
      )
    select category, key, value, count(*)::int as products from chosen group by category, key, value order by count(*) desc, value`)
  return rows
}
