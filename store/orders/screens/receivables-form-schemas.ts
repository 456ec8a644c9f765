import * as z from 'zod'
import { invalidAmountMessage } from '#shared/amount-schema.ts'
import { formatPlainCents, parseAmountToCents } from '#shared/typed-amount.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import {
  BookingFields,
  CreditFields,
  creditTerms,
  type OpenInvoice,
  type OpenOrder,
  type Receivable,
} from '#store/orders/on-account/contract.ts'

/* The forms of orders on account: what is typed is text. */

const centsInput = <NumberSchema extends z.ZodType<number, number | string>>(number: NumberSchema) =>
  numberInputSchema(number, invalidAmountMessage, parseAmountToCents)

export const creditFormSchema = z.object({
  limitCents: centsInput(CreditFields.shape.limitCents),
  dueDays: numberInputSchema(CreditFields.shape.dueDays, 'Enter a number of days'),
  note: CreditFields.shape.note.unwrap(),
})
export type CreditFormInput = z.input<typeof creditFormSchema>

export const toCreditForm = (credit: Receivable['credit']): CreditFormInput => ({
  limitCents: credit ? formatPlainCents(credit.limitCents) : '',
  dueDays: `${credit?.dueDays ?? creditTerms.usualDueDays}`,
  note: credit?.note ?? '',
})

export const bookingFormSchema = z.object({
  orderId: z.string().min(1, 'Choose an order'),
  amountCents: centsInput(BookingFields.shape.amountCents),
  on: BookingFields.shape.on,
  note: BookingFields.shape.note.unwrap(),
})
export type BookingFormInput = z.input<typeof bookingFormSchema>

/** Money that has come, or that was transferred back. */
export type BookingKind = 'payment' | 'payback'

export const centsOfOrder = (kind: BookingKind, { owedCents, toGiveBackCents }: OpenOrder): number =>
  kind === 'payment' ? owedCents : toGiveBackCents

/** What is left to pay of the invoices of an order. */
export const invoicedCents = ({ _id }: OpenOrder, invoices: OpenInvoice[]): number =>
  invoices.reduce((sum, { orderId, openCents }) => sum + (orderId === _id ? openCents : 0), 0)

/** The amount that the form begins with: what is invoiced, as nothing else is paid as a rule. */
export const proposedCents = (kind: BookingKind, order: OpenOrder, invoices: OpenInvoice[]): number =>
  (kind === 'payment' && invoicedCents(order, invoices)) || centsOfOrder(kind, order)

type BookingFormAbout = { kind: BookingKind; orders: OpenOrder[]; invoices: OpenInvoice[] }

export const toBookingForm = ({ kind, orders, invoices }: BookingFormAbout, today: string): BookingFormInput => {
  const [only, ...others] = orders
  const chosen = others.length === 0 ? only : undefined
  const amountCents = chosen ? formatPlainCents(proposedCents(kind, chosen, invoices)) : ''
  return { orderId: chosen?._id ?? '', amountCents, on: today, note: '' }
}
