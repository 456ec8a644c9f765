import { and, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { containsPattern } from '#platform/like-pattern.ts'
import { amountToCents, centsToAmount, formatCents } from '#shared/money.ts'
import { productColumns } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { recordingPricingChange } from './changes.ts'
import { type BuyerPrice, maxListedBuyerPrices, type NewBuyerPrice } from './contract.ts'
import { findCustomer, lockGroup } from './customer-groups.ts'
import { comesAfterSql, microsecondsSql, pageKeySql, splitOffNextPage } from './page-key.ts'
import { buyerPrices, customerGroups } from './table.ts'

const columns = {
  _id: buyerPrices._id,
  productId: buyerPrices.productId,
  productName: products.name,
  sku: products.sku,
  listPrice: productColumns.price,
  price: sql<number>`${buyerPrices.priceCents}`.mapWith(centsToAmount),
  email: users.email,
  group: customerGroups.name,
}

const newestFirst = [microsecondsSql(buyerPrices.createdAt), buyerPrices._id]

const selectPrices = (db: Database, condition: SQL | undefined) =>
  db
    .select({ ...columns, key: pageKeySql(newestFirst) })
    .from(buyerPrices)
    .innerJoin(products, eq(products._id, buyerPrices.productId))
    .leftJoin(users, eq(users.id, buyerPrices.userId))
    .leftJoin(customerGroups, eq(customerGroups._id, buyerPrices.groupId))
    .where(condition)
    .orderBy(...newestFirst.map(desc))

/** A page of the prices for buyers that have this text in product, e-mail or group, newest first, and how many there are in all. */
export async function listPrices(
  db: Database,
  { q, cursor }: { q: string; cursor?: string | undefined },
): Promise<{ prices: BuyerPrice[]; total: number; next: string | null }> {
  const pattern = containsPattern(q)
  const condition =
    q === ''
      ? undefined
      : or(...[products.name, products.sku, products.mpn, users.email, customerGroups.name].map((column) => ilike(column, pattern)))
  const [found, total] = await Promise.all([
    selectPrices(db, and(condition, comesAfterSql(newestFirst, cursor))).limit(maxListedBuyerPrices + 1),
    db.$count(selectPrices(db, condition).as('found')),
  ])
  const { page, next } = splitOffNextPage(found, maxListedBuyerPrices)
  return { prices: page, total, next }
}

/** Sets the price of a product for a customer or a group. @throws {HttpError} 404 no such product, account or group */
export function setPrice(db: Database, admin: User, { sku, price, email, groupId }: z.output<typeof NewBuyerPrice>): Promise<BuyerPrice> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [product] = await tx
      .select({ _id: products._id, name: products.name })
      .from(products)
      .where(and(eq(products.sku, sku), isNull(products.removedAt)))
    if (!product) throw new HttpError(404, 'There is no such product', { sku: 'No product for sale has this SKU' })
    const buyer = email
      ? { userId: await findCustomer(tx, email), groupId: null }
      : { userId: null, groupId: (await lockGroup(tx, groupId ?? ''))._id }
    const ofBuyer = and(
      eq(buyerPrices.productId, product._id),
      buyer.userId === null ? eq(buyerPrices.groupId, buyer.groupId) : eq(buyerPrices.userId, buyer.userId),
    )
    const [before] = await tx.delete(buyerPrices).where(ofBuyer).returning({ priceCents: buyerPrices.priceCents })
    const priceCents = amountToCents(price)
    const [added] = await tx
      .insert(buyerPrices)
      .values({ productId: product._id, ...buyer, priceCents })
      .returning()
    const [set] = await selectPrices(tx, eq(buyerPrices._id, added?._id ?? ''))
    if (!set) throw new Error('The price was not returned')
    const was = before ? `, was ${formatCents(before.priceCents)}` : ''
    return {
      result: set,
      what: before?.priceCents === priceCents ? undefined : `${describe(set)} costs ${formatCents(priceCents)}${was}`,
    }
  })
}

/** @throws {HttpError} 404 no such price */
export function removePrice(db: Database, admin: User, id: string): Promise<void> {
  return recordingPricingChange(db, admin, async (tx) => {
    const [price] = await selectPrices(tx, eq(buyerPrices._id, id))
    const removed = await tx.delete(buyerPrices).where(eq(buyerPrices._id, id)).returning({ _id: buyerPrices._id })
    if (!price || removed.length === 0) throw new HttpError(404, 'There is no such price')
    return {
      result: undefined,
      what: `${describe(price)} has no price of its own any more, was ${formatCents(amountToCents(price.price))}`,
    }
  })
}

const describe = ({ productName, sku, email, group }: BuyerPrice) => `${productName} (${sku}) for ${email ?? `the group ${group}`}`
