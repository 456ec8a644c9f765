import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { products } from '../table.ts'
import { type Definitions, type MendedValue, maxReportedMends } from './contract.ts'
import { listBrands } from './known-spellings.ts'
import { createMender, type Mend } from './mend-values.ts'
import { findNewestRevision, readDefinitionsInUse } from './stored-definitions.ts'
import { catalogueDefinitions } from './table.ts'

/** Products per query. */
const batchSize = 500

type MendedProduct = {
  _id: string
  category: string | null
  brand: string | null
  specs: Record<string, unknown> | null
  mendedBrand: string | null
  mendedSpecs: Record<string, unknown> | null
  mends: Mend[]
}

/** Batches of the products that the definitions write otherwise. */
async function* findProductsToMend(db: Database, definitions: Definitions): AsyncGenerator<MendedProduct[]> {
  // Without the spellings of choices: what products have stays, if the definitions do not say otherwise.
  const { spellBrand, mendSpecs } = createMender(definitions, { brands: await listBrands(db), choices: [] })
  for (let last = 0; ; ) {
    const batch = await db
      .select({
        ...{ _id: products._id, position: sql<number>`${products.position}`, category: products.category, brand: products.brand },
        specs: products.specs,
      })
      .from(products)
      .where(gt(products.position, last))
      .orderBy(products.position)
      .limit(batchSize)
    const mended = batch.map(({ position: _, ...product }) => {
      const { specs, mends } = product.specs ? mendSpecs(product.category, product.specs) : { specs: null, mends: [] }
      const brand = product.brand === null ? null : spellBrand(product.brand)
      const all = brand === product.brand ? mends : [{ field: 'brand', before: product.brand, after: brand }, ...mends]
      return { ...product, mendedBrand: brand, mendedSpecs: specs, mends: all }
    })
    yield mended.filter(({ mends }) => mends.length > 0)
    if (batch.length < batchSize) return
    last = batch.at(-1)?.position ?? last
  }
}

/** What mending the products by these definitions would change. */
export async function countMends(db: Database, definitions: Definitions): Promise<{ mends: MendedValue[]; mendedProducts: number }> {
  const counts = new Map<string, MendedValue>()
  let mendedProducts = 0
  for await (const batch of findProductsToMend(db, definitions))
    for (const { category, mends } of batch) {
      mendedProducts++
      for (const { field, before, after } of mends) {
        const counted = { field, category: field === 'brand' ? null : category, before: show(before), after: show(after) }
        const key = JSON.stringify(counted)
        const known = counts.get(key)
        if (known) known.products++
        else counts.set(key, { ...counted, products: 1 })
      }
    }
  const mends = [...counts.values()].sort((one, other) => other.products - one.products).slice(0, maxReportedMends)
  return { mends, mendedProducts }
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200)

/**
 * Mends the products by the definitions in use, if that has not been done. Safe to repeat: a product that is changed meanwhile is left as it
 * is, and a crash leaves the rest to the next call. Ends once newer definitions are stored, which the next call goes on with, as it does with
 * what an import has written meanwhile. Does nothing while the newest cannot be read.
 * @returns whether there was anything to do
 */
export async function mendDueProducts(db: Database): Promise<boolean> {
  const { revision: newest, mendedAt } = catalogueDefinitions
  const [due] = await db
    .select({ revision: newest, mendedAt, version: rowVersionSql })
    .from(catalogueDefinitions)
    .orderBy(desc(newest))
    .limit(1)
  if (!due || due.mendedAt) return false
  const { revision, definitions, userId, fallback } = await readDefinitionsInUse(db)
  if (fallback) return false // earlier ones would take back what the newest have mended
  for await (const batch of findProductsToMend(db, definitions)) if (!(await writeMendsOf(db, revision, batch, userId))) return true
  await db
    .update(catalogueDefinitions)
    .set({ mendedAt: sql`now()` })
    .where(
      and(
        isNull(mendedAt),
        // Marked anew by an import since: what it has written may have been passed over.
        or(lt(newest, due.revision), and(eq(newest, due.revision), eq(rowVersionSql, due.version))),
      ),
    )
  return true
}

/** Changes whenever the row is written, also with the values that it has. */
const rowVersionSql = sql<string>`catalogue_definitions.xmin::text`

/** @returns false if newer definitions are stored than these: nothing was written */
async function writeMendsOf(db: Database, revision: number, batch: MendedProduct[], userId: string | null): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      // Products are locked before the definitions, as by an import, which marks them at its end.
      if (batch.length > 0) await writeMends(tx, batch, userId)
      // The lock keeps `replaceDefinitions` from storing newer ones until this batch is committed.
      await tx
        .select({ revision: catalogueDefinitions.revision })
        .from(catalogueDefinitions)
        .where(eq(catalogueDefinitions.revision, revision))
        .for('share')
      if ((await findNewestRevision(tx)) !== revision) throw new NewerDefinitionsError()
    })
    return true
  } catch (error) {
    if (error instanceof NewerDefinitionsError) return false
    throw error
  }
}

class NewerDefinitionsError extends Error {}

/**
 * Makes mending due again: an import may have been checked before the definitions were changed, or have left out what its values are of.
 * @param db the transaction of the import, so that a crash after it loses nothing
 */
export async function markProductsToMend(db: Database): Promise<void> {
  await db.update(catalogueDefinitions).set({ mendedAt: null }).where(sql`revision = (select max(revision) from catalogue_definitions)`)
}

/** Writes what is mended of these products, and what it overwrites, unless somebody has changed them since they were read. */
async function writeMends(db: Database, batch: MendedProduct[], userId: string | null): Promise<void> {
  const rows = batch.map(({ mends, ...product }) => ({
    ...product,
    mends: mends.map(({ field, before, after }) => ({ field, before: storedText(before), after: storedText(after) })),
  }))
  await db.execute(sql`
    with mended as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (_id uuid, category text, brand text, specs jsonb, "mendedBrand" text, "mendedSpecs" jsonb, mends jsonb)
    ), unchanged as (
      select m.* from mended m join tools t on t.id = m._id
      where t.category is not distinct from m.category and t.brand is not distinct from m.brand and coalesce(t.specs, 'null') = coalesce(m.specs, 'null')
      order by t.id for no key update of t
    ), changed as (
      update tools set brand = "mendedBrand", specs = "mendedSpecs" from unchanged where tools.id = unchanged._id returning tools.id
    )
    insert into product_history (tool_id, field, before, after, user_id)
    select _id, overwritten.field, overwritten.before, overwritten.after, ${userId}::text
    from unchanged, jsonb_to_recordset(mends) as overwritten (field text, before text, after text)
    where exists (select from changed where changed.id = unchanged._id)`)
}

/** As the history of a product keeps values. */
const storedText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)
