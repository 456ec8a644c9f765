import { and, desc, eq, lt, not, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { limit } from '#platform/limits.ts'
import { Refusal } from '#platform/refusal.ts'
import { ratingOutOf } from '#store/constants.ts'
import type { AnyReview, NewReview, OwnReview, PostedReview, Review, ReviewSummary, ShownReviews } from './contract.ts'
import { reviews, shown } from './table.ts'

/** Of one account. Nobody rewrites a review so often, and each one renders the home page anew. */
const posts = { most: 20, seconds: 3600 }

/** An unpaid order, and one whose money has gone back, make nobody a buyer. */
const bought = sql<boolean>`exists (
  select from orders where orders.buyer_id = reviews.author_id and orders.state in ('paid', 'packed', 'shipped')
)`

const asReview = {
  _id: reviews._id,
  name: reviews.name,
  img: reviews.img,
  about: reviews.about,
  rating: reviews.rating,
  example: reviews.example,
  bought,
}
const asOwn = { ...asReview, hidden: reviews.hidden }
const asAny = { ...asOwn, postedAt: sql<string>`${reviews.createdAt}`.mapWith((at: string) => new Date(at).toISOString()) }

/** Spelled as the partial indexes have it: with a parameter in its place PostgreSQL would not use them. */
const isShown = sql`not ${reviews.hidden}`

/**
 * The newest reviews that are not hidden.
 * @param cursor what came with the page before
 * @returns them, newest first, and the cursor of the next page if there is one
 */
export async function listNewest(db: Database, asked: { limit: number; cursor?: number | undefined }) {
  const found = await db
    .select({ ...asReview, position: reviews.position })
    .from(reviews)
    .where(and(isShown, asked.cursor ? lt(reviews.position, asked.cursor) : undefined))
    .orderBy(desc(reviews.position))
    .limit(asked.limit + 1) // one more tells whether there is a next page
  const page = found.slice(0, asked.limit)
  return { reviews: page satisfies Review[], next: found.length > asked.limit ? page.at(-1)?.position : undefined }
}

type Shown = { stars?: number | undefined; limit: number; cursor?: string | undefined }

/**
 * The reviews that are not hidden in the order of the screens: of buyers first, and of these the newest first. Asked for in two parts, each in
 * the order of an index: sorted by who has bought, every page would cost a look at all reviews.
 */
export async function listShown(db: Database, asked: Shown): Promise<ShownReviews> {
  const [part, position] = asked.cursor?.split('.').map(Number) ?? [1]
  const wanted = asked.limit + 1
  const found = part === 1 ? await newest(db, { ...asked, where: bought, before: position, wanted }) : []
  if (found.length < wanted) {
    const before = part === 0 ? position : undefined
    found.push(...(await newest(db, { ...asked, where: not(bought), before, wanted: wanted - found.length })))
  }
  const page = found.slice(0, asked.limit)
  const last = found.length > asked.limit ? page.at(-1) : undefined
  return { reviews: page, next: last ? `${last.bought ? 1 : 0}.${last.position}` : null }
}

type Part = Pick<Shown, 'stars'> & { where: SQL; before: number | undefined; wanted: number }

const newest = (db: Database, { stars, where, before, wanted }: Part) =>
  db
    .select({ ...asReview, position: reviews.position })
    .from(reviews)
    .where(and(isShown, stars ? eq(reviews.stars, stars) : undefined, before ? lt(reviews.position, before) : undefined, where))
    .orderBy(desc(reviews.position))
    .limit(wanted)

/** All reviews that are not hidden, counted; ratings count as they are shown. */
export async function summarize(db: Database): Promise<ReviewSummary> {
  const groups = await db
    .select({
      stars: reviews.stars,
      count: sql<number>`count(*)::integer`,
      examples: sql<number>`(count(*) filter (where ${reviews.example}))::integer`,
      sum: sql<number>`sum(${shown})::double precision`,
    })
    .from(reviews)
    .where(isShown)
    .groupBy(reviews.stars)
  const of = (figure: 'count' | 'examples' | 'sum') => groups.reduce((sum, group) => sum + group[figure], 0)
  const count = of('count')
  return {
    count,
    examples: of('examples'),
    average: count > 0 ? of('sum') / count : null,
    stars: Array.from({ length: ratingOutOf }, (_, place) => groups.find((group) => group.stars === place + 1)?.count ?? 0),
  }
}

/** The review of this account, hidden or not. */
export async function ownOf(db: Database, authorId: string): Promise<OwnReview | undefined> {
  const [own] = await db.select(asOwn).from(reviews).where(eq(reviews.authorId, authorId))
  return own
}

/**
 * Posts the review of an account. An earlier one of the same account gives its place to it: in one statement, so that however many are
 * posted at once there is one. What an admin has hidden stays hidden, or posting it again would bring it back.
 * @throws {Refusal} 429 too many in an hour
 */
export async function post(db: Database, authorId: string, review: z.output<typeof NewReview>): Promise<PostedReview> {
  await limit(db, `reviews of ${authorId}`, posts, 'Too many reviews from this account')
  const [posted] = await db
    .insert(reviews)
    .values({ ...review, authorId })
    .onConflictDoUpdate({ target: reviews.authorId, set: { ...review, ...asNew } })
    .returning({ ...asOwn, replaced: sql<boolean>`xmax <> 0` }) // a row that was there before has one
  if (!posted) throw new Error('The new review was not returned')
  return posted
}

const asNew = { position: sql`default`, createdAt: sql`now()` }

/** All reviews, newest first, and how many there are. */
export async function listAll(db: Database, asked: { limit: number; cursor: number }) {
  const [page, total] = await Promise.all([
    db.select(asAny).from(reviews).orderBy(desc(reviews.position)).limit(asked.limit).offset(asked.cursor),
    db.$count(reviews),
  ])
  return { reviews: page satisfies AnyReview[], total }
}

/**
 * Hides a review from everybody but its author and admins, or brings it back.
 * @throws {Refusal} 404 there is no such review
 */
export async function hide(db: Database, id: string, hidden: boolean): Promise<AnyReview> {
  const [changed] = await db.update(reviews).set({ hidden }).where(eq(reviews._id, id)).returning(asAny)
  if (!changed) throw new Refusal(404, 'There is no such review')
  return changed
}
