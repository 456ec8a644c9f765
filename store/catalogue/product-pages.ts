import { and, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { amountToCents } from '#shared/money.ts'
import { similarPriceRange } from '#store/constants.ts'
import { type AttributeDefinition, categoryOf, resolveCategoryAlias } from './categories.ts'
import type { Comparison } from './compare-contract.ts'
import { type ProductDetails, productLimits } from './contract.ts'
import { descriptionOrAttributes } from './description-from-attributes.ts'
import { commonSpan, describeDrawing } from './drawings/draw-product.ts'
import { findFamily } from './families.ts'
import type { FindByFilters } from './find-shown-first.ts'
import { isPartDrawing } from './is-part-drawing.ts'
import { attributeNumber, categoryOption, productAttributes } from './product-attributes.ts'
import { productDocuments } from './product-documents.ts'
import type { DeliveryOffer, ProductPage, ReviewsOnProductPage } from './product-page-contract.ts'
import { findReplacements } from './replacements.ts'
import { isForSale, productDetailsColumns, productNotFoundError } from './rules.ts'
import { products } from './table.ts'
import { findWhatGoesWith } from './what-goes-with.ts'

const maxRelatedProducts = 6

/** Statements are prepared once per database: building a query costs more than twice as much as executing it. */
const preparedByDatabase = new WeakMap<Database, ReturnType<typeof prepareStatements>>()

function prepareStatements(db: Database) {
  const parts = db.select(productDetailsColumns).from(products)
  return {
    byIds: parts.where(and(sql`${products._id} = any(${sql.placeholder('ids')})`, isForSale)).prepare('parts_by_ids'),
    inStockNearPrice: nearestPriceQuery(db, sql`available_quantity >= minimum_order_quantity`).prepare('parts_in_stock_near'),
    nearPrice: nearestPriceQuery(db, sql`true`).prepare('parts_near'),
  }
}

/**
 * Products of a category with the closest price, in a range of prices. For each key of the category it reads a few products at or above the price and a few below
 * it from an index on category and price, so the cost does not depend on the size of the category.
 */
function nearestPriceQuery(db: Database, condition: ReturnType<typeof sql>) {
  const priceCents = sql`${sql.placeholder('priceCents')}::int`
  const fromSql = sql`from tools where category = of.key and removed_at is null and id <> all(${sql.placeholder('notIds')}::uuid[]) and ${condition}
    and price_cents between ${sql.placeholder('fromCents')}::int and ${sql.placeholder('toCents')}::int`
  const closestIdsSql = sql`select found.id from unnest(${sql.placeholder('keys')}::text[]) as of(key) cross join lateral (
    (select id ${fromSql} and price_cents >= ${priceCents} order by price_cents limit ${sql.raw(`${maxRelatedProducts}`)})
    union all (select id ${fromSql} and price_cents < ${priceCents} order by price_cents desc limit ${sql.raw(`${maxRelatedProducts}`)})
  ) as found`
  return db
    .select(productDetailsColumns)
    .from(products)
    .where(sql`${products._id} = any(array(${closestIdsSql}))`)
    .orderBy(
      sql`${products.available_quantity} >= ${products.minimum_order_quantity} desc`,
      sql`abs(${products.priceCents} - ${priceCents})`,
      products.position,
    )
    .limit(maxRelatedProducts)
}

function preparedStatements(db: Database) {
  const statements = preparedByDatabase.get(db) ?? prepareStatements(db)
  preparedByDatabase.set(db, statements)
  return statements
}

/**
 * Products in the order of `ids`, with imported category aliases replaced by the category key. Products that are not for sale are left out.
 */
export async function findProductsByIds(db: Database, ids: string[]): Promise<ProductDetails[]> {
  const rows = await preparedStatements(db).byIds.execute({ ids })
  const found = new Map(rows.map((part) => [part._id, resolveCategoryAlias(part)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** What modules after this one know of a product. */
export type AskedOfOthers = {
  findByFilters: FindByFilters
  /** does this work of searching when it is the turn of the client; 503 when too many wait before */
  inSearchTurn: <Result>(work: () => Result, client: string) => Promise<Result>
  /** the address of the page of a product as a QR code: a data URL */
  qrCodeOfPage: (productId: string) => string
  /** of so many of the product; null where nothing is said of delivery */
  findDeliveryOffer: (product: ProductDetails) => Promise<DeliveryOffer | null>
  findReviews: (productId: string) => Promise<ReviewsOnProductPage>
}

/**
 * A product with its formatted attributes, what can be bought instead of it, and what is used with it.
 * @param client who asks, such as a client network: clients take turns
 * @throws {HttpError} 404 if it is not in the catalogue
 */
export async function getProductPage(
  db: Database,
  id: string,
  { findByFilters, inSearchTurn, findDeliveryOffer, findReviews, qrCodeOfPage }: AskedOfOthers,
  client: string,
): Promise<ProductPage> {
  const [part] = await findProductsByIds(db, [id])
  if (!part) throw productNotFoundError()
  const [family, delivery, reviews] = await Promise.all([findFamily(db, part), findDeliveryOffer(part), findReviews(part._id)])
  const familyIds = family.map(({ _id }) => _id)
  const replacements = await inSearchTurn(() => findReplacements(part, familyIds, findByFilters), client)
  const related = replacements.length > 0 ? [] : await findRelatedProducts(db, part, familyIds)
  const category = categoryOption(part.category)
  const details = productAttributes(part)
  const description = descriptionOrAttributes(part, category?.label, details)
  const goesWith = await inSearchTurn(() => findWhatGoesWith(part, findByFilters), client)
  return {
    part,
    description,
    category,
    details,
    documents: productDocuments(part.specs),
    drawing: describeDrawing(part),
    family,
    related,
    replacements,
    goes_with: goesWith,
    qr_code: qrCodeOfPage(part._id),
    delivery,
    reviews,
  }
}

/**
 * Up to `maxRelatedProducts` others of the same category, products in stock first, then by closest price. Those at about the same price
 * where there is one, otherwise those at any price. None of its family, which the page shows besides.
 */
async function findRelatedProducts(db: Database, { _id, category, price }: ProductDetails, familyIds: string[]): Promise<ProductDetails[]> {
  if (!category) return []
  const known = categoryOf(category)
  const wanted = { notIds: [_id, ...familyIds], priceCents: amountToCents(price), keys: known ? [known.key, ...known.aliases] : [category] }
  for (const { from, to } of [similarPriceRange(price), { from: 0, to: productLimits.maxPrice }]) {
    const range = { fromCents: amountToCents(from), toCents: amountToCents(to) }
    const inStock = await preparedStatements(db).inStockNearPrice.execute({ ...wanted, ...range })
    const found = inStock.length === maxRelatedProducts ? inStock : await preparedStatements(db).nearPrice.execute({ ...wanted, ...range })
    if (found.length > 0) return found
  }
  return []
}

/**
 * Products side by side, with every attribute that is known for at least one of them.
 * @throws {HttpError} 404 if one of them is not in the catalogue, 400 if they are not of one category
 */
export async function compareProducts(db: Database, ids: string[]): Promise<Comparison> {
  const wanted = [...new Set(ids)]
  const parts = await findProductsByIds(db, wanted)
  const [first] = parts
  if (!first || parts.length < wanted.length) throw productNotFoundError()
  const mismatch = parts.find((part) => categoryKeyOf(part) !== categoryKeyOf(first))
  if (mismatch) throw new HttpError(400, `Only products of one category can be compared: ${categoryMismatchText(first, mismatch)}`)
  const drawn = parts.filter(({ img }) => isPartDrawing(img))
  return { parts, span: (drawn.length > 1 ? commonSpan(drawn) : undefined) ?? null, rows: comparisonRows(parts) }
}

const categoryKeyOf = ({ category }: ProductDetails) => categoryOf(category)?.key ?? category
const categoryMismatchText = (...parts: ProductDetails[]) =>
  parts.map(({ name, category }) => `${name} is one of ${categoryOption(category)?.label ?? 'no category'}`).join(', ')

/**
 * Rows in the order of the attributes of the category. Attributes that no category defines follow in the order in which products carry
 * them.
 */
function comparisonRows(parts: ProductDetails[]): Comparison['rows'] {
  const details = parts.map((part) => new Map(productAttributes(part).map((detail) => [detail.key, detail])))
  const labels = new Map(details.flatMap((known) => [...known.values()].map(({ key, label }) => [key, label] as const)))
  const attributes = categoryOf(parts[0]?.category ?? null)?.attributes ?? []
  const defined = attributes.map(({ key }) => key).filter((key) => labels.has(key))
  return [...new Set([...defined, ...labels.keys()])].map((key) => {
    const texts = details.map((known) => known.get(key)?.text ?? null)
    const attribute = attributes.find((one) => one.key === key)
    return {
      key,
      label: labels.get(key) ?? key,
      texts,
      differs: new Set(texts.filter((text) => text !== null)).size > 1,
      best: attribute?.better ? bestIndices(parts, attribute, attribute.better) : [],
    }
  })
}

/**
 * Indices of the products with the best value, including ties. Unknown values never count, and a value known for only one product is not
 * compared.
 */
function bestIndices(parts: ProductDetails[], attribute: AttributeDefinition, better: 'more' | 'less'): number[] {
  const values = parts.map((part) => attributeNumber(attribute, part))
  const known = values.filter((value) => value !== undefined)
  if (known.length < 2) return []
  const best = better === 'more' ? Math.max(...known) : Math.min(...known)
  return values.flatMap((value, index) => (value === best ? [index] : []))
}
