import { z } from 'zod'
import { currencyCodes } from '#shared/currencies.ts'
import { type CardRejection, parseCard, type StoredCard } from './cards.ts'
import { arrayParam, expand } from './expand.ts'
import type * as methods from './methods.ts'
import { paginationParams } from './pagination.ts'

/* Parameters of the payment intent endpoints, with Stripe's names. Unknown parameters are rejected. */

const cents = z.string().transform((text, context) => {
  const amount = Number(text)
  const fail = (message: string, code: string) => {
    context.addIssue({ code: 'custom', message, params: { code } })
    return z.NEVER
  }
  if (!/^-?\d+$/.test(text)) return fail(`Invalid integer: ${text}`, 'parameter_invalid_integer')
  if (amount < 1) return fail('This value must be greater than or equal to 1.', 'parameter_invalid_integer')
  if (amount > 99_999_999) return fail('Amount must be no more than $999,999.99', 'amount_too_large')
  return amount
})

const currency = z.string().toLowerCase().pipe(z.enum(currencyCodes))

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const metadata = z.union([
  z.literal(''),
  z
    .record(z.string().max(40), z.string().max(500))
    .refine((pairs) => Object.keys(pairs).length <= 50, { error: 'You can only specify up to 50 metadata keys.' }),
])

const receiptEmail = z.union([z.literal(''), z.email()])

const allowed_payment_method_types = arrayParam(z.literal('card')).optional()

export const IntentCreateParams = z.strictObject({
  amount: cents,
  currency,
  allowed_payment_method_types,
  automatic_payment_methods: z.strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).default('always') }).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirm: flag.optional(),
  confirmation_method: z.literal('automatic').optional(),
  description: z.string().max(1000).optional(),
  expand,
  metadata: metadata.optional(),
  payment_method: z.string().optional(),
  receipt_email: receiptEmail.optional(),
  return_url: z.url().optional(),
  statement_descriptor: z.string().max(22).optional(),
  statement_descriptor_suffix: z.string().max(22).optional(),
  use_stripe_sdk: flag.optional(),
})

export const IntentRetrieveParams = z.strictObject({ client_secret: z.string().optional(), expand })

export const IntentListParams = z.strictObject({ ...paginationParams, expand })

export const IntentUpdateParams = z.strictObject({
  amount: cents.optional(),
  currency: currency.optional(),
  allowed_payment_method_types,
  description: z.string().max(1000).optional(),
  expand,
  metadata: metadata.optional(),
  payment_method: z.string().optional(),
  receipt_email: receiptEmail.optional(),
  statement_descriptor_suffix: z.string().max(22).optional(),
})

export const IntentCancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand,
})

const paymentMethodData = z
  .strictObject({
    type: z.literal('card'),
    card: z.strictObject({ number: z.string(), exp_month: z.string(), exp_year: z.string(), cvc: z.string().optional() }),
    billing_details: z
      .strictObject({ name: z.string().max(200).optional(), email: z.string().max(200).optional(), phone: z.string().max(50).optional() })
      .optional(),
  })
  // After this, the card number is in no data: neither in the idempotency fingerprint nor in errors.
  .transform(({ card, billing_details }): { card: StoredCard | CardRejection; billing_details?: methods.BillingInput | undefined } => ({
    card: parseCard(card),
    billing_details,
  }))

export const IntentConfirmParams = z
  .strictObject({
    allowed_payment_method_types,
    client_secret: z.string().optional(),
    expand,
    expected_payment_method_type: z.literal('card').optional(),
    payment_method: z.string().optional(),
    payment_method_data: paymentMethodData.optional(),
    receipt_email: receiptEmail.optional(),
    return_url: z.url().optional(),
    use_stripe_sdk: flag.optional(),
  })
  .transform(({ payment_method_data, ...rest }) => ({ ...rest, typed: payment_method_data }))

/** The buyer's answer to a challenge. */
export const ChallengeAnswerParams = z.strictObject({ outcome: z.enum(['passed', 'failed']) })
