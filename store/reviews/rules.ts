import { and, desc, eq, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import { maxRating } from '#store/constants.ts'
import { users } from '#store/identity/table.ts'
import type { AdminReview, NewReview, OwnReview, PostedReview, Review, ReviewPage, ReviewSummary } from './contract.ts'
import { displayedPicture } from './displayed-picture.ts'
import { isByBuyer, isByBuyerOfProduct, isOfKnownAuthor, isOfOpenAccount, isShownOfProduct, isVisible } from './shown-reviews.ts'
import { reviews, roundRatingSql } from './table.ts'

/** Per account, far above normal use. Limited because each post invalidates cached pages. */
const postLimit = { max: 20, seconds: 3600 }

/** New reviews of unverified accounts from one network: each takes a place in `GET /reviews` and in the list of the admins. */
const unverifiedAuthorsLimit = { max: 20, seconds: 3600 }

const reviewColumns = {
  _id: reviews._id,
  name: reviews.name,
  img: reviews.img,
  about: reviews.about,
  rating: reviews.rating,
  example: reviews.example,
  bought: isByBuyer,
}
const ownReviewColumns = {
  ...reviewColumns,
  hidden: reviews.hidden,
  shown: sql<boolean>`(not ${reviews.hidden} and ${isOfKnownAuthor})`,
}
const isOfShop = isNull(reviews.productId)

/** Of the shop and of products. */
const adminReviewColumns = {
  ...ownReviewColumns,
  bought: sql<boolean>`case when ${isOfShop} then ${isByBuyer} else ${isByBuyerOfProduct} end`,
  shown: sql<boolean>`case when ${isOfShop} then ${ownReviewColumns.shown} else ${isShownOfProduct} end`,
  product: sql<AdminReview['product']>`(
    select json_build_object('_id', tools.id, 'name', tools.name, 'removed', tools.removed_at is not null) from tools where tools.id = reviews.product_id
  )`,
  postedAt: sql<string>`${reviews.createdAt}`.mapWith((at: string) => new Date(at).toISOString()),
}

/**
 * The newest reviews that are neither hidden nor of a removed account, also those that are not shown yet: the specification lists each
 * posted review here.
 * @param query with the cursor returned with the previous page
 * @returns the reviews, newest first, and the cursor of the next page if there is one
 */
export async function listNewestReviews(db: Database, query: { limit: number; cursor?: number | undefined }) {
  const found = await db
    .select({ ...reviewColumns, position: reviews.position })
    .from(reviews)
    .where(and(isVisible, isOfOpenAccount, query.cursor ? lt(reviews.position, query.cursor) : undefined))
    .orderBy(desc(reviews.position))
    .limit(query.limit + 1) // one more to detect a next page
  const page = found.slice(0, query.limit)
  return { reviews: page satisfies Review[], next: found.length > query.limit ? page.at(-1)?.position : undefined }
}

type ReviewPageRequest = { stars?: number | undefined; limit: number; cursor?: string | undefined }

/**
 * The reviews that are shown, in display order: those of buyers first, newest first within each group. The groups are queried
 * separately, each in index order. Sorting by `bought` would scan all reviews for every page.
 */
export async function listReviewPage(db: Database, query: ReviewPageRequest): Promise<ReviewPage> {
  const [part, position] = query.cursor?.split('.').map(Number) ?? [1]
  const wanted = query.limit + 1
  const found = part === 1 ? await selectNewest(db, { ...query, where: and(isByBuyer, isOfOpenAccount), before: position, wanted }) : []
  if (found.length < wanted) {
    const before = part === 0 ? position : undefined
    found.push(
      ...(await selectNewest(db, { ...query, where: and(not(isByBuyer), isOfKnownAuthor), before, wanted: wanted - found.length })),
    )
  }
  const page = found.slice(0, query.limit)
  const last = found.length > query.limit ? page.at(-1) : undefined
  return {
    reviews: page.map((review) => ({ ...review, img: displayedPicture(review.img) })),
    next: last ? `${last.bought ? 1 : 0}.${last.position}` : null,
  }
}

type NewestReviewsOptions = Pick<ReviewPageRequest, 'stars'> & { where: SQL | undefined; before: number | undefined; wanted: number }

const selectNewest = (db: Database, { stars, where, before, wanted }: NewestReviewsOptions) =>
  db
    .select({ ...reviewColumns, position: reviews.position })
    .from(reviews)
    .where(and(isVisible, stars ? eq(reviews.stars, stars) : undefined, before ? lt(reviews.position, before) : undefined, where))
    .orderBy(desc(reviews.position))
    .limit(wanted)

/** Counts all reviews that are shown. The average is of the ratings as displayed. */
export async function summarizeShopReviews(db: Database): Promise<ReviewSummary> {
  const groups = await db
    .select({
      stars: reviews.stars,
      count: sql<number>`count(*)::integer`,
      examples: sql<number>`(count(*) filter (where ${reviews.example}))::integer`,
      sum: sql<number>`sum(${roundRatingSql})::double precision`,
    })
    .from(reviews)
    .where(and(isVisible, isOfKnownAuthor))
    .groupBy(reviews.stars)
  const total = (column: 'count' | 'examples' | 'sum') => groups.reduce((sum, group) => sum + group[column], 0)
  const count = total('count')
  return {
    count,
    examples: total('examples'),
    average: count > 0 ? total('sum') / count : null,
    stars: Array.from({ length: maxRating }, (_, index) => groups.find((group) => group.stars === index + 1)?.count ?? 0),
  }
}

/** The review of the shop by this account, hidden or not. */
export async function findReviewByAuthor(db: Database, authorId: string): Promise<OwnReview | undefined> {
  const [own] = await db
    .select({ ...ownReviewColumns, hiddenAt: reviews.hiddenAt })
    .from(reviews)
    .where(and(eq(reviews.authorId, authorId), isOfShop))
  return own
}

/**
 * Counts a post of a review, of the shop or of a product.
 * @throws {HttpError} 429 more than 20 in an hour
 */
export const countPost = (db: Database, authorId: string): Promise<void> =>
  enforceRateLimit(db, `reviews of ${authorId}`, postLimit, 'Too many reviews from this account')

/**
 * Posts the review of the shop by an account, replacing an earlier one. One upsert statement, so that concurrent posts result in one review.
 * A review hidden by an admin stays hidden, since otherwise posting it again would make it visible.
 * @param network the widest one that the client may have all of
 * @throws {HttpError} 429 more than 20 posts in an hour, or the first one of a further unverified account of this network
 */
export async function postReview(
  db: Database,
  authorId: string,
  review: z.output<typeof NewReview>,
  network: string,
): Promise<PostedReview> {
  await countPost(db, authorId)
  if (await isFirstOfUnverified(db, authorId))
    await enforceRateLimit(
      db,
      `reviews of unverified accounts from ${network}`,
      unverifiedAuthorsLimit,
      'Too many reviews from your network by accounts whose e-mail is not verified',
    )
  const [posted] = await db
    .insert(reviews)
    .values({ ...review, authorId })
    .onConflictDoUpdate({ target: reviews.authorId, targetWhere: sql`product_id is null`, set: { ...review, ...newReviewColumns } })
    .returning({ ...ownReviewColumns, replaced: sql<boolean>`xmax <> 0` }) // xmax is 0 for an inserted row, not for an updated one
  if (!posted) throw new Error('The new review was not returned')
  return posted
}

/** Whether this account has neither a verified e-mail nor a paid order nor a review. */
async function isFirstOfUnverified(db: Database, accountId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from ${users} where id = ${accountId} and not email_verified
    and not exists (select from ${reviews} where author_id = users.id and product_id is null)
    and not exists (select from orders where buyer_id = users.id and is_paid)`)
  return rows.length > 0
}

/** What a review gets that replaces another. */
export const newReviewColumns = { position: sql`default`, createdAt: sql`now()` }

/** All reviews, of the shop and of products, including hidden ones, newest first, with the total count. */
export async function listReviewsForAdmin(db: Database, query: { limit: number; cursor: number }) {
  const [page, total] = await Promise.all([
    db.select(adminReviewColumns).from(reviews).orderBy(desc(reviews.position)).limit(query.limit).offset(query.cursor),
    db.$count(reviews),
  ])
  return { reviews: page satisfies AdminReview[], total }
}

/**
 * Hides a review from everybody except its author and admins, or makes it visible again.
 * @throws {HttpError} 404 there is no such review
 */
export async function setReviewHidden(db: Database, id: string, hidden: boolean): Promise<AdminReview> {
  const hiddenAt = hidden ? sql`case when ${reviews.hidden} then ${reviews.hiddenAt} else now() end` : null
  const [changed] = await db.update(reviews).set({ hidden, hiddenAt }).where(eq(reviews._id, id)).returning(adminReviewColumns)
  if (!changed) throw new HttpError(404, 'There is no such review')
  return changed
}
