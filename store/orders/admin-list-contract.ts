import * as z from 'zod'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { attentionReasons, disputedSchema, storedPhoneNumber } from './contract.ts'
import { purchaseStates, purchaseStatuses } from './statuses.ts'

/* The admins' list of all orders, a page at a time. */

/** What orders are filtered and summed up by: the day on which they were placed or paid, or on which money went back. */
export const orderDateFields = ['placed', 'paid', 'refunded'] as const
export type OrderDateField = (typeof orderDateFields)[number]

export const purchaseSortKeys = ['name', 'email', 'product', 'quantity', 'cost', 'status'] as const

const dayFilter = daySchema('1970-01-01').optional()

/** The query of `listPurchasePage`. */
export const PurchasePageQuery = z.object({
  q: z.string().trim().max(100, 'At most 100 characters').default(''),
  status: z.enum(purchaseStatuses).optional(),
  attention: z.enum(attentionReasons).optional(),
  date: z.enum(orderDateFields).optional().meta({ description: 'the day that `from` and `to` are about' }),
  from: dayFilter.meta({ description: "in the shop's time zone" }),
  to: dayFilter.meta({ description: "in the shop's time zone, inclusive" }),
  sort: z
    .enum(purchaseSortKeys.flatMap((key) => [key, `-${key}` as const]))
    .optional()
    .meta({ description: 'falling with a leading "-"; without it the newest order comes first' }),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})
export type PurchasePageQuery = z.output<typeof PurchasePageQuery>

const countsByKind = <const Kinds extends readonly [string, ...string[]]>(kinds: Kinds) => z.record(z.enum(kinds), z.int())

/** An order in the admins' list, with the first of its lines. */
export const ListedAdminOrder = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    guest: z.boolean(),
    phone_number: storedPhoneNumber,
    poNumber: z.string().nullable().meta({ description: "the buyer's own number of the order" }),
    totalCents: z.int().meta({ description: 'with delivery and tax' }),
    refundedCents: z.int().meta({ description: 'how much of the money has gone back, or is on its way' }),
    card: z.string().nullable(),
    disputed: disputedSchema,
    state: z.enum(purchaseStates).meta({ description: 'of the order as a whole' }),
    checking: z.boolean(),
    onAccount: z.literal(true).optional().meta({ description: 'it is on account, and still to be paid' }),
    lineCount: z.int(),
    pieces: z.int().meta({ description: 'of all lines, without what was cancelled before it was paid' }),
    lines: z.array(z.object({ _id: z.uuid(), productName: z.string(), quantity: z.int(), cancelled: z.int() })),
  })
  .meta({ id: 'ListedAdminOrder' })
export type ListedAdminOrder = z.infer<typeof ListedAdminOrder>

export const PurchasePage = z.object({
  orders: z.array(ListedAdminOrder),
  total: z.int().meta({ description: 'orders of all pages' }),
  sumCents: z.int().meta({ description: 'of all pages: what they cost or, where `date` is refunded, what went back on these days' }),
  all: z.int().meta({ description: 'of these days and this search, whatever their status' }),
  statuses: countsByKind(purchaseStatuses).meta({ description: 'of these days and this search, by status' }),
  attention: countsByKind(attentionReasons).meta({ description: 'of these days and this search, by why an admin has to look at them' }),
})
export type PurchasePage = z.infer<typeof PurchasePage>

export const listPurchasePage = {
  method: 'GET',
  url: '/bookings/page',
  schema: {
    tags: ['Orders'],
    summary: 'A page of all orders, filtered, searched and sorted (admins)',
    security: bearerAuth,
    querystring: PurchasePageQuery,
    response: { 200: PurchasePage, default: ErrorResponse },
  },
} as const satisfies Endpoint
