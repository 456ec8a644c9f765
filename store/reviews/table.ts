import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { products } from '#store/catalogue/table.ts'
import { maxRating } from '#store/constants.ts'
import { users } from '#store/identity/table.ts'

/** `roundRating` in SQL. */
export const roundRatingSql = sql.raw(`round(least(greatest(rating, 0), ${maxRating})::numeric, 1)`)

/** Reviews of the shop, and of products. An author has at most one of the shop, and one of each product. */
export const reviews = pgTable(
  'reviews',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text().notNull(),
    img: text().notNull(),
    about: text().notNull(),
    rating: doublePrecision().notNull(), // as submitted, may be outside 0 to 5, see `roundRating`
    stars: integer().notNull().generatedAlwaysAs(sql`greatest(floor(${roundRatingSql}), 1)::integer`), // the star group it is counted in
    authorId: text('author_id').references(() => users.id), // null for an example
    productId: uuid('product_id').references(() => products._id), // null: a review of the shop
    example: boolean().notNull().default(false), // demo content, labelled as such wherever displayed
    hidden: boolean().notNull().default(false), // by an admin; kept when the author replaces the review
    hiddenAt: isoTimestamp('hidden_at'), // null while it is not hidden, and where it was before this was kept
    position: integer().generatedAlwaysAsIdentity(), // chronological order; replacing a review assigns a new position
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('reviews_by_author').on(table.authorId).where(sql`${table.productId} is null`),
    uniqueIndex('reviews_by_author_and_product').on(table.authorId, table.productId).where(sql`${table.productId} is not null`),
    index('reviews_shown').on(table.position).where(sql`not ${table.hidden} and ${table.productId} is null`),
    index('reviews_shown_by_stars').on(table.stars, table.position).where(sql`not ${table.hidden} and ${table.productId} is null`),
    index('reviews_shown_of_product')
      .on(table.productId, table.position)
      .where(sql`not ${table.hidden} and ${table.productId} is not null`),
    check(
      'reviews_of_product',
      sql`${table.productId} is null or ${table.authorId} is not null and ${table.rating} between 1 and ${sql.raw(`${maxRating}`)} and ${table.rating} * 2 = floor(${table.rating} * 2)`,
    ),
  ],
)
