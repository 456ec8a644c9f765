import type { ChangeNotifier } from '#platform/change-notifier.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { Topic } from '#store/topics.ts'
import type { ReviewSummary } from './contract.ts'
import {
  hideReview,
  listReviewPage,
  listReviews,
  listReviewsForAdmin,
  postReview,
  showOwnReview,
  summarizeShopReviews,
} from './contract.ts'
import { registerProductReviewRoutes } from './product-review-routes.ts'
import * as reviews from './rules.ts'

type Deps = { db: Database; guards: Guards; changes: ChangeNotifier<Topic>; events: DomainEvents; inProcessApi: InProcessApi }

export function registerReviewRoutes(app: HttpApp, deps: Deps) {
  const { db, guards, changes, events, inProcessApi } = deps
  registerProductReviewRoutes(app, deps)
  const summary = createSummaryCache(db, changes)

  app.route({
    ...listReviews,
    handler: async ({ query }, reply) => {
      const { reviews: newest, next } = await reviews.listNewestReviews(db, query)
      if (next) reply.header('x-next-cursor', next)
      return newest
    },
  })

  registerPageQuery(app, inProcessApi, listReviewPage, ({ query }) => reviews.listReviewPage(db, query))
  registerPageQuery(app, inProcessApi, summarizeShopReviews, summary)

  app.route({
    ...postReview,
    onRequest: guards.customer,
    handler: async ({ body, user, ip }, reply) => {
      const posted = await reviews.postReview(db, user.id, body, widestClientNetwork(ip))
      events.reviewsChanged()
      return reply.code(201).send(posted)
    },
  })

  app.route({
    ...showOwnReview,
    onRequest: guards.customer,
    handler: async ({ user }) => ({ review: (await reviews.findReviewByAuthor(db, user.id)) ?? null }),
  })

  app.route({ ...listReviewsForAdmin, onRequest: guards.admin, handler: ({ query }) => reviews.listReviewsForAdmin(db, query) })

  app.route({
    ...hideReview,
    onRequest: guards.admin,
    handler: async ({ params, body }) => {
      const review = await reviews.setReviewHidden(db, params.id, body.hidden)
      if (review.product) events.productReviewsChanged(review.product._id)
      else events.reviewsChanged()
      return review
    },
  })
}

/** Maximum age of the cached summary, in case a change notification is lost. */
const summaryMaxAgeMs = 60_000

/** Caches the summary of all reviews until a review changes. */
function createSummaryCache(db: Database, changes: ChangeNotifier<Topic>): () => Promise<ReviewSummary> {
  let cached: { summary: Promise<ReviewSummary>; until: number } | undefined
  changes.onChange('reviews', () => {
    cached = undefined
  })
  return () => {
    if (cached && Date.now() < cached.until) return cached.summary
    const entry = { summary: reviews.summarizeShopReviews(db), until: Date.now() + summaryMaxAgeMs }
    cached = entry
    entry.summary.catch(() => {
      if (cached === entry) cached = undefined // the next request retries
    })
    return entry.summary
  }
}
