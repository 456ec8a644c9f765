import * as z from 'zod'
import { inDollars } from '#store/in-dollars.ts'
import type { Order } from '#store/orders/contract.ts'
import { cancelOrder, refundOrder } from '#store/payments/contract.ts'
import { typed } from '#store/whole-number.ts'

const { amountCents, restock, reason } = refundOrder.schema.body.shape
const notAnAmount = 'Enter an amount in dollars and cents, like 12.50 or 1,250'

/** Reads an amount as a person types it: "12.50", "$1,250" and "12.5" are amounts, "12.505" and "1e3" are none. In cents. */
export function typedCents(text: string): number {
  const plain = text.trim().replace(/^\$\s*/, '')
  if (!/^(\d{1,3}(,\d{3})+|\d{1,9})(\.\d{1,2})?$/.test(plain)) return Number.NaN
  const [dollars, cents = ''] = plain.replaceAll(',', '').split('.')
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** An amount as a person would type it. */
export const asTyped = (cents: number): string => (cents % 100 === 0 ? `${cents / 100}` : (cents / 100).toFixed(2))

/** A refund as an admin types it: the amount and the pieces are text. */
export const typedRefund = (refundable: Order['refundable']) =>
  z.object({
    amountCents: z
      .string()
      .transform((text, { addIssue }): number | string => {
        const read = typedCents(text)
        if (text.trim() && Number.isNaN(read)) addIssue(notAnAmount)
        return read
      })
      .pipe(amountCents.unwrap())
      .refine((cents) => cents <= refundable.cents, `At most ${inDollars(refundable.cents)} can go back`),
    restock: typed(restock.unwrap(), 'Enter a whole number of pieces').refine(
      (pieces) => pieces <= refundable.pieces,
      `At most ${refundable.pieces} pieces can go back into stock`,
    ),
    reason,
  })

export type TypedRefund = z.input<ReturnType<typeof typedRefund>>
export type Refund = z.output<ReturnType<typeof typedRefund>>

export const typedCancellation = cancelOrder.schema.body
