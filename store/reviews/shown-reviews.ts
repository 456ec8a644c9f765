import { and, or, type SQL, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { reviews } from './table.ts'

/*
 * Conditions on a row of `reviews`: which of them are shown, and which are of buyers.
 */

/** Whether the author has a paid order, shipped or not. Unpaid and refunded orders do not count. */
export const isByBuyer = sql<boolean>`exists (
  select from orders where orders.buyer_id = reviews.author_id and orders.is_paid
)`

/**
 * A condition on the account of the author; true for an example, which has none. A scalar subquery is one index lookup for each review that
 * is read. PostgreSQL may answer `exists` by reading all accounts.
 */
const authorIs = (condition: SQL) => sql<boolean>`coalesce((select ${condition} from ${users} where ${users.id} = reviews.author_id), true)`
export const isOfOpenAccount = authorIs(sql`${users.removedAt} is null`)

/**
 * Anybody can register addresses that are not theirs, so a review of such an account is not shown until its e-mail is verified or an order
 * of it is paid.
 */
export const isOfKnownAuthor = and(isOfOpenAccount, or(authorIs(sql`${users.emailVerified}`), isByBuyer))

/** The reviews of the shop that are not hidden. Same expression as in the partial indexes: with a query parameter PostgreSQL would not use them. */
export const isVisible = sql`not ${reviews.hidden} and ${reviews.productId} is null`

/** Whether the customer has a line of the product for which the condition holds. */
const hasLine = (customerId: SQL, productId: SQL, condition: SQL) => sql<boolean>`exists (
  select from order_lines join orders on orders.id = order_lines.order_id
  where order_lines.tool_id = ${productId} and orders.buyer_id = ${customerId} and ${condition}
)`

/**
 * A line of a paid order of which pieces are left that were neither cancelled nor refunded. An order on account counts as paid from the beginning:
 * its line counts once it is sent, or some of the order is paid.
 */
const lineStands = sql`orders.is_paid and (orders.payment_method <> 'on_account' or orders.payment_status <> 'unpaid' or order_lines.sent > 0) and not order_lines.is_released
  and order_lines.cancelled < order_lines.quantity and order_lines.refunded_cents < order_lines.charged_cents`

/** Whether this customer has paid for the product in an order that still stands. */
export const hasBought = (customerId: string, productId: string) => hasLine(sql`${customerId}`, sql`${productId}::uuid`, lineStands)

/** Whether the author of the review of a product has paid for it in an order that still stands. */
export const isByBuyerOfProduct = hasLine(sql`reviews.author_id`, sql`reviews.product_id`, lineStands)

/**
 * Whether the review of a product is shown. It stays where the product was sent and its money went back later, else reviews of what buyers send
 * back would be gone; an order that was cancelled before it was sent takes its review along, else it would cost nothing.
 */
export const isShownOfProduct = and(
  sql`not ${reviews.hidden} and ${reviews.productId} is not null`,
  isOfOpenAccount,
  hasLine(sql`reviews.author_id`, sql`reviews.product_id`, sql`(order_lines.sent > 0 or ${lineStands})`),
)
