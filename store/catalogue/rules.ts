import { and, asc, eq, gte, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, centsToAmount } from '#shared/money.ts'
import { kindDrawingUrl, toCategoryKey } from './categories.ts'
import { minimumMultipleError, type NewProduct, type Product, type ProductChanges, type ProductDetails, productLimits } from './contract.ts'
import { isDrawnFromData } from './drawings/draw-product.ts'
import type { Lowered } from './lowered-price.ts'
import { countProductChanges } from './many-product-changes.ts'
import { countNewProducts } from './new-product-limit.ts'
import { formatPriceBreaks } from './price-breaks-text.ts'
import { attributePriceChanges, listProductHistory, recordProductHistory } from './product-history.ts'
import type { ProductHistoryEntry } from './product-history-contract.ts'
import type { PriceBreak, QuantityTerms } from './settle-quantity.ts'
import { type ColumnSetByTrigger, isLoweredSql, products, type StoredPriceBreak, stockMovements } from './table.ts'

/** Stands before id, revision, category and, in a line of its own, kind in the selected image of a product without one of its own; no address of an image begins so. */
const drawingOf = 'drawing of '
const drawingSql = sql`${sql.raw(`'${drawingOf}'`)} || ${products._id} || ' ' || ${products.drawingRevision} || ' ' || coalesce(${products.category}, '') || chr(10) || coalesce(${products.specs} ->> 'kind', '')`

/** An image of its own, the drawing of the product from its attributes, or that of its kind. */
function toImageUrl(image: string): string {
  if (!image.startsWith(drawingOf)) return image
  const [line = '', kind = ''] = image.slice(drawingOf.length).split('\n')
  const [id = '', revision = '', ...words] = line.split(' ')
  const category = words.join(' ')
  return isDrawnFromData(category) ? `/drawings/${id}.svg?v=${revision}` : kindDrawingUrl(category, kind)
}

/** What the price was lowered from and since when, while that is shown. */
const shownReductionSql =
  sql<Lowered | null>`case when ${isLoweredSql} then json_build_array(${products.loweredFromCents}, ${products.loweredAt}) end`.mapWith(
    ([fromCents, since]: [number, string]) => ({ from: centsToAmount(fromCents), since: new Date(since).toISOString() }),
  )

/** The specified fields of a product, its price in the store's currency, not in cents. Without an image of its own, `img` is its drawing. */
export const productColumns = {
  _id: products._id,
  name: products.name,
  img: sql<string>`coalesce(${products.img}, ${drawingSql})`.mapWith(toImageUrl),
  description: products.description,
  price: sql<number>`${products.priceCents}`.mapWith(centsToAmount),
  minimum_order_quantity: products.minimum_order_quantity,
  available_quantity: products.available_quantity,
}

const withPriceAmounts = (stored: StoredPriceBreak[]): PriceBreak[] =>
  stored.map(({ min_quantity, price_cents }) => ({ min_quantity, price: centsToAmount(price_cents) }))
const toCents = (breaks: PriceBreak[]): StoredPriceBreak[] =>
  breaks.map(({ min_quantity, price }) => ({ min_quantity, price_cents: amountToCents(price) }))

/** What decides about the quantity and the price of an order. */
export const quantityTermsColumns = {
  price: productColumns.price,
  minimum_order_quantity: products.minimum_order_quantity,
  available_quantity: products.available_quantity,
  order_multiple: products.order_multiple,
  price_breaks: sql<PriceBreak[]>`${products.price_breaks}`.mapWith(withPriceAmounts),
}

/** The same with all other data. Unknown values are null or missing keys of `specs`. */
export const productDetailsColumns = {
  ...productColumns,
  ...quantityTermsColumns,
  lowered: shownReductionSql,
  incoming: products.incoming,
  sku: products.sku,
  brand: products.brand,
  mpn: products.mpn,
  category: products.category,
  specs: sql<ProductDetails['specs']>`coalesce(${products.specs}, '{}')`,
}

export const isForSale = isNull(products.removedAt)
export const productNotFoundError = () => new HttpError(404, 'There is no such product')

/** Rows per query when all products are read. */
const batchSize = 500

