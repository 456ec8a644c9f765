import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { ReviewSummary } from './contract.ts'
import { hideReview, listAllReviews, listReviews, listShownReviews, postReview, showOwnReview, summarizeReviews } from './contract.ts'
import * as reviews from './rules.ts'

export function reviewCalls(app: Http, { db, guards, changes }: { db: Database; guards: Guards; changes: Changes }) {
  const summary = openSummary(db, changes)

  app.route({
    ...listReviews,
    handler: async ({ query }, reply) => {
      const { reviews: newest, next } = await reviews.listNewest(db, query)
      if (next) reply.header('x-next-cursor', next)
      return newest
    },
  })

  app.route({ ...listShownReviews, handler: ({ query }) => reviews.listShown(db, query) })

  app.route({ ...summarizeReviews, handler: summary })

  app.route({
    ...postReview,
    onRequest: guards.customer,
    handler: async ({ body, user }, reply) => {
      const posted = await reviews.post(db, user.id, body)
      changes.tell('reviews')
      return reply.code(201).send(posted)
    },
  })

  app.route({
    ...showOwnReview,
    onRequest: guards.customer,
    handler: async ({ user }) => ({ review: (await reviews.ownOf(db, user.id)) ?? null }),
  })

  app.route({ ...listAllReviews, onRequest: guards.admin, handler: ({ query }) => reviews.listAll(db, query) })

  app.route({
    ...hideReview,
    onRequest: guards.admin,
    handler: async ({ params, body }) => {
      const review = await reviews.hide(db, params.id, body.hidden)
      changes.tell('reviews')
      return review
    },
  })
}

/** How long a summary may stay true without a word: makes good a notice that was lost. */
const maxAgeMs = 60_000

/** The summary of all reviews, computed once for all who ask until a review changes. */
function openSummary(db: Database, changes: Changes): () => Promise<ReviewSummary> {
  let kept: { summary: Promise<ReviewSummary>; until: number } | undefined
  changes.on((topic) => {
    if (topic === 'reviews' || topic === '*') kept = undefined
  })
  return () => {
    if (kept && Date.now() < kept.until) return kept.summary
    const now = { summary: reviews.summarize(db), until: Date.now() + maxAgeMs }
    kept = now
    now.summary.catch(() => {
      if (kept === now) kept = undefined // whoever comes next asks again
    })
    return now.summary
  }
}
