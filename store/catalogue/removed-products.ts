import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { addToCount } from '#platform/rate-limits.ts'
import { type AdminLimit, enforceAdminLimit } from '#store/identity/admin-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { recordAdminActivityNotice } from '#store/identity/owner-notices.ts'
import { isOwner } from '#store/identity/rules.ts'
import { maxRemovedProductsListed, type Product, type RemovedProduct } from './contract.ts'
import { countProductChanges } from './many-product-changes.ts'
import { recordProductHistory } from './product-history.ts'
import { isForSale, productColumns, productExists, productNotFoundError } from './rules.ts'
import { products } from './table.ts'

/** Removals of products by all admins who are no owners together. */
const removalLimit: AdminLimit = {
  key: 'product removals by admins',
  window: { max: 60, seconds: 3600 },
  what: 'Admins who are no owners have asked to remove 60 products within an hour, which is as many as they can together',
}
/** Owners are told of an admin who removes more products than this within an hour. */
const unnoticedRemovals = 20

/**
 * Removes a product from the catalogue. The row stays, because orders reference it and the product can be brought back.
 * @throws {HttpError} 404; 429 more than admins who are no owners can remove within an hour
 */
export async function removeProduct(db: Database, id: string, admin: User): Promise<Product> {
  await enforceAdminLimit(db, admin, removalLimit)
  return db.transaction(async (tx) => {
    const [removed] = await tx
      .update(products)
      .set({ removedAt: sql`now()` })
      .where(and(eq(products._id, id), isForSale))
      .returning(productColumns)
    if (!removed) throw productNotFoundError()
    await recordProductHistory(tx, { toolId: id, userId: admin.id, before: { for_sale: true }, after: { for_sale: false } })
    if (!(await isOwner(tx, admin.email))) await noticeManyRemovals(tx, admin)
    return removed
  })
}

/** Counting locks the count until the commit, so that no two removals of an admin both write the notice. */
async function noticeManyRemovals(tx: Database, { id, email }: User): Promise<void> {
  const removals = await addToCount(tx, `product removals by ${id}`, { seconds: 3600, added: 1 })
  if (removals <= unnoticedRemovals) return
  await recordAdminActivityNotice(tx, { event: 'many removals', by: email, extent: removals, detail: `${removals} removals of products` })
}

/** The most recently removed products, newest first, at most `maxRemovedProductsListed`. */
export async function listRemovedProducts(db: Database): Promise<RemovedProduct[]> {
  const found = await db
    .select({ _id: products._id, name: products.name, price: productColumns.price, sku: products.sku, removedAt: products.removedAt })
    .from(products)
    .where(isNotNull(products.removedAt))
    .orderBy(desc(products.removedAt), desc(products.position))
    .limit(maxRemovedProductsListed)
  return found.map(({ removedAt, ...product }) => ({ ...product, removedAt: removedAt?.toISOString() ?? '' }))
}

/**
 * Brings a removed product back into the catalogue, as it was. Its SKU is still its own: no other product can have the SKU of a removed one.
 * @param by id of the admin
 * @throws {HttpError} 404; 409 it was not removed
 */
export function restoreProduct(db: Database, id: string, by: string): Promise<Product> {
  return db.transaction(async (tx) => {
    const [restored] = await tx
      .update(products)
      .set({ removedAt: null })
      .where(and(eq(products._id, id), isNotNull(products.removedAt)))
      .returning(productColumns)
    if (!restored) throw (await productExists(tx, id)) ? new HttpError(409, 'This product was not removed') : productNotFoundError()
    await recordProductHistory(tx, { toolId: id, userId: by, before: { for_sale: false }, after: { for_sale: true } })
    await countProductChanges(tx, by, 1)
    return restored
  })
}
