import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, selectPrepared } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { maxReviewsOnProductPage, type ProductRatings, type ReviewsOnProductPage } from '#store/catalogue/product-page-contract.ts'
import { isForSale } from '#store/catalogue/rules.ts'
import { products } from '#store/catalogue/table.ts'
import { maxRating } from '#store/constants.ts'
import type { NewProductReview, OwnProductReview, PostedProductReview, ProductReviewPage } from './product-review-contract.ts'
import { countPost, newReviewColumns } from './rules.ts'
import { hasBought, isByBuyerOfProduct, isShownOfProduct } from './shown-reviews.ts'
import { reviews } from './table.ts'

/** Required by the table, and not shown: a review of a product has no picture. */
const noPicture = '/drawings/avatar.svg'

const productReviewColumns = {
  _id: reviews._id,
  name: reviews.name,
  about: reviews.about,
  rating: reviews.rating,
  bought: isByBuyerOfProduct,
  postedAt: sql<string>`${reviews.createdAt}`.mapWith((at: string) => new Date(at).toISOString()),
}
const ownReviewColumns = {
  ...productReviewColumns,
  hidden: reviews.hidden,
  shown: sql<boolean>`(${isShownOfProduct})`,
}

/** Counts the reviews of a product that are shown: one indexed query, also where there are none. */
async function summarizeProductReviews(db: Database, productId: string): Promise<ProductRatings> {
  const groups = await selectPrepared(
    db
      .select({
        stars: reviews.stars,
        count: sql<number>`count(*)::integer`,
        sum: sql<number>`sum(${reviews.rating})::double precision`,
      })
      .from(reviews)
      .where(and(eq(reviews.productId, productId), isShownOfProduct))
      .groupBy(reviews.stars),
  )
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return {
    count,
    average: count > 0 ? groups.reduce((sum, group) => sum + group.sum, 0) / count : null,
    stars: Array.from({ length: maxRating }, (_, index) => groups.find((group) => group.stars === index + 1)?.count ?? 0),
  }
}

type NewestOptions = { stars?: number | undefined; cursor?: number | undefined; limit: number }

const selectNewest = (db: Database, productId: string, { stars, cursor, limit }: NewestOptions) =>
  db
    .select({ ...productReviewColumns, position: reviews.position })
    .from(reviews)
    .where(
      and(
        eq(reviews.productId, productId),
        stars ? eq(reviews.stars, stars) : undefined,
        cursor ? lt(reviews.position, cursor) : undefined,
        isShownOfProduct,
      ),
    )
    .orderBy(desc(reviews.position))
    .limit(limit)

/** What the page of a product says of its reviews. The product is not looked up. */
export async function findReviewsOnProductPage(db: Database, productId: string): Promise<ReviewsOnProductPage> {
  const summary = await summarizeProductReviews(db, productId)
  const newest = summary.count > 0 ? await selectNewest(db, productId, { limit: maxReviewsOnProductPage }) : []
  return { ...summary, newest }
}

/**
 * A page of the reviews of a product that are shown, newest first, with the counts of all of them.
 * @throws {HttpError} 404 the product is not in the catalogue
 */
export async function listProductReviews(db: Database, productId: string, query: NewestOptions): Promise<ProductReviewPage> {
  const [product, summary, found] = await Promise.all([
    findReviewedProduct(db, productId),
    summarizeProductReviews(db, productId),
    selectNewest(db, productId, { ...query, limit: query.limit + 1 }), // one more to detect a next page
  ])
  const page = found.slice(0, query.limit)
  return { product, summary, reviews: page, next: found.length > query.limit ? (page.at(-1)?.position ?? null) : null }
}

async function findReviewedProduct(db: Database, productId: string): Promise<{ _id: string; name: string }> {
  const [product] = await db
    .select({ _id: products._id, name: products.name })
    .from(products)
    .where(and(eq(products._id, productId), isForSale))
  if (!product) throw new HttpError(404, 'There is no such product')
  return product
}

const notBoughtMessage =
  'Only who has bought a product here can review it: order it from this account and pay, or sign in with the account that has. An order that was cancelled or refunded does not count'

const isTrue = async (db: Database, condition: SQL<boolean>): Promise<boolean> =>
  (await db.execute<{ holds: boolean }>(sql`select ${condition} as holds`)).rows[0]?.holds ?? false

/**
 * The review of this product by this account, hidden or not, and whether the account may post one.
 * @throws {HttpError} 404 the product is not in the catalogue
 */
export async function findOwnProductReview(db: Database, authorId: string, productId: string) {
  const [product, mayPost, [review]] = await Promise.all([
    findReviewedProduct(db, productId),
    isTrue(db, hasBought(authorId, productId)),
    db
      .select({ ...ownReviewColumns, hiddenAt: reviews.hiddenAt })
      .from(reviews)
      .where(and(eq(reviews.authorId, authorId), eq(reviews.productId, productId))),
  ])
  return { product, review: (review satisfies OwnProductReview | undefined) ?? null, mayPost, whyNot: mayPost ? null : notBoughtMessage }
}

/**
 * @param productId undefined: no id of a product
 * @throws {HttpError} 403 the account has no paid order of the product that still stands
 */
export async function assertHasBought(db: Database, accountId: string, productId: string | undefined): Promise<void> {
  if (productId === undefined || !(await isTrue(db, hasBought(accountId, productId))))
    throw new HttpError(403, notBoughtMessage, undefined, { code: 'product_not_bought' })
}

/**
 * Posts the review of a product by an account that has bought it, replacing an earlier one of the account. One upsert statement, so that concurrent posts result in one
 * review. A review hidden by an admin stays hidden.
 * @throws {HttpError} 404 the product is not in the catalogue, 429 more than 20 posts in an hour
 */
export async function postProductReview(
  db: Database,
  authorId: string,
  productId: string,
  review: z.output<typeof NewProductReview>,
): Promise<PostedProductReview> {
  await countPost(db, authorId)
  await findReviewedProduct(db, productId)
  const [posted] = await db
    .insert(reviews)
    .values({ ...review, img: noPicture, authorId, productId })
    .onConflictDoUpdate({
      target: [reviews.authorId, reviews.productId],
      targetWhere: sql`product_id is not null`,
      set: { ...review, ...newReviewColumns },
    })
    .returning({ ...ownReviewColumns, replaced: sql<boolean>`xmax <> 0` }) // xmax is 0 for an inserted row, not for an updated one
  if (!posted) throw new Error('The new review was not returned')
  return posted
}
