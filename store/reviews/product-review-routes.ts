import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import { ProductIdParams } from '#store/catalogue/contract.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listProductReviews, postProductReview, showOwnProductReview } from './product-review-contract.ts'
import * as reviews from './product-reviews.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents; inProcessApi: InProcessApi }

/** The routes about reviews of products. */
export function registerProductReviewRoutes(app: HttpApp, { db, guards, events, inProcessApi }: Deps) {
  registerPageQuery(app, inProcessApi, listProductReviews, ({ params, query }) => reviews.listProductReviews(db, params.id, query))

  app.route({
    ...showOwnProductReview,
    onRequest: guards.customer,
    handler: ({ params, user }) => reviews.findOwnProductReview(db, user.id, params.id),
  })

  app.route({
    ...postProductReview,
    onRequest: [
      guards.customer,
      async ({ user, params }) => reviews.assertHasBought(db, user.id, ProductIdParams.safeParse(params).data?.id),
    ],
    handler: async ({ params, body, user }, reply) => {
      const posted = await reviews.postProductReview(db, user.id, params.id, body)
      events.productReviewsChanged(params.id)
      return reply.code(201).send(posted)
    },
  })
}
