import * as z from 'zod'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { OrderIdParams } from '#store/orders/order-fields.ts'
import { BankAccount } from '#store/orders/payment-methods/contract.ts'

/* Orders on account: what a company may owe, what it owes, and money that has come by bank. */

export const creditTerms = { maxLimitCents: 1_000_000_000, minDueDays: 1, maxDueDays: 90, usualDueDays: 30 }

const tags = ['On account']
const cents = z.int()
const day = daySchema('2020-01-01')
const CompanyIdParams = z.object({ id: z.uuid('There is no such company') })

/** The body of `changeCredit`. */
export const CreditFields = z.object({
  limitCents: wholeNumberSchema('Enter an amount', (number) =>
    number.min(0, 'At least nothing').max(creditTerms.maxLimitCents, 'At most ten million'),
  ).meta({ description: 'what the company may owe at most; 0: it orders nothing more on account' }),
  dueDays: wholeNumberSchema('Enter a number of days', (number) =>
    number.min(creditTerms.minDueDays, 'At least one day').max(creditTerms.maxDueDays, `At most ${creditTerms.maxDueDays} days`),
  ).meta({ description: 'from the day when a parcel is sent to that on which its invoice is due, for orders that are placed from now on' }),
  note: z.string().trim().max(500, 'At most 500 characters').default('').meta({ description: 'for owners' }),
})
export type CreditFields = z.output<typeof CreditFields>

const Credit = z.object({ limitCents: cents, dueDays: z.int(), note: z.string() }).meta({ id: 'Credit' })

/** How long what is owed has been due, in days. */
export const ages = ['not invoiced', 'not due', '1-30', '31-60', '61-90', 'over 90'] as const
export type Age = (typeof ages)[number]

const ByAge = z
  .object(Object.fromEntries(ages.map((age) => [age, cents])) as Record<Age, typeof cents>)
  .meta({ id: 'OwedByAge', description: 'what is owed, in cents, by the number of days since it was due' })
export type ByAge = z.infer<typeof ByAge>

/** A company with credit, or one that owes something, or has been approved nothing yet. */
export const Receivable = z
  .object({
    company: z.object({ _id: z.uuid(), name: z.string(), vatId: z.string().nullable() }),
    credit: Credit.nullable().meta({ description: 'null: nothing was approved' }),
    owedCents: cents,
    overdueCents: cents,
    toGiveBackCents: cents.meta({ description: 'what was paid and credited since, and is to be transferred back' }),
    byAge: ByAge,
  })
  .meta({ id: 'Receivable' })
export type Receivable = z.infer<typeof Receivable>

