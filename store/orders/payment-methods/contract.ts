import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { paymentMethods } from '#store/orders/statuses.ts'
import { findIbanProblem, normalizeIban } from './iban.ts'

const text = (max: number) => z.string().trim().max(max, `At most ${max} characters`)

/** Where buyers transfer to. */
export const BankAccount = z
  .object({ holder: z.string(), iban: z.string(), bic: z.string(), bankName: z.string() })
  .meta({ id: 'BankAccount' })
export type BankAccount = z.infer<typeof BankAccount>

export const transferHoldDays = { min: 1, max: 30, usual: 7 }

const accountRequired = 'Transfers need it: enter it, or switch bank transfer off'

/** By which methods can be paid. The account may be typed before transfers are switched on, and is kept once they are off. */
export const PaymentSettingsFields = z
  .object({
    card: z.boolean(),
    bankTransfer: z.boolean(),
    onAccount: z.boolean(),
    holder: text(70).default('').meta({ description: 'the account is held by' }),
    iban: z.string().trim().max(50, 'At most 50 characters').transform(normalizeIban).default(''),
    bic: text(20)
      .transform((bic) => bic.replace(/\s/g, '').toUpperCase())
      .default(''),
    bankName: text(70).default(''),
    holdDays: wholeNumberSchema('Enter a number of days', (number) =>
      number.min(transferHoldDays.min, 'At least one day').max(transferHoldDays.max, `At most ${transferHoldDays.max} days`),
    ).default(transferHoldDays.usual),
  })
  .superRefine(({ card, bankTransfer, onAccount, holder, iban, bic }, { addIssue }) => {
    const wrong = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (!card && !bankTransfer && !onAccount) wrong('card', 'Leave one method on: otherwise nobody can order')
    if (bankTransfer && holder === '') wrong('holder', accountRequired)
    if (bankTransfer && iban === '') wrong('iban', accountRequired)
    const problem = iban === '' ? undefined : findIbanProblem(iban)
    if (problem) wrong('iban', problem)
    if (bic !== '' && !/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic))
      wrong('bic', 'A BIC has 8 or 11 characters, such as COBADEFFXXX')
  })
export type PaymentSettings = z.output<typeof PaymentSettingsFields>

/** What is set. */
export const PaymentSettingsView = z
  .object({
    ...{ card: z.boolean(), bankTransfer: z.boolean(), onAccount: z.boolean() },
    ...{ holder: z.string(), iban: z.string(), bic: z.string(), bankName: z.string(), holdDays: z.int() },
  })
  .meta({ id: 'PaymentSettings' })

const tags = ['Payment methods']

export const showPaymentSettings = {
  method: 'GET',
  url: '/payment-settings',
  schema: {
    tags,
    summary: 'By which methods can be paid, and the account for transfers (admins)',
    security: bearerAuth,
    response: { 200: PaymentSettingsView, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changePaymentSettings = {
  method: 'PUT',
  url: '/payment-settings',
  schema: {
    tags,
    summary: 'Switch methods of payment on and off, and say where buyers transfer to (owners)',
    description: 'Orders that are placed stay as they are: their pages and mails name the account as it is now.',
    security: bearerAuth,
    body: PaymentSettingsFields,
    response: { 200: PaymentSettingsView, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** A method that the buyer of a basket can choose, or why they cannot now. */
export const OfferedPaymentMethod = z.object({
  method: z.enum(paymentMethods),
  problem: z.string().nullable().meta({ description: 'why this order cannot be paid by it; null: it can' }),
  holdDays: z.int().nullable().meta({ description: 'how many days the order is held for a transfer; null: another method' }),
  dueDays: z.int().optional().meta({ description: 'of orders on account: how many days after a parcel is sent its invoice is due' }),
})
export type OfferedPaymentMethod = z.infer<typeof OfferedPaymentMethod>
