import * as z from 'zod'
import { amountSchema } from '#shared/amount-schema.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ignoredField } from '#shared/ignored-field.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { discountCode } from '#store/catalogue/pricing/contract.ts'
import { minPhoneCharacters } from '#store/constants.ts'
import { idempotencyHeaders, OrderIdParams, orderedPieces, refundable } from './order-fields.ts'
import { purchaseStates } from './statuses.ts'

/*
 * The specification's calls, which know each line of an order as a purchase, and the history of orders. The pages of the admins' list are in
 * admin-list-contract.ts, orders of many lines in order-contract.ts; cancelling, paying and refunding in payments/contract.ts.
 * Long because these calls and the history share their schemas and the words for how an order stands.
 */

/** The events of an order's history. */
export const orderEvents = [
  'placed',
  'paid',
  'expired',
  'cancelled',
  'line cancelled',
  'sent',
  'tracking changed',
  'taken back',
  'delivered',
  'held back',
  'released',
  'withdrawn',
  'return asked', // the note of this and of the other events of returns is the number of the return: R1001
  'return taken back',
  'return arrived',
  'return decided',
  'refund asked',
  'partly refunded',
  'refunded',
  'refund failed',
  'card declined',
  'late payment',
  'disputed',
  'trouble',
  'looked at',
  'invoice corrected',
  'transfer booked', // a part of the money, or all of it
  'shortfall accepted',
  'rest asked',
  'transfer reminder',
  'receipt to payer', // an email alone: a member of the buyer's company has paid
] as const
export type OrderEvent = (typeof orderEvents)[number]

/** The events that a buyer sees in the history of their order. The others are for admins. */
export const buyerVisibleEvents = [
  'placed',
  'paid',
  'expired',
  'cancelled',
  'line cancelled',
  'sent',
  'tracking changed',
  'taken back',
  'delivered',
  'withdrawn',
  'return asked',
  'return taken back',
  'return arrived',
  'return decided',
  'refund asked',
  'partly refunded',
  'refunded',
  'refund failed',
  'card declined',
  'late payment',
  'invoice corrected',
  'transfer booked',
  'rest asked',
  'transfer reminder',
] as const satisfies OrderEvent[]

/** The events whose note is the store's reason, which the buyer's email contains, too. */
export const eventsWithBuyerReason: ReadonlySet<OrderEvent> = new Set<OrderEvent>([
  ...(['cancelled', 'line cancelled', 'refund asked', 'partly refunded', 'refunded', 'invoice corrected'] as const),
  ...(['return asked', 'return taken back', 'return arrived', 'return decided'] as const),
])

/** The events that an admin has to look at and acknowledge. All others need no action. */
export const eventsNeedingAttention = ['refund failed', 'disputed', 'trouble'] as const satisfies OrderEvent[]

/**
 * Why an order needs an admin's attention; an order can have several reasons. The first two apply to unpaid orders: the hold ends before
 * the next day of the shop's time zone begins, or a card was declined. A refund under way completes without an admin, once the card provider confirms it.
 */
export const attentionReasons = ['hold ends today', 'card declined', 'to be looked at', 'refund under way'] as const
export type AttentionReason = (typeof attentionReasons)[number]

/** Who caused an event. */
export const actors = ['buyer', 'admin', 'store', 'card provider'] as const
export type Actor = (typeof actors)[number]

export const disputedSchema = z.boolean().meta({ description: "the buyer's bank disputes the payment, or has decided against the store" })

/**
 * A purchase, as the specification's calls know it: one line of an order. `productCost` is in the store's currency. `paid` and `transectionId` are set
 * only once the card provider has confirmed the payment of the order.
 */
