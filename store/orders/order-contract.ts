import * as z from 'zod'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { discountCode } from '#store/catalogue/pricing/contract.ts'
import { priceReasons } from '#store/catalogue/settle-quantity.ts'
import { deliveryAddress, phoneNumber } from './contract.ts'
import { idempotencyHeaders, maxOrderLines, OrderIdParams, orderedPieces, reason, refundable } from './order-fields.ts'
import { Shipment } from './shipments/contract.ts'
import { fulfilmentStatuses, orderStatuses, paymentStatuses } from './statuses.ts'

const cents = z.int()

/** A line of an order. Its `_id` is the `_id` of the purchase that the specification's calls know. */
export const OrderLine = z
  .object({
    _id: z.uuid(),
    productId: z.uuid(),
    productName: z.string(),
    brand: z.string().nullable(),
    mpn: z.string().nullable(),
    sku: z.string().nullable().meta({ description: 'as the catalogue said when the order was placed; null: it was not kept then' }),
    quantity: z.int(),
    inTotal: z.boolean().meta({ description: 'false: it was cancelled before the order was paid, and is no part of its total' }),
    listPriceCents: cents.meta({ description: 'of a piece in the catalogue when the order was placed' }),
    unitPriceCents: cents.meta({ description: 'what the buyer pays for a piece' }),
    priceReason: z
      .enum(priceReasons)
      .meta({ description: 'why: the list price, a price break, or a price of the customer or their group' }),
    reductionCents: cents.meta({ description: 'taken off the whole line' }),
    reductionReason: z.string().nullable().meta({ description: 'the discount code that took it off' }),
    totalCents: cents.meta({ description: 'at a price with or without tax as the shop shows it' }),
    taxCents: cents.meta({ description: "its share of the order's tax" }),
    chargedCents: cents.meta({ description: 'what the buyer pays for it with tax, and what can be refunded of it' }),
    packed: z.int().meta({ description: 'pieces that are packed; those that were sent are among them' }),
    sent: z.int(),
    toSend: z.int().meta({ description: 'pieces of a paid order that are neither sent nor cancelled, nor back in stock' }),
    cancelled: z.int().meta({ description: 'pieces that were cancelled while the order goes on' }),
    returned: z.int().meta({ description: 'pieces that have arrived of returns' }),
    restocked: z.int().meta({ description: 'pieces that went back into stock' }),
    returnedRestocked: z
      .int()
      .meta({ description: 'of these, those that came of returns: the others were not sent, and are not any more' }),
    refundedCents: cents.meta({ description: 'how much of its money has gone back, or is on its way' }),
    refundedPieces: z.int().meta({ description: 'pieces that were refunded by piece, or are about to be' }),
    refundable,
  })
  .meta({ id: 'OrderLine' })
export type OrderLine = z.infer<typeof OrderLine>

type NamedLine = Pick<OrderLine, 'quantity' | 'productName'>

/** "5 x Drill" */
export const formatItem = ({ quantity, productName }: NamedLine): string => `${formatNumber(quantity)} x ${productName}`

export const formatItems = (lines: NamedLine[]): string => joinItems(lines.map(formatItem))

/** In a sentence: "5 x Drill, 2 x Saw, 1 x Board and 4 more". */
export function joinItems(items: string[]): string {
  const shown = items.slice(0, maxItemsInSentence)
  const more = items.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const maxItemsInSentence = 3

/** An order without its lines, as it stands in a list. Money is in cents of `currency`. */
export const OrderSummary = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    orderStatus: z.enum(orderStatuses),
    paymentStatus: z.enum(paymentStatuses),
    fulfilmentStatus: z.enum(fulfilmentStatuses),
    holdUntil: z.iso.datetime().meta({ description: 'until when it holds its pieces, as long as it is open' }),
    guest: z.boolean().meta({ description: 'whether no account has it: it was placed by a guest, with the e-mail that they typed' }),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    country: z.string().nullable(),
    currency: z.string(),
    goodsCents: cents,
    deliveryCents: cents,
    includedTaxCents: cents.meta({ description: 'that goods and delivery contain' }),
    taxCents: cents.meta({ description: 'that the buyer pays' }),
    totalCents: cents.meta({ description: 'goods and delivery, less the tax that they contain, and the tax' }),
  })
  .meta({ id: 'OrderSummary' })
