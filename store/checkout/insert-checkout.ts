import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { markSeenSql } from '#store/cart/put-into-cart.ts'
import { emptyCartSql, lockUnchangedCartSql, renewCartVersionSql } from '#store/cart/rules.ts'
import { hasChargeSettingsSql } from '#store/delivery/charge-settings.ts'
import type { Buyer } from '#store/orders/buyer.ts'
import { type CheckoutRequest, insertDetailsSql, linkedNumbersSql, linkReplacedOrdersSql } from '#store/orders/details/rules.ts'
import { insertOrder } from '#store/orders/insert-order.ts'
import {
  orderRefusalWording,
  type RefusalWording,
  type RequestedOrderWithTotal,
  refuseShortOrder,
  stockChangedError,
} from '#store/orders/order-refusals.ts'
import { insertPaymentSql } from '#store/orders/payments/first-payment.ts'
import type { OrderPolicy } from '#store/orders/place-order.ts'
import type { ChargedLine } from './charges.ts'
import { describeDetails } from './order-details.ts'
import type { CheckoutInput, Costs, PlacedCheckout } from './place-checkout.ts'

/** The total is that of `settleCosts`, so where placing finds another one, prices change at this moment. */
export const checkoutRefusals: RefusalWording = { ...orderRefusalWording, totalChangedError: stockChangedError }

type CheckoutToInsert = { costs: Costs; body: CheckoutInput; request: CheckoutRequest; network: string }

/**
 * Places the order of a cart with its details, its payment and what it replaces, in one statement, if the cart, the settings of tax and delivery, the prices and the
 * stock are as `costs` were computed of. Marks the changes of the cart as seen, or empties it where nothing is paid by card.
 * @returns undefined where something is not, or a limit of the buyer would be exceeded: then nothing is placed
 * @throws {HttpError} 409 less is in stock of one of many lines
 */
export async function insertCheckout(
  db: Database,
  buyer: Buyer,
  order: RequestedOrderWithTotal,
  terms: OrderPolicy,
  { costs, body, request, network }: CheckoutToInsert,
): Promise<PlacedCheckout | undefined> {
  const short = await refuseShortOrder(db, buyer, order, checkoutRefusals)
  if (short) throw short
  const { cart, priced, charges, settings } = costs
  const { cartId } = cart
  const paymentId = crypto.randomUUID()
  const details = describeDetails(body, { ...charges, lines: priced.lines })
  const isPlaced = sql`exists (select from placed)`
  // What is paid by card leaves the cart once it is paid: until then ordering the cart anew replaces the order.
  const isPlacedBy = (comparison: SQL) => sql`exists (select from placed where payment_method ${comparison} 'card')`
  const placed = await insertOrder(db, buyer, order, terms, {
    network,
    placedWith: {
      before: sql`${lockUnchangedCartSql(sql`cart`, cart)}, `,
      isUnchanged: sql`exists (select from cart)`,
      isStillSo: sql`${hasChargeSettingsSql(settings)} and ${isSoldAsChargedSql(priced.lines)}`,
      rows: sql`${insertDetailsSql({ cartId, request, details })}${linkReplacedOrdersSql(cartId)}${insertPaymentSql(paymentId, buyer)}, ${renewCartVersionSql(sql`renewed`, cartId, isPlaced)}, ${markSeenSql(sql`seen`, cartId, cart.lines, isPlacedBy(sql`=`))}, ${emptyCartSql(sql`emptied`, cartId, isPlacedBy(sql`<>`))}`,
      paymentId,
      replaces: linkedNumbersSql,
    },
  })
  return placed && { order: placed, paymentId: placed.paymentMethod === 'card' ? paymentId : undefined, isNew: true }
}

/** Whether the products that the statement has locked have what decided their tax and delivery. */
const isSoldAsChargedSql = (lines: ChargedLine[]): SQL => {
  const column = (values: (string | number | null)[]) => sql.param(values)
  return sql`not exists (
    select from listed join unnest(${column(lines.map(({ productId }) => productId))}::uuid[], ${column(lines.map(({ taxClass }) => taxClass))}::text[],
      ${column(lines.map(({ weightGrams }) => weightGrams))}::integer[], ${column(lines.map(({ category }) => category))}::text[])
      as charged (product_id, tax_class, weight_g, category) on charged.product_id = listed.product_id
    where (listed.sold_tax_class, listed.weight_g, listed.category) is distinct from (charged.tax_class, charged.weight_g, charged.category))`
}

/** What is ordered, of what the lines cost by `settleCosts`. */
export function orderOf(body: CheckoutInput, { priced, charges }: Costs): RequestedOrderWithTotal {
  const { deliverTo, name, company, phone, discountCode, paymentMethod } = body
  const goodsCents = priced.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    lines: priced.lines.map(({ productId, quantity }, index) => ({ productId, quantity, index })),
    buyerAddress: formatPostalAddress(deliverTo, { name, company }).join('\n'),
    phone_number: phone,
    country: deliverTo.country,
    paymentMethod,
    discountCode,
    expectedTotalCents: goodsCents,
    totalCents: goodsCents,
    charges: charges.ofOrder,
  }
}