export const listReceivables = {
  method: 'GET',
  url: '/receivables',
  schema: {
    tags,
    summary: 'Who owes what for how long, and who may order on account (owners)',
    description: 'The companies that owe most come first, then those with credit, then all others, by name.',
    security: bearerAuth,
    querystring: z.object({
      q: z.string().trim().max(80, 'At most 80 characters').optional().meta({ description: 'in the name of the company' }),
      cursor: z
        .string()
        .regex(/^\d{1,6}$/, 'This is no cursor')
        .optional(),
    }),
    response: {
      200: z.object({
        companies: z.array(Receivable),
        next: z.string().nullable(),
        total: z.object({ owedCents: cents, byAge: ByAge }).meta({ description: 'over all companies' }),
        reminderDays: z.int().nullable().meta({ description: 'after how many days invoices are reminded of; null: by hand alone' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

/** An invoice is reminded of once within these. */
export const reminderPauseDays = 7

/** An invoice of a parcel, and what is left to pay of it. */
export const OpenInvoice = z
  .object({
    shipmentId: z.uuid(),
    orderId: z.uuid(),
    orderNumber: z.int(),
    parcel: z.int().meta({ description: 'the number of the parcel within its order' }),
    number: z.string().nullable().meta({ description: 'of the invoice; null: it is being issued' }),
    sentOn: z.iso.date(),
    dueOn: z.iso.date(),
    daysOverdue: z.int().meta({ description: '0: it is not overdue' }),
    totalCents: cents,
    openCents: cents,
    remindedLevel: z.int().meta({ description: 'how often it was reminded of; 0: never' }),
    remindedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'OpenInvoice' })
export type OpenInvoice = z.infer<typeof OpenInvoice>

const OpenOrder = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    totalCents: cents,
    creditedCents: cents,
    paidCents: cents.meta({ description: 'less what was transferred back' }),
    owedCents: cents,
    toGiveBackCents: cents,
  })
  .meta({ id: 'OrderOnAccount' })
export type OpenOrder = z.infer<typeof OpenOrder>

const Entry = z.object({
  on: z.iso.date(),
  what: z.enum(['invoice', 'credit note', 'payment', 'paid back', 'written off', 'write-off not needed']),
  orderNumber: z.int(),
  number: z.string().nullable().meta({ description: 'of the invoice or credit note' }),
  cents: cents.meta({ description: 'what the company owes more by it; below 0: less' }),
  balanceCents: cents.meta({ description: 'after it' }),
})

const Statement = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    openingCents: cents.meta({ description: 'what the company owed before' }),
    entries: z.array(Entry),
    closingCents: cents,
  })
  .meta({ id: 'StatementOfAccount', description: 'by what was invoiced: orders of which nothing was sent are no part of it' })
export type Statement = z.infer<typeof Statement>

export const CompanyAccount = Receivable.extend({
  invoices: z.array(OpenInvoice).meta({ description: 'those that are not paid, the oldest first' }),
  invoicesToRemind: z
    .int()
    .meta({ description: `how many a reminder of now would name: overdue, and not reminded of within the last ${reminderPauseDays} days` }),
  orders: z.array(OpenOrder).meta({ description: 'those that owe something, or to which something is to be given back' }),
  statement: Statement,
  seller: z
    .string()
    .nullable()
    .meta({ description: 'who sends the statement: name, address and VAT id, one line each; null: nobody has said it' }),
  bankAccount: BankAccount.nullable().meta({ description: 'to which it is paid; null: the shop names none' }),
  history: z
    .array(Credit.extend({ at: z.iso.datetime(), by: z.string() }))
    .meta({ description: 'who has approved what, the newest first, at most 50' }),
}).meta({ id: 'CompanyAccount' })
export type CompanyAccount = z.infer<typeof CompanyAccount>

const StatementPeriod = z.object({
  from: day.optional().meta({ description: 'of the statement; the first of January unless said' }),
  to: day.optional().meta({ description: 'likewise; today unless said' }),
})

export const showCompanyAccount = {
  method: 'GET',
  url: '/receivables/:id',
  schema: {
    tags,
    summary: 'What a company owes, and its statement of account (owners)',
    security: bearerAuth,
    params: CompanyIdParams,
    querystring: StatementPeriod,
    response: { 200: CompanyAccount, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** What its members see of the account of a company. */
export const OwnAccount = CompanyAccount.omit({
  history: true,
  invoicesToRemind: true,
  orders: true,
  statement: true,
  seller: true,
  credit: true,
})
  .extend({
    credit: Credit.omit({ note: true }),
    leftToOrderCents: cents.meta({ description: 'for how much more can be ordered: nothing while an invoice is overdue' }),
  })
  .meta({ id: 'OwnAccount' })
export type OwnAccount = z.infer<typeof OwnAccount>

export const showOwnAccount = {
  method: 'GET',
  url: '/company/account',
  schema: {
    tags,
    summary: 'What the own company owes, and may still order for (members)',
    security: bearerAuth,
    response: {
      200: z.object({ account: OwnAccount.nullable().meta({ description: 'null: no company, or one that was never approved anything' }) }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const OwnStatement = CompanyAccount.pick({ company: true, statement: true, seller: true, invoices: true, bankAccount: true }).meta({
  id: 'OwnStatement',
})
export type OwnStatement = z.infer<typeof OwnStatement>

export const showOwnStatement = {
  method: 'GET',
  url: '/company/account/statement',
  schema: {
    tags,
    summary: 'The statement of account of the own company (members)',
    security: bearerAuth,
    querystring: StatementPeriod,
    response: { 200: OwnStatement, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeCredit = {
  method: 'PUT',
  url: '/companies/:id/credit',
  schema: {
    tags,
    summary: 'Approve what a company may owe, and for how long (owners)',
    description:
      'What is owed already stays owed, and orders that are placed keep their days. Refused with 409 "seller_unknown" as long as nobody has said who sells: parcels could not be invoiced.',
    security: bearerAuth,
    params: CompanyIdParams,
    body: CreditFields,
    response: { 200: Credit, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** Money that has come by bank, or that was transferred back. */
export const BookingFields = z.object({
  amountCents: wholeNumberSchema('Enter an amount', (number) => number.min(1, 'At least one cent').max(99_999_999, 'At most 999,999.99')),
  on: day.meta({ description: 'the day of the entry at the bank, not after today' }),
  note: z.string().trim().max(200, 'At most 200 characters').default('').meta({ description: 'such as the reference of the entry' }),
  owedCentsSeen: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'what the order owed, or what was to be given back, when the owner looked: the same sent twice is refused' }),
})
export type BookingFields = z.output<typeof BookingFields>

const booking = (url: '/orders/:id/payments' | '/orders/:id/paybacks', summary: string, description: string) =>
  ({
    method: 'POST',
    url,
    schema: {
      tags,
      summary,
      description,
      security: bearerAuth,
      params: OrderIdParams,
      body: BookingFields,
      response: { 201: OpenOrder, default: ErrorResponse },
    },
  }) as const satisfies Endpoint

export const bookPayment = booking(
  '/orders/:id/payments',
  'Write down money that has come for an order on account (owners)',
  'It pays the oldest invoice of the order first. Refused with 409 "order_not_on_account", and "amount_changed" where `owedCentsSeen` is not what is owed; 400 "amount_too_large" for more than that.',
)
export const bookPayback = booking(
  '/orders/:id/paybacks',
  'Write down that money of an order on account was transferred back (owners)',
  'What was paid and credited since. Refused like `POST /orders/{id}/payments`.',
)

export const sendReminder = {
  method: 'POST',
  url: '/receivables/:id/reminders',
  schema: {
    tags,
    summary: 'Remind a company of the invoices that are overdue (owners)',
    description: `One mail names those that were not reminded of within the last ${reminderPauseDays} days, each at its next level up to 3. Refused with 409 "nothing_to_remind" where there are none.`,
    security: bearerAuth,
    params: CompanyIdParams,
    response: { 201: z.object({ level: z.int(), invoices: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeReminders = {
  method: 'PUT',
  url: '/receivables/reminders',
  schema: {
    tags,
    summary: 'Remind of invoices that are overdue by themselves, or stop that (owners)',
    security: bearerAuth,
    body: z.object({
      daysAfterDue: wholeNumberSchema('Enter a number of days', (number) =>
        number.min(1, 'At least one day').max(90, 'At most 90 days'),
      ).nullable(),
    }),
    response: { 200: z.object({ daysAfterDue: z.int().nullable() }), default: ErrorResponse },
  },
} as const satisfies Endpoint
