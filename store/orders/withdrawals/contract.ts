import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { Email, fullName } from '#store/identity/account-fields.ts'
import { maxOrderLines, OrderIdParams, orderedPieces } from '#store/orders/order-fields.ts'

const tags = ['Withdrawal']

const WithdrawalLine = z.object({
  _id: z.uuid().meta({ description: 'of the line of the order' }),
  productName: z.string(),
  quantity: z.int(),
})

/** Pieces of a line that are in a return which the buyer has asked for. */
const PiecesInReturn = z.object({ returnNumber: z.int(), quantity: z.int() })

/** A declaration that was received. */
export const Withdrawal = z
  .object({
    _id: z.uuid(),
    at: z.iso.datetime().meta({ description: 'when it was received' }),
    name: z.string(),
    email: z.string().meta({ description: 'the receipt goes there' }),
    lines: z.array(WithdrawalLine.extend({ sent: z.int().meta({ description: 'pieces of these that had been sent: they come back' }) })),
    refundCents: z.int().meta({ description: 'what goes back at once: for what was not sent, and for the delivery' }),
    deliveryCents: z.int().meta({ description: 'the part of it that is for the delivery' }),
    returnNumber: z.int().nullable().meta({ description: 'of the return of what was sent and was in no return: R1001' }),
    returnAddress: z
      .string()
      .nullable()
      .meta({ description: 'where that is sent, one line each; null: nothing comes back, or the shop has not said who sells' }),
    takenOver: z
      .array(PiecesInReturn.extend({ _id: z.uuid().meta({ description: 'of the line of the order' }), productName: z.string() }))
      .meta({ description: 'pieces, of those sent, of returns that the buyer had asked for: they cannot be refused any more' }),
    moneyDueOn: z.iso.date().nullable().meta({ description: 'until when the money of what was sent goes back' }),
    isReturned: z.boolean().meta({ description: 'what was sent is back and decided: nothing of it is awaited any more' }),
  })
  .meta({ id: 'Withdrawal' })
export type Withdrawal = z.infer<typeof Withdrawal>

/** What the buyer of an order can withdraw from, and has withdrawn from. */
export const OrderWithdrawal = z
  .object({
    withdrawal: z
      .object({
        until: z.iso.date().nullable().meta({
          description: "the last day, in the shop's time zone; null: it is not known yet, as not all of the order is delivered",
        }),
        isByLaw: z.boolean().meta({ description: 'false: the shop offers it by its own will' }),
        isWhole: z.boolean().meta({ description: 'the order is not paid: it is withdrawn from as a whole' }),
        lines: z
          .array(
            WithdrawalLine.extend({ inReturns: z.array(PiecesInReturn).meta({ description: 'of these, the last ones: not decided yet' }) }),
          )
          .meta({ description: 'the pieces that can be withdrawn from' }),
      })
      .nullable()
      .meta({ description: 'null: nothing, see `why`' }),
    why: z.string().nullable().meta({ description: 'why nothing can be withdrawn from' }),
    withdrawn: z.array(Withdrawal).meta({ description: 'oldest first' }),
    page: z.string().nullable().meta({
      description:
        'the path of the page on which the buyer withdraws without signing in; keep it secret. null: for an admin who is not the buyer',
    }),
  })
  .meta({ id: 'OrderWithdrawal' })
export type OrderWithdrawal = z.infer<typeof OrderWithdrawal>

export const showWithdrawal = {
  method: 'GET',
  url: '/orders/:id/withdrawal',
  schema: {
    tags,
    summary: 'From what of an order its buyer can withdraw, until when, and from what they have withdrawn',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: OrderWithdrawal, default: ErrorResponse },
  },
} as const satisfies Endpoint

const pieces = z
  .array(z.object({ _id: z.uuid('There is no such line').toLowerCase(), quantity: orderedPieces }))
  .min(1, 'Choose what you withdraw from')
  .max(maxOrderLines, `At most ${maxOrderLines} lines`)

/** The body of `withdrawFromContract`. */
export const WithdrawalBody = z.object({
  lines: pieces.optional().meta({ description: 'everything that can be withdrawn from, where it is left out' }),
  name: fullName,
  email: Email.meta({ description: 'the receipt goes there' }),
})
export type WithdrawalBody = z.output<typeof WithdrawalBody>

export const withdrawFromContract = {
  method: 'POST',
  url: '/orders/:id/withdrawal',
  schema: {
    tags,
    summary: 'Withdraw from the contract, wholly or in part: a receipt with date and time goes to the e-mail',
    description: [
      'For consumers who are delivered to in the EU or the EEA, and where the shop offers it to all of them, until 14 days after the last delivery; where that day is a Saturday, a Sunday or a holiday of the shop, until the next working day. No reason is asked for, and the shop cannot refuse.',
      'What was not sent is cancelled and its money goes back at once; an order that is not paid is cancelled as a whole. What was sent becomes a return, whose money goes back within 14 days; pieces of returns that were asked for and are not decided stay in these, which cannot refuse them any more.',
      'Refused with 409: "withdrawal_not_offered", "withdrawal_ended", "nothing_to_withdraw" where all of it was withdrawn from, returned and decided, cancelled or refunded before, "more_than_left" for more pieces of a line than are left, "order_not_paid" for a part of an unpaid order; 404 for a line of another order, and 503 "payment_being_checked" while the card provider does not know whether it was paid.',
    ].join('\n\n'),
    security: bearerAuth,
    params: OrderIdParams,
    body: WithdrawalBody,
    response: { 201: Withdrawal, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** What was typed on the page of a withdrawal: pieces by line, as text. */
export const TypedWithdrawal = z.object({
  name: z.string().max(200),
  email: z.string().max(320),
  pieces: z.record(z.string().max(36), z.string().max(9)),
})
export type TypedWithdrawal = z.infer<typeof TypedWithdrawal>

export const showWithdrawalPage = {
  method: 'GET',
  url: '/withdrawals/:token',
  schema: {
    tags,
    summary: 'What the page of a withdrawal shows, for whoever has its secret address',
    params: z.object({ token: z.string().max(100) }),
    response: {
      200: OrderWithdrawal.extend({
        page: z.string(),
        orderNumber: z.int(),
        placedAt: z.iso.datetime(),
        typed: TypedWithdrawal.meta({ description: 'what this browser has typed last, or the name and e-mail of the order' }),
        isTyped: z.boolean(),
        errors: z.record(z.string(), z.string()).meta({ description: 'what is wrong with it, by field' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
