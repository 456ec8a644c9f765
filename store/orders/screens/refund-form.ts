import * as z from 'zod'
import { invalidAmountMessage } from '#shared/amount-schema.ts'
import { formatCents } from '#shared/money.ts'
import { formatPlainCents, parseAmountToCents } from '#shared/typed-amount.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { cancelPurchase, isRefundOfSomething, nothingRefundedIssue, refundPurchase } from '#store/orders/payments/contract.ts'

const { amountCents, restock, delivery, reason } = refundPurchase.schema.body.shape

/** The refund form before parsing: the amount and the pieces are text. `delivery`: what the delivery has cost goes back, too. */
export const refundFormSchema = (refundable: Purchase['refundable']) =>
  z
    .object({
      amountCents: z
        .string()
        .transform((text, { addIssue }): number | string => {
          const read = parseAmountToCents(text)
          if (text.trim() && Number.isNaN(read)) addIssue(invalidAmountMessage)
          return read
        })
        .pipe(amountCents.unwrap())
        .refine((cents) => cents <= refundable.cents, `At most ${formatCents(refundable.cents)} can go back`),
      restock: numberInputSchema(restock.unwrap(), quantityRequiredMessage).refine(
        (pieces) => pieces <= refundable.pieces,
        `At most ${refundable.pieces} pieces can go back into stock`,
      ),
      delivery,
      reason,
    })
    .refine(isRefundOfSomething, nothingRefundedIssue)

export type RefundFormInput = z.input<ReturnType<typeof refundFormSchema>>
export type RefundFormValues = z.output<ReturnType<typeof refundFormSchema>>

/** How the form begins: with all that can go back of the line or, where nothing of it can, with the delivery alone. */
export const initialRefund = ({ cents }: Pick<Purchase['refundable'], 'cents'>): RefundFormInput => ({
  ...{ amountCents: formatPlainCents(cents), restock: '0', reason: '' },
  delivery: cents === 0,
})

/** What the button of the form says. @param cents that go back; undefined where the amount cannot be read */
export const refundButtonText = (cents: number | undefined): string => (cents ? `Refund ${formatCents(cents)}` : 'Refund')

export const cancelFormSchema = cancelPurchase.schema.body
