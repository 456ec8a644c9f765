import * as z from 'zod'
import { formatCents } from '#shared/format-cents.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { cancelPurchase, refundPurchase } from '#store/orders/payments/contract.ts'

const { amountCents, restock, reason } = refundPurchase.schema.body.shape
const invalidAmountMessage = 'Enter an amount in dollars and cents, like 12.50 or 1,250'

/** Parses a typed amount in dollars: "12.50", "$1,250" and "12.5" are valid, "12.505" and "1e3" are not. @returns cents, NaN if invalid */
export function parseDollarsToCents(text: string): number {
  const plain = text.trim().replace(/^\$\s*/, '')
  if (!/^(\d{1,3}(,\d{3})+|\d{1,9})(\.\d{1,2})?$/.test(plain)) return Number.NaN
  const [dollars, cents = ''] = plain.replaceAll(',', '').split('.')
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'))
}

/** Formats an amount for an input: "12" or "12.50". */
export const formatCentsInput = (cents: number): string => (cents % 100 === 0 ? `${cents / 100}` : (cents / 100).toFixed(2))

/** The refund form before parsing: the amount and the pieces are text. */
export const refundFormSchema = (refundable: Purchase['refundable']) =>
  z.object({
    amountCents: z
      .string()
      .transform((text, { addIssue }): number | string => {
        const read = parseDollarsToCents(text)
        if (text.trim() && Number.isNaN(read)) addIssue(invalidAmountMessage)
        return read
      })
      .pipe(amountCents.unwrap())
      .refine((cents) => cents <= refundable.cents, `At most ${formatCents(refundable.cents)} can go back`),
    restock: numberInputSchema(restock.unwrap(), 'Enter a whole number of pieces').refine(
      (pieces) => pieces <= refundable.pieces,
      `At most ${refundable.pieces} pieces can go back into stock`,
    ),
    reason,
  })

export type RefundFormInput = z.input<ReturnType<typeof refundFormSchema>>
export type RefundFormValues = z.output<ReturnType<typeof refundFormSchema>>

export const cancelFormSchema = cancelPurchase.schema.body