export type OrderSummary = z.infer<typeof OrderSummary>

/** Who has paid for somebody else. */
const Payer = z.object({ name: z.string(), email: z.string() })

const paidBy = Payer.nullable().meta({
  description: 'who of the company has paid it, where that was not its buyer; null also where it is not known',
})

const TaxesByRate = z.array(z.object({ ratePpm: z.int(), netCents: cents, taxCents: cents }))

/** An order with its lines, in the order in which they were asked for. */
export const Order = OrderSummary.extend({
  lines: z.array(OrderLine),
  shipments: z.array(Shipment),
  taxes: TaxesByRate.meta({ description: 'the tax by rate, in parts per million: 190000 is 19 %. Empty: nothing is taxed' }),
  pricesIncludeTax: z.boolean(),
  taxSentence: z.string().nullable().meta({ description: 'why there is no tax, where that has to be said' }),
  transectionId: z.string().nullable().meta({ description: "the card provider's id of the payment that took the money" }),
  paidAt: z.iso.datetime().nullable(),
  card: z.string().nullable().meta({ description: 'the card that paid: its brand and last four digits, such as "visa 4242"' }),
  paidBy,
  replaces: z.array(z.int()).meta({
    description: 'the numbers of the unpaid orders of the same basket that were cancelled for it, as they ask for a product of it, too',
  }),
  refundedCents: cents.meta({ description: 'how much of the money has gone back, or is on its way' }),
  refundedTaxes: TaxesByRate.meta({ description: 'the part of it that was tax, and what it was the tax of, by rate' }),
  refundedDeliveryCents: cents.meta({ description: 'the part of it that was for the delivery, with its tax' }),
  refundable,
  chargedDeliveryCents: cents.meta({ description: 'what the buyer pays for the delivery with its tax' }),
  refundableDeliveryCents: cents.meta({ description: 'how much of that can still go back' }),
}).meta({ id: 'Order' })
export type Order = z.infer<typeof Order>

/** The most lines of an order that a list shows. */
export const maxListedLines = 10

/** An order in a list, with its first lines. */
export const OrderListItem = OrderSummary.extend({
  poNumber: z.string().nullable().meta({ description: "the buyer's own number of the order" }),
  refundedCents: cents.meta({ description: 'how much of the money has gone back, or is on its way' }),
  card: z.string().nullable(),
  paidBy,
  lineCount: z.int().meta({ description: `of all its lines: \`lines\` has the first ${maxListedLines}` }),
  lines: z.array(
    OrderLine.pick({ _id: true, productId: true, productName: true, sku: true, quantity: true, totalCents: true, cancelled: true }),
  ),
}).meta({ id: 'ListedOrder' })
export type OrderListItem = z.infer<typeof OrderListItem>

/** The id of the order that the token of a guest's link begins with; undefined where it is no such token. */
export function orderIdOfToken(token: string): string | undefined {
  const [, ...parts] = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-f]{32}$/.exec(token) ?? []
  return parts.length === 0 ? undefined : parts.join('-')
}

/** The body of `placeOrder`. Lines of one product are added up. */
export const PlaceOrderBody = z.object({
  lines: z
    .array(
      z.object({
        productId: z.uuid('There is no such product'),
        quantity: orderedPieces,
      }),
    )
    .min(1, 'An order has at least one line')
    .max(maxOrderLines, `An order has at most ${maxOrderLines} lines`),
  buyerAddress: deliveryAddress,
  phone_number: phoneNumber.optional(),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'A country is two letters, such as DE')
    .optional(),
  discountCode: discountCode.optional().meta({ description: 'takes something off the goods: see `reductionCents` of the lines' }),
  expectedTotalCents: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'the total that the buyer was shown: another one is refused with 409' }),
})

const tags = ['Orders of many lines']

