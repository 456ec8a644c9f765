import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import { hideReview, listAllReviews, listReviews, listShownReviews, postReview, showOwnReview, summarizeReviews } from './contract.ts'
import * as reviews from './rules.ts'

export function reviewCalls(app: Http, { db, guards, changes }: { db: Database; guards: Guards; changes: Changes }) {
  app.route({
    ...listReviews,
    handler: async ({ query }, reply) => {
      const { reviews: newest, next } = await reviews.listNewest(db, query)
      if (next) reply.header('x-next-cursor', next)
      return newest
    },
  })

  app.route({ ...listShownReviews, handler: ({ query }) => reviews.listShown(db, query) })

  app.route({ ...summarizeReviews, handler: () => reviews.summarize(db) })

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
