import * as z from 'zod'
import { numberInputSchema } from '#shared/whole-number.ts'
import { type PaymentSettings, PaymentSettingsFields } from '#store/orders/payment-methods/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { withIssuesOf } from '#store/tax/screens/tax-forms.ts'

/* The form of the methods of payment: what is typed is text. */

const { holdDays } = PaymentSettingsFields.shape
const text = z.string()

export const paymentSettingsFormSchema = z
  .object({
    ...{ card: z.boolean(), bankTransfer: z.boolean(), onAccount: z.boolean() },
    ...{ holder: text, iban: text, bic: text, bankName: text },
    holdDays: numberInputSchema(holdDays.unwrap(), 'Enter a number of days'),
  })
  .superRefine(withIssuesOf(PaymentSettingsFields))
export type PaymentSettingsFormInput = z.input<typeof paymentSettingsFormSchema>

export const toPaymentSettingsForm = ({ iban, holdDays, ...settings }: PaymentSettings): PaymentSettingsFormInput => ({
  ...settings,
  iban: formatIban(iban),
  holdDays: `${holdDays}`,
})