export const placeOrder = {
  method: 'POST',
  url: '/orders',
  schema: {
    tags,
    summary: 'Place an order of up to 100 lines: all of it or nothing',
    description:
      'Lines of one product are added up. With an Idempotency-Key (up to 255 characters) the same request again is the same order; the key with another body is 422. Refused with 400 "below_minimum" for too few pieces and "not_a_multiple" for pieces that are not whole packs, "costs_too_little" and "costs_too_much" for a total that no card can pay at once, 404 for a product that is not for sale, 409 "stock_too_low", with `lines` that name each short one and, where it is known, what is `incoming`, "total_changed", where the total is not expectedTotalCents, "stock_changed" for a change at this very moment, "checkout_required" in a shop that charges delivery or tax, 400 "discount_refused" for a discount code that cannot be used, 429 for too many of them, and "over_buyer_limit", also with 429, where the buyer has too much waiting for payment or orders too often; 422 "idempotency_key_reused".',
    security: bearerAuth,
    headers: idempotencyHeaders,
    body: PlaceOrderBody,
    response: { 201: Order, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The largest number that an order, or its total in cents, can have. */
export const maxOrderNumber = 2_147_483_647

const day = daySchema('1970-01-01')

const statusFilter = <const Statuses extends readonly [string, ...string[]]>(statuses: Statuses) => z.enum(statuses).optional()

/** The query of `listOrders`. A buyer is answered their own orders or those of their company, whatever `buyerEmail` says of others. */
export const OrderListQuery = z.object({
  of: z
    .literal('company')
    .optional()
    .meta({ description: 'the orders of the company of the account, whichever member has placed them; without a company there are none' }),
  buyerEmail: z.string().trim().toLowerCase().max(320, 'There is no such e-mail').optional(),
  orderStatus: statusFilter(orderStatuses),
  paymentStatus: statusFilter(paymentStatuses),
  fulfilmentStatus: statusFilter(fulfilmentStatuses),
  q: z.string().trim().max(100, 'At most 100 characters').optional().meta({
    description:
      "the order with this number first, and orders with each of these words in the buyer's name, e-mail or address, in their own number of the order or that of the transaction, or in a product's name, brand, part number or SKU, of which spaces and punctuation do not count; for an admin the words have to be of the order and one of its lines, and those with this phone number in any spelling are found, too",
  }),
  from: day.optional().meta({ description: "placed on this day of the shop's time zone or later" }),
  to: day.optional().meta({ description: "placed on this day of the shop's time zone or before" }),
  sort: z.enum(['newest', 'oldest', 'highest', 'lowest']).default('newest'),
  limit: z.coerce.number().int().min(1).max(100).default(24),
  cursor: z
    .string()
    .regex(/^\d{1,10}(\.\d{1,10})?$/, 'This is no cursor of a list')
    .refine((cursor) => cursor.split('.').every((part) => Number(part) <= maxOrderNumber), 'This is no cursor of a list')
    .optional()
    .meta({ description: '`next` of the page before' }),
})
export type OrderListQuery = z.output<typeof OrderListQuery>

export const listOrders = {
  method: 'GET',
  url: '/orders',
  schema: {
    tags,
    summary: 'Orders by pages: the own ones or those of the company, for an admin those of everybody',
    security: bearerAuth,
    querystring: OrderListQuery,
    response: {
      200: z.object({ orders: z.array(OrderListItem), next: z.string().nullable().meta({ description: 'cursor of the next page' }) }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const showOrder = {
  method: 'GET',
  url: '/orders/:id',
  schema: {
    tags,
    summary: 'One order, by its id or by that of one of its lines',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: Order, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const cancelOrder = {
  method: 'POST',
  url: '/orders/:id/cancel',
  schema: {
    tags,
    summary: 'Cancel a whole order: its pieces go back into stock',
    description:
      'A buyer cancels their open order. An admin cancels an open or a paid one; the money of a paid one goes back. Otherwise 409: "order_not_open", or "order_shipped", "nothing_to_refund" and "provider_refused" of a paid one; 503 "payment_being_checked" while the card provider does not know whether it was paid.',
    security: bearerAuth,
    params: OrderIdParams,
    body: z.object({ reason }),
    response: { 200: Order, default: ErrorResponse },
  },
} as const satisfies Endpoint
