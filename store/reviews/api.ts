import { desc } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { listReviews } from './contract.ts'
import { reviews } from './table.ts'

export function reviewCalls(app: Http, { db }: { db: Database }) {
  const newestFirst = db.select().from(reviews).orderBy(desc(reviews.position)).prepare('all_reviews')

  app.route({ ...listReviews, handler: () => newestFirst.execute() })
}
