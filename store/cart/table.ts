import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import type { Cents } from '#shared/money.ts'
import { users } from '#store/identity/table.ts'
import type { PastedList } from './contract.ts'

/** A basket: of an account, or of a browser that has not signed in. It holds no stock. */
export const carts = pgTable(
  'carts',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    userId: text('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }), // null: of a visitor
    usedAt: timestamp('used_at', { withTimezone: true }).notNull().defaultNow(), // last changed, see `deleteOldCarts`
    version: integer().notNull().default(0), // another one after each change, also by the trigger that takes paid pieces out
  },
  (table) => [index('carts_of_visitors').on(table.usedAt).where(sql`${table.userId} is null`)],
)

/** The browsers that may see and change a cart. Each has a random token of its own in a cookie; the table has its hash. */
export const cartTokens = pgTable(
  'cart_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    cartId: uuid('cart_id')
      .notNull()
      .references(() => carts._id, { onDelete: 'cascade' }),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('cart_tokens_of_cart').on(table.cartId), index('cart_tokens_by_use').on(table.usedAt)],
)

export const cartLines = pgTable(
  'cart_lines',
  {
    cartId: uuid('cart_id')
      .notNull()
      .references(() => carts._id, { onDelete: 'cascade' }),
    toolId: uuid('tool_id').notNull(), // without a foreign key: its check locks the product, and orders that are placed meanwhile end in deadlocks
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
    quantity: integer().notNull(),
    seenPriceCents: integer('seen_price_cents').$type<Cents>().notNull(), // of a piece, as the buyer was last told
    cappedFrom: integer('capped_from'), // the pieces of two carts together, where stock had fewer when they were joined, until the buyer was told
  },
  (table) => [
    primaryKey({ columns: [table.cartId, table.toolId] }),
    index('cart_lines_of_tool').on(table.toolId),
    check('cart_lines_quantity', sql`${table.quantity} >= 1`),
    check('cart_lines_seen_price', sql`${table.seenPriceCents} >= 1`),
  ],
)

/** What has become of the list that a form without a script has sent last, until the page that follows has said it; for a day. */
export const pastedLists = pgTable(
  'pasted_lists',
  {
    cartId: uuid('cart_id')
      .primaryKey()
      .references(() => carts._id, { onDelete: 'cascade' }),
    list: jsonb().$type<PastedList>().notNull(),
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('pasted_lists_by_time').on(table.sentAt)],
)

/** What a shared link shows: products and quantities as they were in the cart, and nothing of whose it was. */
export const sharedCarts = pgTable(
  'shared_carts',
  {
    token: text().primaryKey(), // random, in lower case like all paths of pages
    lines: jsonb().$type<{ productId: string; quantity: number }[]>().notNull(),
    linesHash: text('lines_hash').notNull().unique(), // so that sharing the same cart again adds no row
    sharedAt: timestamp('shared_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('shared_carts_by_time').on(table.sharedAt)],
)

/** A basket that an account keeps under a name, as it was when it was saved. */
export const savedCarts = pgTable(
  'saved_carts',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    lines: jsonb().$type<{ productId: string; quantity: number }[]>().notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('saved_carts_name').on(table.userId, table.name)],
)