export const Purchase = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    toolId: z.uuid(),
    productName: z.string(),
    brand: z.string().nullable().meta({ description: 'who made it, as the catalogue said when the order was placed' }),
    mpn: z.string().nullable().meta({ description: "the maker's part number, as the catalogue said when the order was placed" }),
    productQuantity: z.int(),
    productCost: z.number(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    paid: z.boolean(),
    transectionId: z.string().nullable(), // misspelled in the API since its first version
    paidAt: z.iso.datetime().nullable().meta({ description: 'when the card provider took the money' }),
    card: z.string().nullable().meta({ description: 'the card that paid: its brand and last four digits, such as "visa 4242"' }),
    state: z.enum(purchaseStates),
    holdUntil: z.iso.datetime().meta({ description: 'until when it holds its pieces, as long as it is open' }),
    refundedCents: z.int().meta({ description: 'how much of the money has gone back, or is on its way' }),
    refundable,
    restocked: z.int().meta({ description: 'how many of its pieces went back into stock' }),
    checking: z.boolean().meta({ description: 'the buyer says it is paid, and the card provider is still to be asked' }),
  })
  .meta({ id: 'Purchase' })
export type Purchase = z.infer<typeof Purchase>

export const storedPhoneNumber = z.string().nullable().meta({ description: 'as the buyer typed it' })

/** One order. `disputed` and `phone_number` are present for admins only. */
export const PurchaseForViewer = Purchase.extend({ disputed: disputedSchema.optional(), phone_number: storedPhoneNumber.optional() }).meta({
  id: 'ShownPurchase',
})
export type PurchaseForViewer = z.infer<typeof PurchaseForViewer>

/** An order in a list, with the SKU, which the list's search covers, too. */
export const PurchaseListItem = Purchase.extend({
  sku: z.string().meta({ description: 'of the ordered part, as the catalogue says now' }),
  orderTotalCents: z.int().optional().meta({ description: 'what its whole order costs; only where delivery or tax come to the goods' }),
  orderRefundedCents: z.int().optional().meta({ description: 'what has gone back of that, with the delivery, or is on its way' }),
  poNumber: z.string().optional().meta({ description: "the buyer's own number of the order, where they have given one" }),
  byTransfer: z.literal(true).optional().meta({ description: 'it is paid by bank transfer' }),
}).meta({ id: 'ListedPurchase' })
export type PurchaseListItem = z.infer<typeof PurchaseListItem>

/** An order in the list of all orders, for admins. */
export const AdminPurchase = PurchaseListItem.extend({
  phone_number: storedPhoneNumber,
  disputed: disputedSchema,
  refunds: z
    .array(z.object({ at: z.iso.datetime(), amountCents: z.int() }))
    .meta({ description: 'what of its money has gone back, or is on its way, and when that was asked' }),
  attention: z.array(z.enum(attentionReasons)),
  guest: z.literal(true).optional().meta({ description: 'no account has it: it was placed by a guest, with the e-mail that they typed' }),
}).meta({ id: 'Booking' })
export type AdminPurchase = z.infer<typeof AdminPurchase>

/** One entry of an order's history. */
export const OrderHistoryEntry = z
  .object({
    event: z.enum(orderEvents),
    state: z.enum(purchaseStates).meta({ description: "the order's after it" }),
    at: z.iso.datetime(),
    actor: z.enum(actors),
    by: z.string().nullable().meta({
      description:
        'the e-mail of who did it, where it was a person; of a payment, who of the company has paid, where that was not the buyer',
    }),
    note: z.string().nullable(),
    amountCents: z.int().nullable(),
    items: z.string().nullable().meta({ description: 'the part of the order that was cancelled or refunded, as "2 x Drill"' }),
    replacedBy: z.object({ _id: z.uuid().nullable(), number: z.int() }).nullable().optional().meta({
      description:
        'of a cancellation, where the buyer has ordered the basket anew: the new order, with its id for who may see it; null: not known, or not placed after all',
    }),
    mail: z
      .enum(['none', 'due', 'sent', 'failed'])
      .meta({ description: 'the mail to the buyer that tells of it, or to who has paid; failed: given up, no mail server has taken it' }),
  })
  .meta({ id: 'HistoryLine' })
export type OrderHistoryEntry = z.infer<typeof OrderHistoryEntry>

/** Formats the stored card `visa 4242` as "Visa ending 4242". */
export const formatCard = (card: string): string =>
  card.replace(/^(\S)(\S*) (\d+)$/, (_, first: string, rest: string, last4) => `${first.toUpperCase()}${rest} ending ${last4}`)

