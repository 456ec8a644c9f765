import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'

/** The spans of time that figures are told of: so many days with today, or twelve calendar months with this one, all in UTC. */
export const periods = ['7d', '30d', '90d', '12m'] as const
export type Period = (typeof periods)[number]

const day = z.iso.date()

const Figures = z.object({
  placed: z.int().meta({ description: 'orders placed' }),
  paid: z.int().meta({ description: 'orders of which the card provider took the money, whatever has become of them since' }),
  takenCents: z.int().meta({ description: 'that money' }),
  refunded: z.int().meta({ description: 'orders of which money was given back' }),
  refundedCents: z.int().meta({ description: 'that money, gone or on its way, by when it was asked' }),
})
export type Figures = z.infer<typeof Figures>

/** What came in, step by step: days, or of twelve months months. `from` and `to` are the first and the last day of it, in UTC. */
export const Takings = z
  .object({
    asOf: z.iso.datetime(),
    from: day,
    to: day,
    total: Figures,
    before: Figures.meta({
      description: 'of the span before, which ends as long ago as this one is long: a day that has begun is compared with as much of one',
    }),
    steps: z.array(Figures.extend({ from: day, to: day })),
    everOrdered: z.boolean().meta({ description: 'somebody has ever placed an order' }),
  })
  .meta({ id: 'Takings' })
export type Takings = z.infer<typeof Takings>

const Waiting = z.object({ orders: z.int(), cost: z.int().meta({ description: 'of all of them, in whole dollars' }) })

/** What an admin may have to do something about. Each figure is the number of rows of a list. */
export const Attention = z
  .object({
    asOf: z.iso.datetime(),
    unpaid: Waiting,
    holdEndsToday: Waiting,
    cardDeclined: Waiting,
    toBeLookedAt: Waiting,
    checking: Waiting.meta({ description: 'the card provider is to say whether they are paid' }),
    refundUnderWay: Waiting,
    outOfStock: z.int().meta({ description: 'products of which less than the smallest order is left' }),
    lowOnStock: z.int(),
    products: z.int().meta({ description: 'all that are for sale' }),
  })
  .meta({ id: 'Attention' })
export type Attention = z.infer<typeof Attention>

const tags = ['Overview']

export const showTakings = {
  method: 'GET',
  url: '/overview/takings',
  schema: {
    tags,
    summary: 'Takings, refunds and orders of a span of time, by day or month, and of the one before',
    security: withToken,
    querystring: z.object({ period: z.enum(periods, `Choose ${periods.join(', ')}`).default('30d') }),
    response: { 200: Takings, default: Refused },
  },
} as const satisfies Call

export const showAttention = {
  method: 'GET',
  url: '/overview/attention',
  schema: {
    tags,
    summary: 'What may need an admin: orders and products, counted',
    security: withToken,
    response: { 200: Attention, default: Refused },
  },
} as const satisfies Call
