import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { ratingOutOf } from '#store/constants.ts'
import { users } from '#store/identity/table.ts'

/** The rating as screens show it, `shownRating` in SQL. */
export const shown = sql.raw(`round(least(greatest(rating, 0), ${ratingOutOf})::numeric, 1)`)

/** At most one review for each author. */
export const reviews = pgTable(
  'reviews',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text().notNull(),
    img: text().notNull(),
    about: text().notNull(),
    rating: doublePrecision().notNull(), // as said; what is shown never leaves 0 to 5
    stars: integer().notNull().generatedAlwaysAs(sql`greatest(floor(${shown}), 1)::integer`), // under which it is counted
    authorId: text('author_id').references(() => users.id), // the account that wrote it; an example has none
    example: boolean().notNull().default(false), // invented to show the store, and marked so wherever it is seen
    hidden: boolean().notNull().default(false), // by an admin; it stays so when its author posts another in its place
    position: integer().generatedAlwaysAsIdentity(), // by age; a review that takes the place of another gets a new one
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('reviews_by_author').on(table.authorId),
    index('reviews_shown').on(table.position).where(sql`not ${table.hidden}`),
    index('reviews_shown_by_stars').on(table.stars, table.position).where(sql`not ${table.hidden}`),
  ],
)
