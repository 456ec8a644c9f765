import * as z from 'zod'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { OrderIdParams } from '#store/orders/order-fields.ts'
import { BankAccount } from '#store/orders/payment-methods/contract.ts'

const tags = ['Bank transfers']
const cents = z.int()

/** `amountCents`: of an entry; an order costs less, but other money comes and goes, too. `partCents`: of what of it is for an order, a payment. */
export const statementLimits = { megabytes: 20, entries: 20_000, amountCents: 99_999_999_999, partCents: 99_999_999 }

/** What an entry is about. */
export const entryReasons = [
  'no reference',
  'unknown order',
  'several orders',
  'too little',
  'too much',
  'order ended',
  'paid already',
  'not looked at',
] as const
export type EntryReason = (typeof entryReasons)[number]

const OrderOfEntry = z.object({
  number: z.int(),
  _id: z.uuid(),
  buyerName: z.string(),
  orderStatus: z.string(),
  totalCents: cents,
  dueCents: cents.meta({ description: 'what is still to be paid of it' }),
})
export type OrderOfEntry = z.infer<typeof OrderOfEntry>

export const BankEntry = z
  .object({
    _id: z.uuid(),
    bookedOn: z.iso.date(),
    amountCents: cents.meta({ description: 'below zero: money that has left the account' }),
    leftCents: cents.meta({ description: 'what of it is assigned to nothing yet' }),
    payerName: z.string(),
    payerIban: z.string(),
    text: z.string(),
    reason: z.enum(entryReasons).nullable().meta({ description: 'why it waits to be assigned; null: it does not' }),
    order: OrderOfEntry.nullable().meta({ description: 'that its reference names' }),
    proposals: z.array(OrderOfEntry).meta({ description: 'orders that it may be for, by number, name and amount' }),
    assigned: z.array(z.object({ number: z.int(), amountCents: cents, isRefund: z.boolean() })),
    setAsideNote: z.string().nullable(),
  })
  .meta({ id: 'BankEntry' })
export type BankEntry = z.infer<typeof BankEntry>

const Payee = z.object({
  name: z.string().meta({ description: "empty: the bank has not named who has the account; without an IBAN it is the buyer's" }),
  iban: z.string().meta({ description: 'empty: the bank has not named it' }),
  amountCents: cents,
})
export type Payee = z.infer<typeof Payee>

/** Money that is to be transferred back by the owner. */
export const RefundToTransfer = z
  .object({
    _id: z.uuid(),
    orderNumber: z.int(),
    amountCents: cents,
    payees: z.array(Payee).meta({ description: 'the accounts that it came from, each with its part: a transfer to each' }),
    reference: z.string(),
    askedAt: z.iso.datetime(),
    note: z.string().nullable(),
  })
  .meta({ id: 'RefundToTransfer' })
export type RefundToTransfer = z.infer<typeof RefundToTransfer>

export const entryLists = ['waiting', 'booked', 'debits'] as const

