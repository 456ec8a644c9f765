import * as z from 'zod'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'

// Fields that the calls about orders of many lines and the specification's calls about purchases have in common.

/** The id of an order, or of one of its lines. Where a call acts on a line, an order's id stands for its only one. */
export const OrderIdParams = z.object({ id: z.uuid('There is no such order') })

/** The most lines of one order. */
export const maxOrderLines = 100

/** The headers of a call that places an order, or writes down what was sent. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().min(1).max(255, 'An Idempotency-Key has at most 255 characters').optional(),
})

/** What can still go back of an order or of a line. */
export const refundable = z.object({ cents: z.int(), pieces: z.int() }).meta({
  description: 'how much of the money can still go back, and how many pieces with it, without what has been asked for already',
})

/** Why an admin or a buyer cancels or refunds. */
export const reason = z.string().trim().max(200, 'At most 200 characters').optional()

export const orderedPieces = wholeNumberSchema(quantityRequiredMessage, (number) =>
  number.min(1, quantityRequiredMessage).max(productLimits.maxQuantity),
)

/** How many of refunded pieces go back into stock. */
export const restockedPieces = wholeNumberSchema(quantityRequiredMessage, (number) =>
  number.min(0, 'At least 0 pieces').max(productLimits.maxQuantity),
)
