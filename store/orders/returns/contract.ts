import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { idempotencyHeaders, maxOrderLines, OrderIdParams, orderedPieces } from '#store/orders/order-fields.ts'
import { returnCauses, returnOutcomes, returnReasons, returnStatuses } from './return-reasons.ts'

export const returnTags = ['Returns']

const pieces = z.int()

/** What was decided of pieces of a returned line. */
export const ReturnDecision = z
  .object({
    quantity: pieces,
    outcome: z.enum(returnOutcomes),
    hasArrived: z.boolean().meta({ description: 'false: refused before they came, so that the buyer keeps them' }),
    isRestocked: z.boolean().meta({ description: 'the pieces that came back are in stock again' }),
    reason: z.string().nullable().meta({ description: 'why they are refused' }),
    refund: z.enum(['asked', 'pending', 'succeeded', 'failed']).nullable().meta({
      description: 'how the refund of their money stands; null: they are not refunded, or nothing was left to refund',
    }),
    decidedAt: z.iso.datetime(),
  })
  .meta({ id: 'ReturnDecision' })
export type ReturnDecision = z.infer<typeof ReturnDecision>

/** A line of a return. Its `_id` is that of the line of the order. */
export const ReturnLine = z
  .object({
    _id: z.uuid(),
    productName: z.string(),
    quantity: pieces.meta({ description: 'asked for' }),
    reason: z.enum(returnReasons).nullable().meta({ description: 'null: a withdrawal asks for none' }),
    arrived: pieces,
    resent: pieces.meta({ description: 'sent to the buyer again: repaired or refused ones, or others in their place' }),
    toResend: pieces.meta({ description: 'that are still to be sent to the buyer again' }),
    toDecide: pieces.meta({ description: 'that have arrived and are not decided' }),
    toRefund: pieces.meta({ description: 'that are not decided, and whose money has to go back, as their buyer has withdrawn from them' }),
    decisions: z.array(ReturnDecision),
  })
  .meta({ id: 'ReturnLine' })
export type ReturnLine = z.infer<typeof ReturnLine>

/** Pieces of an order that its buyer sends back. */
export const Return = z
  .object({
    _id: z.uuid(),
    number: z.int().meta({ description: 'written on the parcel with an R before it, such as R1001' }),
    orderId: z.uuid(),
    orderNumber: z.int(),
    buyerName: z.string(),
    cause: z.enum(returnCauses).meta({ description: 'what it was opened for; a later withdrawal may have taken pieces of it over' }),
    status: z.enum(returnStatuses),
    note: z.string().nullable().meta({ description: "the buyer's words" }),
    askedAt: z.iso.datetime(),
    moneyDueOn: z.iso.date().nullable().meta({
      description: 'its buyer has withdrawn from pieces of it, see `toRefund`: the day until which their money has to go back',
    }),
    lines: z.array(ReturnLine),
  })
  .meta({ id: 'Return' })
export type Return = z.infer<typeof Return>

const returnNote = z.string().trim().max(1000, 'At most 1000 characters')
export const returnReason = z.enum(returnReasons, 'Choose a reason')

/** The body of `askForReturn`. */
export const AskForReturnBody = z.object({
  lines: z
    .array(z.object({ _id: z.uuid('There is no such line').toLowerCase(), quantity: orderedPieces, reason: returnReason }))
    .min(1, 'A return has at least one line')
    .max(maxOrderLines, `A return has at most ${maxOrderLines} lines`),
  note: returnNote.optional(),
})
export type AskForReturnBody = z.output<typeof AskForReturnBody>

export const askForReturn = {
  method: 'POST',
  url: '/orders/:id/returns',
  schema: {
    tags: returnTags,
    summary: 'Ask for a return of pieces that were sent: it gets a number',
    description:
      'For who has placed the order, their company and admins. With an Idempotency-Key (up to 255 characters) the same request again is the same return; the key with another body is 422 "idempotency_key_reused". Refused with 404 for a line of another order, 409 "more_than_sent" for more pieces of a line than were sent and are not in a return already, and 429 for too many returns of an order in a day.',
    security: bearerAuth,
    params: OrderIdParams,
    headers: idempotencyHeaders,
    body: AskForReturnBody,
    response: { 201: Return, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listOrderReturns = {
  method: 'GET',
  url: '/orders/:id/returns',
  schema: {
    tags: returnTags,
    summary: 'The returns of an order, oldest first, and what of it can be returned',
    security: bearerAuth,
    params: OrderIdParams,
    response: {
      200: z.object({
        returns: z.array(Return),
        returnable: z
          .array(z.object({ _id: z.uuid(), productName: z.string(), pieces }))
          .meta({ description: 'the lines with pieces that were sent and are not in a return already' }),
        address: z.string().nullable().meta({ description: 'where returns are sent; null: the shop has not said who sells' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
export type OrderReturns = z.output<(typeof listOrderReturns.schema.response)[200]>

export const takeBackReturn = {
  method: 'DELETE',
  url: '/orders/:id/returns/:returnId',
  schema: {
    tags: returnTags,
    summary: 'Take a return back, as long as nothing of it has arrived or is decided',
    description:
      'Refused with 409 "return_not_open", "return_arrived" and, where its buyer has withdrawn from pieces of it, "return_of_withdrawal".',
    security: bearerAuth,
    params: OrderIdParams.extend({ returnId: z.uuid('There is no such return') }),
    response: { 200: Return, default: ErrorResponse },
  },
} as const satisfies Endpoint
