import * as z from 'zod'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { idempotencyHeaders, maxOrderLines, OrderIdParams, orderedPieces } from '#store/orders/order-fields.ts'
import { carriers, deliverySources, isTrackingNumber, maxTrackingCharacters, plainTrackingNumber, trackingNumberFault } from './carriers.ts'

const tags = ['Sending']

/** Why a paid order is not to be sent now: an admin holds it back, the payment is disputed, or something went wrong that nobody has looked at. */
export const sendingBlocks = ['held back', 'disputed', 'to be looked at'] as const
export type SendingBlock = (typeof sendingBlocks)[number]

/** What was sent of an order at one time. */
export const Shipment = z
  .object({
    _id: z.uuid(),
    number: z.int().meta({ description: 'within the order: 1, 2, ...' }),
    carrier: z.enum(carriers).nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable().meta({ description: 'where the carrier shows how it stands, as far as the store knows' }),
    sentAt: z.iso.datetime(),
    deliveredOn: z.iso.date().nullable().meta({ description: "the day in the shop's time zone; null: it is not known to have been" }),
    deliveredSaidBy: z
      .enum(deliverySources)
      .nullable()
      .meta({ description: 'assumed: nobody has said it, and it was sent long enough ago' }),
    returnNumber: z.int().optional().meta({ description: 'of the return whose pieces go to the buyer again with it' }),
    dueOn: z.iso.date().optional().meta({ description: 'when its invoice is due, of an order on account' }),
    lines: z.array(z.object({ _id: z.uuid().meta({ description: 'of the line of the order' }), quantity: z.int() })),
  })
  .meta({ id: 'Shipment' })
export type Shipment = z.infer<typeof Shipment>

/** As printed, with or without spaces; kept without them, in capitals. */
export const trackingNumber = z
  .string()
  .max(100, 'This is no tracking number: it is too long')
  .transform(plainTrackingNumber)
  .refine((plain) => plain.length <= maxTrackingCharacters, `A tracking number has at most ${maxTrackingCharacters} characters`)
  .refine((plain) => plain === '' || isTrackingNumber(plain), 'A tracking number has letters, digits and dashes, and at least one digit')
  .meta({ description: 'as the carrier prints it: spaces do not count' })

/** The body of `sendOrder`. */
export const SendOrderBody = z
  .object({
    lines: z
      .array(z.object({ _id: z.uuid('There is no such line').toLowerCase(), quantity: orderedPieces }))
      .min(1, 'A shipment has at least one line')
      .max(maxOrderLines, `A shipment has at most ${maxOrderLines} lines`),
    carrier: z.enum(carriers, `A carrier is one of ${carriers.join(', ')}`).optional(),
    trackingNumber: trackingNumber.optional(),
  })
  .refine(({ carrier, trackingNumber }) => carrier !== undefined || !trackingNumber, {
    path: ['carrier'],
    message: 'Say which carrier this tracking number is of',
  })
  .superRefine((parcel, { addIssue }) => {
    const fault = trackingNumberFault(parcel)
    if (fault) addIssue({ code: 'custom', path: ['trackingNumber'], message: fault })
  })
export type SendOrderBody = z.output<typeof SendOrderBody>

export const sendOrder = {
  method: 'POST',
  url: '/orders/:id/shipments',
  schema: {
    tags,
    summary: 'Write down that pieces of a paid order have been sent (admins): the buyer gets a mail',
    description:
      'With an Idempotency-Key (up to 255 characters) the same request again is the same shipment; the key with another body is 422 "idempotency_key_reused". Refused with 409 "order_not_paid", "order_not_open" for an order that has ended, "order_shipped" for one that is sent, "order_held_back", "order_under_review" where its payment is disputed or an admin has yet to look at what went wrong, and "more_than_left" for more pieces of a line than were neither sent nor cancelled; 404 for a line of another order.',
    security: bearerAuth,
    params: OrderIdParams,
    headers: idempotencyHeaders,
    body: SendOrderBody,
    response: { 201: Shipment, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const recordDelivery = {
  method: 'PUT',
  url: '/orders/:id/shipments/:shipment/delivered',
  schema: {
    tags,
    summary: 'Say on which day a parcel was delivered (its buyer, or an admin): with the last one the order is delivered',
    description:
      'A day in the shop\'s time zone, from the one on which it was sent to today. An admin may change it; a buyer says it once: 409 "delivery_known". Where nobody says it, it is assumed so many days after sending as the delivery settings say. 404 for a parcel of another order.',
    security: bearerAuth,
    params: OrderIdParams.extend({ shipment: z.uuid('There is no such parcel').toLowerCase() }),
    body: z.object({ deliveredOn: daySchema('2000-01-01').optional().meta({ description: 'today where it is left out' }) }),
    response: { 200: Shipment, default: ErrorResponse },
  },
} as const satisfies Endpoint

const HeldBack = z.object({ heldBackReason: z.string().nullable().meta({ description: 'null: it can be sent' }) })

export const holdOrderBack = {
  method: 'PUT',
  url: '/orders/:id/held-back',
  schema: {
    tags,
    summary: 'Keep a paid order from being sent until it is released (admins)',
    description: 'Refused with 409 "order_not_paid", "order_not_open" and "order_shipped".',
    security: bearerAuth,
    params: OrderIdParams,
    body: z.object({
      reason: z.string('Say why').trim().min(1, 'Say why').max(200, 'At most 200 characters').meta({ description: 'buyers do not see it' }),
    }),
    response: { 200: HeldBack, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const releaseOrder = {
  method: 'DELETE',
  url: '/orders/:id/held-back',
  schema: {
    tags,
    summary: 'Let an order be sent that was held back (admins)',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: HeldBack, default: ErrorResponse },
  },
} as const satisfies Endpoint
