import * as z from 'zod'
import { amountSchema } from '#shared/amount-schema.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ignoredField } from '#shared/ignored-field.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { costsTooMuchMessage, quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import { Purchase } from '#store/orders/contract.ts'
import { Order } from '#store/orders/order-contract.ts'
import { maxOrderLines, OrderIdParams, reason, restockedPieces } from '#store/orders/order-fields.ts'

const tags = ['Payments']

export const createPaymentIntent = {
  method: 'POST',
  url: '/create-payment-intent',
  schema: {
    tags,
    summary: "Open the payment of an order, or find it again; the amount is the order's",
    description:
      "Without orderId it is the caller's newest unpaid order of that cost. Asked too often for an order or by an account it is 429, and so it is after too many declined cards: the message says whether this order, all orders of the account or those of its network wait, Retry-After how long.",
    security: bearerAuth,
    body: z.object({
      productCost: amountSchema('product cost is required', (number) =>
        number.min(0, 'product cost is required').max(productLimits.maxPrice, { error: costsTooMuchMessage }),
      ),
      orderId: z.uuid('There is no such order').optional(),
    }),
    response: {
      200: z.object({
        clientSecret: z.string(),
        publishableKey: z.string(),
        cardLibrary: z.string().nullable().meta({ description: "where the sandbox's card library lies; null for Stripe's own" }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const recordPayment = {
  method: 'PATCH',
  url: '/purchase/:id',
  schema: {
    tags,
    summary: 'A hint that the order was paid: the card provider is asked',
    security: bearerAuth,
    params: OrderIdParams,
    body: z.object({
      pay: ignoredField,
      transectionId: z
        .string('transectionId is required')
        .min(1, 'transectionId is required')
        .max(255, 'This is no transaction of the card provider'),
    }),
    response: { 200: Purchase, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** Which orders wait after too many declined cards (null: none of these), and for how long. */
export const ShownDeclineWait = z
  .object({
    of: z.enum(['order', 'buyer', 'network']).nullable().meta({
      description:
        'which orders wait: this one, all of its buyer, or those of new buyers in its network; null when a card may be tried now',
    }),
    seconds: z.int().meta({ description: 'until a card may be tried again' }),
  })
  .meta({ id: 'DeclineWait' })

export const showDeclineWait = {
  method: 'GET',
  url: '/purchase/:id/decline-wait',
  schema: {
    tags,
    summary: 'Until when an order cannot be paid, because too many cards were declined; for admins',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: ShownDeclineWait, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const cancelPurchase = {
  method: 'POST',
  url: '/purchase/:id/cancel',
  schema: {
    tags,
    summary: 'Cancel an order: its pieces go back into stock',
    description:
      'A buyer cancels their open order. An admin cancels an open or a paid one; the money of a paid one goes back. Of an open order of several lines one is not cancelled alone where the rest could not be paid: 409 `costs_too_little`, or `discount_refused` below the minimum of its discount code.',
    security: bearerAuth,
    params: OrderIdParams,
    body: z.object({ reason }),
    response: { 200: Purchase, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** Whether a refund is for a line or for the delivery. */
export const isRefundOfSomething = (refund: { amountCents?: number | undefined; delivery: boolean }): boolean =>
  refund.amountCents !== 0 || refund.delivery
export const nothingRefundedIssue = { path: ['amountCents'], message: 'At least one cent' }

export const refundPurchase = {
  method: 'POST',
  url: '/purchase/:id/refund',
  schema: {
    tags,
    summary: 'Give money of a paid order back, through the card provider',
    description:
      'All that is left of it, or amountCents; with `delivery` also what is left of what the delivery of the order has cost, then amountCents may be 0. With refundedCentsSeen, what had gone back when the admin looked, the same refund sent twice is refused with 409.',
    security: bearerAuth,
    params: OrderIdParams,
    body: z
      .object({
        amountCents: wholeNumberSchema('Enter an amount', (number) =>
          number.min(0, 'At least one cent').max(productLimits.maxPrice * 100),
        ).optional(),
        delivery: z.boolean().default(false),
        restock: restockedPieces.default(0),
        refundedCentsSeen: wholeNumberSchema('Enter an amount', (number) => number.min(0).max(productLimits.maxPrice * 100)).optional(),
        reason,
      })
      .refine(isRefundOfSomething, nothingRefundedIssue),
    response: { 200: Purchase, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const refundOrder = {
  method: 'POST',
  url: '/orders/:id/refunds',
  schema: {
    tags: ['Orders of many lines'],
    summary: 'Give money of a paid order back, by line and piece',
    description:
      'For `quantity` pieces of a line goes back what they have cost, less what went back before; they return to stock unless `restock` says otherwise. With `delivery` goes back what is left of what the delivery has cost. With refundedCentsSeen, what had gone back when the admin looked, the same refund sent twice is refused with 409 "refunds_changed". Refused also with 400 "refund_exceeds_rest" and "restock_exceeds_rest", 404 for a line of another order, and 409 "order_not_paid", "nothing_to_refund" and "provider_refused".',
    security: bearerAuth,
    params: OrderIdParams,
    body: z
      .object({
        lines: z
          .array(
            z.object({
              _id: z.uuid('There is no such line').toLowerCase(),
              quantity: wholeNumberSchema(quantityRequiredMessage, (number) =>
                number.min(1, 'At least one piece').max(productLimits.maxQuantity),
              ),
              restock: restockedPieces.optional(),
            }),
          )
          .max(maxOrderLines)
          .default([]),
        delivery: z.boolean().default(false),
        refundedCentsSeen: z.int().min(0).optional(),
        reason,
      })
      .refine(({ lines, delivery }) => lines.length > 0 || delivery, {
        path: ['lines'],
        message: 'A refund has at least one line, or is for the delivery',
      }),
    response: { 200: Order, default: ErrorResponse },
  },
} as const satisfies Endpoint
