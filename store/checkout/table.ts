import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { carts } from '#store/cart/table.ts'
import { orders } from '#store/orders/table.ts'
import type { CheckoutFormRefusal } from './contract.ts'
import type { CheckoutForm } from './typed-checkout.ts'

/**
 * What a visitor has typed at the checkout without a script, for the page that follows each press of a button and for the way back. Kept for a
 * day at most, and found by nobody but the same session of the same browser.
 */
export const checkoutDrafts = pgTable(
  'checkout_drafts',
  {
    cartId: uuid('cart_id')
      .primaryKey()
      .references(() => carts._id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(), // of a cookie that ends with the session of the browser
    typed: jsonb().$type<CheckoutForm>().notNull(),
    refusal: jsonb().$type<CheckoutFormRefusal>(), // null: nothing was wrong with what was sent last
    network: text().notNull(), // hashed: a discount code is asked for again when the page is shown, and is limited by it
    orderId: uuid('order_id').references(() => orders._id), // that it was placed as; null: none
    savedAt: timestamp('saved_at', { withTimezone: true }).notNull().default(sql`now()`),
  },
  (table) => [index('checkout_drafts_by_time').on(table.savedAt)],
)