/** The most frequent queries, as prepared statements. */
export function prepareProductQueries(db: Database) {
  const nextBatch = db
    .select({ ...productColumns, position: sql<number>`${products.position}` })
    .from(products)
    .where(and(sql`${products.position} > ${sql.placeholder('after')}`, isForSale))
    .orderBy(asc(products.position))
    .limit(batchSize)
    .prepare('next_tools')
  return {
    /** All products, oldest first, in batches of `batchSize`. */
    async *all(): AsyncGenerator<Product[], void> {
      for (let after = 0; ; ) {
        const batch = await nextBatch.execute({ after })
        if (batch.length > 0) yield batch
        if (batch.length < batchSize) return
        after = batch.at(-1)?.position ?? after
      }
    },
    one: db
      .select(productColumns)
      .from(products)
      .where(and(eq(products._id, sql.placeholder('id')), isForSale))
      .prepare('one_tool'),
  }
}

/** All products in the catalogue with this name; names are not unique. */
export const findProductsNamed = (db: Database, name: string): Promise<({ _id: string } & QuantityTerms)[]> =>
  db
    .select({ _id: products._id, ...quantityTermsColumns })
    .from(products)
    .where(and(eq(products.name, name), isForSale))

type StockMovement = typeof stockMovements.$inferInsert

/** Records a stock movement. Must run in the transaction that changes the stock. */
const recordStockMovement = async (db: Database, movement: StockMovement) => {
  if (movement.pieces !== 0) await db.insert(stockMovements).values(movement)
}

/** @throws {HttpError} 400 the minimum is not a multiple of the pieces in a pack */
function assertWholePacks(minimum: number, multiple: number): void {
  const message = minimumMultipleError(minimum, multiple)
  if (message) throw new HttpError(400, message, { minimum_order_quantity: message })
}

const skuTakenMessage = 'Another product has this SKU, or a removed one has'

/**
 * @param by the admin's id
 * @throws {HttpError} 400 the minimum is not a multiple of the pieces in a pack; 409 another product has this SKU; 429 if admins who are no owners have added as many within a day as they can
 */
export async function addProduct(
  db: Database,
  { price, order_multiple = 1, price_breaks = [], brand, mpn, category, ...product }: z.output<typeof NewProduct>,
  by: string,
): Promise<Product> {
  assertWholePacks(product.minimum_order_quantity, order_multiple)
  return db.transaction(async (tx) => {
    const refusal = await countNewProducts(tx, by, { added: 1 })
    if (refusal) throw new HttpError(429, refusal)
    const [added] = await tx
      .insert(products)
      .values({
        ...product,
        ...emptyToNull({ brand, mpn, category }),
        ...{ priceCents: amountToCents(price), order_multiple, price_breaks: toCents(price_breaks) },
      })
      .onConflictDoNothing({ target: products.sku })
      .returning(productColumns)
    if (!added) throw new HttpError(409, skuTakenMessage, { sku: skuTakenMessage })
    await recordStockMovement(tx, { toolId: added._id, pieces: added.available_quantity, reason: 'initial', userId: by })
    await countProductChanges(tx, by, 1)
    return added
  })
}

const emptyToNull = ({ brand, mpn, category }: Partial<Record<'brand' | 'mpn' | 'category', string | null | undefined>>) => ({
  brand: brand || null,
  mpn: mpn || null,
  category: category ? toCategoryKey(category) : null,
})

/** A row of the catalogue with its prices in the store's currency, as in a file of products. */
export type ProductRecord = Omit<typeof products.$inferInsert, 'priceCents' | 'price_breaks' | ColumnSetByTrigger> & {
  price: number
  price_breaks?: PriceBreak[]
}

/** Adds many products at once, with their initial stock movements but without a user. */
export async function addProducts(db: Database, newProducts: ProductRecord[]): Promise<void> {
  const rows = newProducts.map(({ price, price_breaks = [], ...product }) => ({
    ...product,
    priceCents: amountToCents(price),
    price_breaks: toCents(price_breaks),
  }))
  const added = await db.insert(products).values(rows).returning({ toolId: products._id, pieces: products.available_quantity })
  await db
    .insert(stockMovements)
    .values(added.filter(({ pieces }) => pieces !== 0).map((product): StockMovement => ({ ...product, reason: 'initial' })))
}

/** The texts of a product as they are stored: without a picture of its own, `img` is null. */
const textColumns = {
  ...{ name: products.name, description: products.description, img: products.img },
  ...{ brand: products.brand, mpn: products.mpn, category: products.category },
}

/**
 * Sets price, minimum order quantity and stock, and everything else where the change names it. With `available_quantity_seen`, the stock changes by the difference from what the admin
 * saw.
 * @param by id of the admin
 * @throws {HttpError} 400 the minimum is not a multiple of the pieces in a pack; 404; 409 if sales or restocks meanwhile would put the resulting stock outside its limits
 */
