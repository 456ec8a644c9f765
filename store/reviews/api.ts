import { desc } from 'drizzle-orm'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listReviews, postReview } from './contract.ts'
import { reviews } from './table.ts'

export function reviewCalls(app: Http, { db, guards, changes }: { db: Database; guards: Guards; changes: Changes }) {
  const newestFirst = db.select().from(reviews).orderBy(desc(reviews.position)).prepare('all_reviews')

  app.route({ ...listReviews, handler: () => newestFirst.execute() })

  app.route({
    ...postReview,
    onRequest: guards.customer,
    handler: async ({ body, user }, reply) => {
      const [posted] = await db
        .insert(reviews)
        .values({ ...body, authorId: user.id })
        .returning()
      if (!posted) throw new Error('The new review was not returned')
      changes.tell('reviews')
      return reply.code(201).send(posted)
    },
  })
}
