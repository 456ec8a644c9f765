import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'

/** The selectable periods: a number of days including today, or twelve calendar months including the current one, in the shop's time zone. */
export const periods = ['7d', '30d', '90d', '12m'] as const
export type Period = (typeof periods)[number]

const day = z.iso.date()

const PeriodTotals = z.object({
  placed: z.int().meta({ description: 'orders placed' }),
  paid: z.int().meta({ description: 'orders of which the card provider took the money, whatever has become of them since' }),
  takenCents: z.int().meta({ description: 'that money' }),
  refunded: z.int().meta({ description: 'orders of which money was given back' }),
  refundedCents: z.int().meta({ description: 'that money, gone or on its way, by when it was asked' }),
})
export type PeriodTotals = z.infer<typeof PeriodTotals>

/** Revenue per step: per day, or per month for the period of twelve months. `from` and `to` are the first and last day in the shop's time zone. */
export const Revenue = z
  .object({
    asOf: z.iso.datetime(),
    from: day,
    to: day,
    total: PeriodTotals,
    before: PeriodTotals.meta({
      description: 'of the span before, which ends as long ago as this one is long: a day that has begun is compared with as much of one',
    }),
    steps: z.array(PeriodTotals.extend({ from: day, to: day })),
    everOrdered: z.boolean().meta({ description: 'somebody has ever placed an order' }),
  })
  .meta({ id: 'Takings' })
export type Revenue = z.infer<typeof Revenue>

const OrderCount = z.object({ orders: z.int(), cost: z.number().meta({ description: "of all of them, in the store's currency" }) })

/** Counts of orders and products that may need action by an admin. Each equals the number of rows of a filtered list. */
export const AttentionCounts = z
  .object({
    asOf: z.iso.datetime(),
    unpaid: OrderCount,
    holdEndsToday: OrderCount,
    cardDeclined: OrderCount,
    toBeLookedAt: OrderCount,
    checking: OrderCount.meta({ description: 'the card provider is to say whether they are paid' }),
    refundUnderWay: OrderCount,
    toSend: z.int().meta({ description: 'orders of which something can be sent now' }),
    openReturns: z.int().meta({ description: 'not all of them is here, or decided' }),
    bankEntries: z.int().meta({ description: 'that wait to be assigned to an order' }),
    refundsToTransfer: z.int(),
    overdueInvoices: z.int().meta({ description: 'of parcels on account' }),
    invoicesWithoutVatId: z.int().meta({ description: 'with reverse charge, from before the seller had a VAT id' }),
    outOfStock: z.int().meta({ description: 'products of which less than the smallest order is left' }),
    lowOnStock: z.int(),
    products: z.int().meta({ description: 'all that are for sale' }),
  })
  .meta({ id: 'Attention' })
export type AttentionCounts = z.infer<typeof AttentionCounts>

const tags = ['Overview']

export const showRevenue = {
  method: 'GET',
  url: '/overview/takings',
  schema: {
    tags,
    summary: 'Takings, refunds and orders of a span of time, by day or month, and of the one before',
    security: bearerAuth,
    querystring: z.object({ period: z.enum(periods, `Choose ${periods.join(', ')}`).default('30d') }),
    response: { 200: Revenue, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showAttention = {
  method: 'GET',
  url: '/overview/attention',
  schema: {
    tags,
    summary: 'What may need an admin: orders and products, counted',
    security: bearerAuth,
    response: { 200: AttentionCounts, default: ErrorResponse },
  },
} as const satisfies Endpoint