export const deliveryAddress = requiredTextSchema('address is required', 1000)
export const phoneNumber = z
  .string('Phone number is required')
  .trim()
  .min(1, 'Phone number is required')
  .min(minPhoneCharacters, `Phone number must ${minPhoneCharacters} characters or longer`)
  .max(40, 'At most 40 characters')

/**
 * The body of `placePurchase`. The buyer comes from the access token, so `buyerName` and `buyerEmail` are ignored. `productCost` must equal
 * what the pieces cost, or the price of one piece times the quantity: the order costs the lower of both. A discount code takes something off
 * that. Without `toolId` the product is found by name and cost.
 */
export const PlacePurchaseBody = z.object({
  productName: z.string('product name is required').min(1, 'product name is required'),
  productCost: amountSchema('product cost is required'),
  productQuantity: orderedPieces,
  buyerAddress: deliveryAddress,
  buyerName: ignoredField,
  buyerEmail: ignoredField,
  toolId: z.uuid('There is no such product').optional(),
  phone_number: phoneNumber.optional(),
  discountCode: discountCode.optional().meta({ description: 'takes something off; `productCost` is without it' }),
})

const tags = ['Orders']

export const placePurchase = {
  method: 'POST',
  url: '/purchase',
  schema: {
    tags,
    summary: 'Place an order',
    description: [
      'For every account; it is the buyer. The same request again with the same Idempotency-Key (up to 255 characters) is answered with the same order, the key with another body with 422 `idempotency_key_reused`.',
      'Refused with 400: `below_minimum`, `not_a_multiple` (only whole packs are sold), `costs_too_little` or `costs_too_much` (for one payment by card), `discount_refused` (the code cannot be used), or `invalid_request` with a message for each field.',
      'With 401: `not_signed_in`. With 404: `not_found`, there is no such product for sale.',
      'With 409: `price_changed` (productCost is neither what the pieces cost this buyer or anybody, nor the list price times the quantity; the order costs the lowest of these), `stock_too_low`, `stock_changed` (send it again), `ambiguous_product` (send toolId), `checkout_required` (the shop charges delivery or tax), and `over_buyer_limit`: the unpaid orders of the buyer, their pieces or money would be more than the account, or all unverified accounts of its network, can have. A verified e-mail and paid orders raise the limits.',
      'With 429: `over_buyer_limit`, as many orders as the account, or its network, may place in an hour or a day, or too many codes that cannot be used; Retry-After says how many seconds to wait.',
    ].join('\n\n'),
    security: bearerAuth,
    headers: idempotencyHeaders,
    body: PlacePurchaseBody,
    response: { 201: Purchase, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listBuyerPurchases = {
  method: 'GET',
  url: '/purchase',
  schema: {
    tags,
    summary: "One buyer's orders, newest first",
    security: bearerAuth,
    querystring: z.object({
      buyerEmail: z
        .string('buyerEmail is required')
        .trim()
        .toLowerCase()
        .min(1, 'buyerEmail is required')
        .max(320, 'There is no such e-mail'),
    }),
    response: { 200: z.array(PurchaseListItem), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showPurchase = {
  method: 'GET',
  url: '/purchase/:id',
  schema: {
    tags,
    summary: 'One order',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: PurchaseForViewer, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listAllPurchases = {
  method: 'GET',
  url: '/bookings',
  schema: {
    tags,
    summary: 'All orders, newest first',
    security: bearerAuth,
    response: { 200: z.array(AdminPurchase), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showPurchaseHistory = {
  method: 'GET',
  url: '/purchase/:id/history',
  schema: {
    tags,
    summary: "An order's history: what happened and when",
    description:
      'An admin reads all of it: who did what, and what went wrong. A buyer reads what concerns them of their own order, with no e-mail but their own.',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: z.array(OrderHistoryEntry), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const acknowledgeOrderProblems = {
  method: 'POST',
  url: '/purchase/:id/looked-at',
  schema: {
    tags,
    summary: 'An admin has looked at what went wrong with an order: it asks for attention no more, until something new goes wrong',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: z.array(OrderHistoryEntry), default: ErrorResponse },
  },
} as const satisfies Endpoint
