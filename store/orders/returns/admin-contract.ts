import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import { idempotencyHeaders, maxOrderLines, orderedPieces } from '#store/orders/order-fields.ts'
import { SendOrderBody, Shipment } from '#store/orders/shipments/contract.ts'
import { Return, returnTags } from './contract.ts'
import { returnOutcomes } from './return-reasons.ts'

/* What admins do with returns. */

const ReturnIdParams = z.object({ id: z.uuid('There is no such return') })
const lineId = z.uuid('There is no such line').toLowerCase()

/** The lists of returns: not all decided; decided ones of which pieces go to the buyer again; all. */
export const returnLists = ['open', 'to resend', 'all'] as const
export type ReturnList = (typeof returnLists)[number]

export const listReturns = {
  method: 'GET',
  url: '/returns',
  schema: {
    tags: returnTags,
    summary: 'Returns by pages (admins): the open ones oldest first, all of them newest first',
    security: bearerAuth,
    querystring: z.object({
      list: z
        .enum(returnLists)
        .default('open')
        .meta({ description: 'those of which something is to be decided, or to be sent to the buyer again, or all' }),
      q: z.string().trim().max(100, 'At most 100 characters').optional().meta({
        description:
          'the return with this number, such as R1001, in any list; or those of the order with this number after a #, such as #1001',
      }),
      limit: z.coerce.number().int().min(1).max(50).default(25),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'This is no cursor of a list')
        .optional()
        .meta({ description: '`next` of the page before' }),
    }),
    response: {
      200: z.object({
        returns: z.array(Return),
        next: z.string().nullable().meta({ description: 'cursor of the next page' }),
        counts: z.object({ open: z.int(), toResend: z.int() }).meta({ description: 'returns on all pages of each list' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
export type ReturnsQuery = z.output<typeof listReturns.schema.querystring>
export type ReturnsPage = z.output<(typeof listReturns.schema.response)[200]>

const arrivedPieces = wholeNumberSchema(quantityRequiredMessage, (number) =>
  number.min(0, 'At least 0 pieces').max(productLimits.maxQuantity),
)

/** The body of `receiveReturn`. */
export const ReceiveReturnBody = z.object({
  lines: z
    .array(z.object({ _id: lineId, arrived: arrivedPieces.meta({ description: 'pieces of the line that have arrived so far' }) }))
    .min(1, 'Say of at least one line what has arrived')
    .max(maxOrderLines),
})
export type ReceiveReturnBody = z.output<typeof ReceiveReturnBody>

export const receiveReturn = {
  method: 'PUT',
  url: '/returns/:id/arrived',
  schema: {
    tags: returnTags,
    summary: 'Say how many pieces of a return have arrived so far (admins): the buyer gets a mail',
    description:
      'The same request again changes nothing. Refused with 409 "return_not_open", and "more_than_asked" for more pieces than were asked for and not refused, or fewer than are decided already; 404 for a line that is not of the return.',
    security: bearerAuth,
    params: ReturnIdParams,
    body: ReceiveReturnBody,
    response: { 200: Return, default: ErrorResponse },
  },
} as const satisfies Endpoint

const Decision = z
  .object({
    _id: lineId,
    quantity: orderedPieces,
    outcome: z.enum(returnOutcomes, 'Choose what becomes of them'),
    restock: z.boolean().default(false).meta({ description: 'the pieces that came back go into stock; else they are written off' }),
    reason: z
      .string()
      .trim()
      .max(200, 'At most 200 characters')
      .optional()
      .meta({ description: 'why they are refused: the buyer reads it' }),
  })
  .refine(({ outcome, reason }) => outcome !== 'refused' || reason, { path: ['reason'], message: 'Say why: the buyer reads it' })
  .refine(({ outcome, restock }) => !restock || outcome === 'refund' || outcome === 'replacement', {
    path: ['restock'],
    message: 'These pieces go back to the buyer, and not into stock',
  })

/** The body of `decideReturn`. */
export const DecideReturnBody = z.object({
  decisions: z
    .array(Decision)
    .min(1, 'Decide of at least one piece')
    .max(4 * maxOrderLines),
  delivery: z.boolean().default(false).meta({ description: 'with the refund goes back what is left of what the delivery has cost' }),
  decidedSeen: z.int().min(0).optional().meta({ description: 'how many pieces of the return were decided when the admin looked' }),
})
export type DecideReturnBody = z.output<typeof DecideReturnBody>

export const decideReturn = {
  method: 'POST',
  url: '/returns/:id/decisions',
  schema: {
    tags: returnTags,
    summary: 'Decide what becomes of pieces of a return (admins): the buyer gets a mail',
    description:
      'Refunded pieces give back what they have cost, less what went back of the line before, through the card provider. A replacement is taken out of stock at once, and sent with `POST /returns/{id}/shipments`, as repaired and refused pieces are. Refused pieces are those that have arrived first; the others are not to be sent. With decidedSeen, the same decision sent twice is refused with 409 "return_changed". Refused also with 409 "return_not_open", "more_than_arrived", "stock_too_low" for a replacement, "return_of_withdrawal" for anything but the refund of a withdrawal, "nothing_to_refund" for the delivery; 404 for a line that is not of the return; 429 above what admins who are no owners can refund within an hour.',
    security: bearerAuth,
    params: ReturnIdParams,
    body: DecideReturnBody,
    response: { 200: Return, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const sendReturn = {
  method: 'POST',
  url: '/returns/:id/shipments',
  schema: {
    tags: returnTags,
    summary: 'Write down that pieces of a return have been sent to the buyer again (admins): replacements, repaired and refused ones',
    description:
      'With an Idempotency-Key (up to 255 characters) the same request again is the same shipment; the key with another body is 422 "idempotency_key_reused". Refused with 409 "order_held_back", "order_under_review", and "more_than_left" for more pieces than are to be sent again; 404 for a line that is not of the return.',
    security: bearerAuth,
    params: ReturnIdParams,
    headers: idempotencyHeaders,
    body: SendOrderBody,
    response: { 201: Shipment, default: ErrorResponse },
  },
} as const satisfies Endpoint