export const listBankEntries = {
  method: 'GET',
  url: '/bank-entries',
  schema: {
    tags,
    summary: 'Entries of the account, the newest first, and the refunds that are to be transferred (admins)',
    security: bearerAuth,
    querystring: z.object({
      list: z.enum(entryLists).default('waiting'),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
    }),
    response: {
      200: z.object({
        entries: z.array(BankEntry),
        hasMore: z.boolean(),
        counts: z.object({ waiting: z.int(), refunds: z.int() }),
        refunds: z.array(RefundToTransfer),
        account: BankAccount.nullable(),
        askedByOwner: z.boolean().meta({ description: 'whether who asks is an owner' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

/** Which columns of a CSV file say what; those that are not named are found by the usual headings. */
const column = z.string().trim().max(60).optional()

export const StatementSummary = z
  .object({
    added: z.int().meta({ description: 'entries that were new' }),
    known: z.int().meta({ description: 'entries that had been imported before' }),
    booked: z.int().meta({ description: 'of the new ones, those that were surely for an order, and are booked to it' }),
    waiting: z.int().meta({ description: 'of the new ones, those that are to be assigned by hand' }),
    debits: z.int(),
  })
  .meta({ id: 'StatementSummary' })
export type StatementSummary = z.infer<typeof StatementSummary>

export const importStatement = {
  method: 'POST',
  url: '/bank-statements',
  schema: {
    tags,
    summary: "Import a statement of the account: CAMT.053 as XML, or the bank's CSV (admins)",
    description: `The body is the file itself, as application/octet-stream, of at most ${statementLimits.megabytes} MB. Each entry is imported once, however often a file with it is sent. One that names an order by its reference and has its amount is booked to it; all others wait. With 409 "entries_alike" a file is refused whose entries stand there with other words or references, such as the same statement in another format, unless "again" is true.`,
    security: bearerAuth,
    querystring: z.object({
      name: z.string().max(200).default(''),
      again: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'also where the file seems to say in another way what was imported before: see 409 "entries_alike"' }),
      ...{ date: column, amount: column, payer: column, payerIban: column, text: column, bankReference: column },
    }),
    response: { 201: StatementSummary, default: ErrorResponse },
  },
} as const satisfies Endpoint
export type StatementQuery = z.output<typeof importStatement.schema.querystring>
/** How the file names its columns. */
export type ColumnNames = Omit<StatementQuery, 'name' | 'again'>

const positiveCents = cents.min(1, 'At least one cent')
const entryCents = positiveCents.max(statementLimits.amountCents, 'That is more than an entry can be')
const partCents = positiveCents.max(statementLimits.partCents, 'At most 999,999.99 at a time')

export const addBankEntry = {
  method: 'POST',
  url: '/bank-entries',
  schema: {
    tags,
    summary: 'Enter money that has arrived, by hand (owners)',
    security: bearerAuth,
    body: z.object({
      bookedOn: daySchema('2000-01-01'),
      amountCents: entryCents,
      payerName: z.string().trim().max(140).default(''),
      payerIban: z.string().trim().max(40).default(''),
      text: z.string().trim().max(500).default(''),
      bankReference: requiredTextSchema("Enter the bank's reference, so that the entry is not booked twice", 100),
      again: z
        .boolean()
        .default(false)
        .meta({ description: 'also where an entry of this day and amount stands there: see 409 "entries_alike"' }),
    }),
    response: { 201: StatementSummary, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const entryDecisions = [
  'assign',
  'ask for the rest',
  'accept the shortfall',
  'place again',
  'send back',
  'set aside',
  'take up again',
] as const
export type EntryDecision = (typeof entryDecisions)[number]

export const EntryDecisionBody = z.object({
  decision: z.enum(entryDecisions),
  orders: z
    .array(z.object({ number: z.int().min(1).max(2_147_483_647), amountCents: partCents }))
    .max(50, 'At most 50 orders at a time')
    .default([])
    .meta({ description: 'for how much of the entry is for which order; `set aside` and `take up again` are for none' }),
  reason: z.string().trim().max(200, 'At most 200 characters').default(''),
  leftCentsSeen: cents.min(0).meta({ description: '`leftCents` of the entry as it was seen: the same decision sent twice is made once' }),
})
export type EntryDecisionBody = z.output<typeof EntryDecisionBody>

const EntryParams = z.object({ id: z.uuid('There is no such entry') })

export const decideBankEntry = {
  method: 'POST',
  url: '/bank-entries/:id/decision',
  schema: {
    tags,
    summary: 'Say what an entry is for (admins; accepting a shortfall: owners)',
    description:
      '`assign` books it to orders, of which one that is paid then is placed; `ask for the rest` also mails the buyer and holds the order anew; `accept the shortfall` writes off what is missing; `place again` takes the pieces of an order that has ended out of the stock once more; `send back` asks for a refund by transfer; `set aside` says that it is for no order, and `take up again` takes that back. Refused with 409 "entry_assigned", also where another amount is left than `leftCentsSeen`, "order_not_open", "amount_mismatch" and "stock_too_low".',
    security: bearerAuth,
    params: EntryParams,
    body: EntryDecisionBody,
    response: { 200: BankEntry, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const completeTransferRefund = {
  method: 'POST',
  url: '/transfer-refunds/:id/done',
  schema: {
    tags,
    summary: 'Say that a refund was transferred (owners)',
    security: bearerAuth,
    params: z.object({ id: z.uuid('There is no such refund') }),
    body: z.object({ doneOn: daySchema('2000-01-01') }),
    response: { 200: z.object({ orderNumber: z.int(), amountCents: cents }), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** How an order is paid by transfer. */
export const TransferInstructions = z
  .object({
    account: BankAccount.nullable().meta({ description: 'null: the shop names none now' }),
    reference: z.string(),
    dueCents: cents.meta({ description: 'what is still to be transferred' }),
    receivedCents: cents,
    holdUntil: z.iso.datetime(),
    longHoldUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'until when it is held once the e-mail is verified; null: it is held so long already' }),
    canPayByCard: z.boolean(),
  })
  .meta({ id: 'TransferInstructions' })
export type TransferInstructions = z.infer<typeof TransferInstructions>

export const showTransferInstructions = {
  method: 'GET',
  url: '/orders/:id/transfer',
  schema: {
    tags,
    summary: 'Where the amount of an order is transferred to, for its buyer and for admins',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: TransferInstructions, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const loadProForma = {
  method: 'GET',
  url: '/orders/:id/pro-forma',
  schema: {
    tags,
    summary: 'A pro forma invoice of an order that is not paid, as PDF, for its buyer and for admins',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: z.any().meta({ description: 'application/pdf' }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const confirmGuestEmail = {
  method: 'POST',
  url: '/orders/:id/confirmed-email',
  schema: {
    tags,
    summary: "A guest has opened the link of the mail: their order is held until the transfer's last day",
    security: bearerAuth,
    params: OrderIdParams,
    body: z.object({ token: z.string().max(64) }),
    response: { 200: z.object({ holdUntil: z.iso.datetime() }), default: ErrorResponse },
  },
} as const satisfies Endpoint