export function updateProduct(db: Database, id: string, changes: z.output<typeof ProductChanges>, by: string): Promise<Product> {
  const { price, minimum_order_quantity, available_quantity, available_quantity_seen } = changes
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select({ ...quantityTermsColumns, ...textColumns })
      .from(products)
      .where(and(eq(products._id, id), isForSale))
      .for('no key update')
    if (!before) throw productNotFoundError()
    const { order_multiple = before.order_multiple, price_breaks = before.price_breaks } = changes
    assertWholePacks(minimum_order_quantity, order_multiple)
    const { name = before.name, description: typed = before.description, img = before.img, ...identifying } = changes.details ?? {}
    const description = typed === before.name ? name : typed // the name stands for none: see `descriptionOrAttributes`
    const { brand = before.brand, mpn = before.mpn, category = before.category } = identifying
    const texts = { name, description, img, ...emptyToNull({ brand, mpn, category }) }
    const pieces = available_quantity - (available_quantity_seen ?? before.available_quantity)
    const stock = before.available_quantity + pieces
    if (stock < 0 || stock > productLimits.maxQuantity)
      throw new HttpError(
        409,
        `Only ${formatNumber(before.available_quantity)} pieces are left now: look at the stock again`,
        { available_quantity: `${formatNumber(before.available_quantity)} pieces are left now` },
        { code: 'stock_changed' },
      )
    await attributePriceChanges(tx, { userId: by })
    const [updated] = await tx
      .update(products)
      .set({
        ...{ priceCents: amountToCents(price), price_breaks: toCents(price_breaks) },
        ...{ minimum_order_quantity, order_multiple, available_quantity: stock },
        ...texts,
      })
      .where(eq(products._id, id))
      .returning(productColumns)
    if (!updated) throw new Error('The changed product was not returned')
    await recordStockMovement(tx, { toolId: id, pieces, reason: 'correction', userId: by })
    const isOverwritten = await recordProductHistory(tx, {
      ...{ toolId: id, userId: by },
      before: recordedFields(before),
      after: recordedFields({ ...before, price, minimum_order_quantity, order_multiple, price_breaks, ...texts }),
    })
    if (isOverwritten || pieces !== 0) await countProductChanges(tx, by, 1)
    return updated
  })
}

type RecordedProduct = QuantityTerms & Record<keyof typeof textColumns, string | null>

/** What the history of a product keeps of a change, as an import file writes it. The stock has a history of its own. */
const recordedFields = ({ available_quantity: _, price_breaks, ...fields }: RecordedProduct) => ({
  ...fields,
  price_breaks: price_breaks.length > 0 ? formatPriceBreaks(price_breaks) : null,
})

/** Also for a product that was removed from the catalogue. */
export const productExists = async (db: Database, id: string): Promise<boolean> => (await db.$count(products, eq(products._id, id))) > 0

/**
 * What changes of a product have overwritten, newest first, also of a product that was removed from the catalogue.
 * @throws {HttpError} 404
 */
export async function listHistory(db: Database, id: string): Promise<ProductHistoryEntry[]> {
  if (!(await productExists(db, id))) throw productNotFoundError()
  return listProductHistory(db, id)
}

/**
 * Returns pieces of an order's line to the stock, also for a product that was removed from the catalogue.
 * @param movement `userId` is the user who caused it, if any
 */
export async function restockProduct(
  db: Database,
  movement: { toolId: string; pieces: number; reason: 'release' | 'restock'; orderLineId: string; userId?: string | null },
) {
  if (movement.pieces === 0) return
  await db
    .update(products)
    .set({ available_quantity: sql`${products.available_quantity} + ${movement.pieces}` })
    .where(eq(products._id, movement.toolId))
  await recordStockMovement(db, movement)
}

/**
 * Takes pieces out of stock for a line of an order, all or none.
 * @returns available: the pieces in stock where there are fewer, and none were taken
 */
export async function takeProduct(
  db: Database,
  movement: { toolId: string; pieces: number; orderLineId: string; userId?: string | null },
): Promise<{ isTaken: boolean; available: number }> {
  const { toolId, pieces } = movement
  const [taken] = await db
    .update(products)
    .set({ available_quantity: sql`${products.available_quantity} - ${pieces}` })
    .where(and(eq(products._id, toolId), gte(products.available_quantity, pieces)))
    .returning({ available: products.available_quantity })
  if (taken) {
    await recordStockMovement(db, { ...movement, pieces: -pieces, reason: 'order' })
    return { isTaken: true, ...taken }
  }
  const [left] = await db.select({ available: products.available_quantity }).from(products).where(eq(products._id, toolId))
  return { isTaken: false, available: left?.available ?? 0 }
}
