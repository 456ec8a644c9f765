import * as z from 'zod'
import { amountSchema } from '#shared/amount-schema.ts'
import { daySchema } from '#shared/day.ts'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import { oneOrManySchema } from '#shared/one-or-many.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { shopDay } from '#shared/shop-day.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { price, productLimits } from '#store/catalogue/contract.ts'

export const tags = ['Prices for customers']

/** The most percent that a group or a code takes off: more is a typing error rather than a price. */
const maxPercentOff = 90
/** The most prices, codes and changes on a page of a list. */
export const maxListedBuyerPrices = 200
/** The most products whose own prices one call answers. */
export const maxOwnPrices = 100

const search = z.string().trim().max(100, 'At most 100 characters').default('')
/** The key of the last row of a page: numbers, and an id last. */
const cursor = (numbers: 1 | 2) =>
  z
    .string()
    .regex(new RegExp(`^(\\d{1,16}\\.){${numbers}}[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$`), 'There is no such page')
    .optional()
    .meta({ description: '`next` of the page before' })
const next = z.string().nullable().meta({ description: 'the `cursor` of the next page; null: this was the last' })
export const IdParams = z.object({ id: z.uuid('There is no such entry') })
export const Removed = z.object({ deletedCount: z.int() })

export const percentOff = (least: number) =>
  wholeNumberSchema('Enter a whole number of percent', (number) =>
    number.min(least, `At least ${least} percent`).max(maxPercentOff, `At most ${maxPercentOff} percent`),
  )

// Prices of a product for a customer or a group

export const BuyerPrice = z
  .object({
    _id: z.uuid(),
    productId: z.uuid(),
    productName: z.string(),
    sku: z.string(),
    listPrice: z.number().describe("in the store's currency"),
    price: z.number().describe("in the store's currency"),
    email: z.string().nullable().meta({ description: 'the customer whose price it is; otherwise it is that of `group`' }),
    group: z.string().nullable(),
  })
  .meta({ id: 'BuyerPrice' })
export type BuyerPrice = z.infer<typeof BuyerPrice>

export const NewBuyerPrice = z
  .object({
    sku: requiredTextSchema('Enter the SKU of a product', 100),
    price,
    email: z.string().trim().toLowerCase().optional(),
    groupId: z.uuid('There is no such group').optional(),
  })
  .refine(({ email, groupId }) => Boolean(email) !== Boolean(groupId), {
    message: 'A price is for one customer or one group',
    path: ['email'],
  })

export const listAllBuyerPrices = {
  method: 'GET',
  url: '/buyer-prices',
  schema: {
    tags,
    summary: `Prices for customers and groups, newest first, ${maxListedBuyerPrices} at a time (admins)`,
    security: bearerAuth,
    querystring: z.object({
      q: search.meta({ description: 'text in the name, SKU or part number of the product, in the e-mail or in the name of the group' }),
      cursor: cursor(1),
    }),
    response: { 200: z.object({ prices: z.array(BuyerPrice), total: z.int(), next }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const setBuyerPrice = {
  method: 'POST',
  url: '/buyer-prices',
  schema: {
    tags,
    summary: 'Set the price of a product for a customer or a group, over the one before (admins)',
    description:
      'A buyer pays their own price, else that of their group, else the list price less what the group has off, and never more than the list price or its price break.',
    security: bearerAuth,
    body: NewBuyerPrice,
    response: { 201: BuyerPrice, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeBuyerPrice = {
  method: 'DELETE',
  url: '/buyer-prices/:id',
  schema: {
    tags,
    summary: 'Remove the price for a customer or a group (admins)',
    security: bearerAuth,
    params: IdParams,
    response: { 200: Removed, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The prices that the signed-in customer has of their own, directly or by their group. */
export const listOwnPrices = {
  method: 'GET',
  url: '/own-prices',
  schema: {
    tags,
    summary: 'What the signed-in customer pays for a piece of these products, where it is less than the list price',
    description: 'A price break that is lower still holds from its quantity on.',
    security: bearerAuth,
    querystring: z.object({
      productId: oneOrManySchema.pipe(z.array(z.uuid('There is no such product')).max(maxOwnPrices, `At most ${maxOwnPrices} products`)),
    }),
    response: {
      200: z.array(z.object({ productId: z.uuid(), price: z.number().describe("in the store's currency") })),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

// Discount codes

export const DiscountCode = z
  .object({
    _id: z.uuid(),
    code: z.string(),
    percentOff: z.int().nullable().meta({ description: 'off the goods of an order; null: `amountOffCents` is' }),
    amountOffCents: z.int().nullable(),
    minimumCents: z.int().meta({ description: 'what the goods of an order have to cost before the reduction' }),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime().nullable().meta({ description: 'when it ends or has ended; null: it does not end' }),
    periodEndsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'the same as if no admin had ended it: until then it lasts once it is brought back' }),
    maxUses: z.int().nullable(),
    uses: z.int().meta({ description: 'orders that used it and were neither cancelled nor expired' }),
  })
  .meta({ id: 'DiscountCode' })
export type DiscountCode = z.infer<typeof DiscountCode>

/** A discount code as buyers and admins type it, in upper or lower case. */
export const discountCode = z
  .string('Enter a code')
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{2,31}$/, 'A code has 3 to 32 letters, digits and hyphens')

const day = daySchema('2000-01-01')

const today = () => shopDay(new Date())

export const NewDiscountCode = z
  .object({
    code: discountCode,
    percentOff: percentOff(1).optional(),
    amountOff: amountSchema('Enter an amount', (number) =>
      number
        .min(0.01, { error: () => `At least ${formatCents(1)}` })
        .max(productLimits.maxPrice, { error: () => `At most ${formatCents(amountToCents(productLimits.maxPrice))}` }),
    ).optional(),
    minimum: amountSchema('Enter an amount', (number) =>
      number
        .min(0, { error: () => `At least ${formatCents(0)}` })
        .max(productLimits.maxPrice, { error: () => `At most ${formatCents(amountToCents(productLimits.maxPrice))}` }),
    ).optional(),
    startsOn: day.optional().meta({ description: "the first day, in the shop's time zone; today where it is left out" }),
    endsOn: day.optional().meta({ description: "the last day, in the shop's time zone; without it the code does not end" }),
    maxUses: wholeNumberSchema('Enter a whole number', (number) =>
      number.min(1, 'At least 1 use').max(1_000_000_000, `At most ${formatNumber(1_000_000_000)} uses`),
    ).optional(),
  })
  .refine(({ percentOff, amountOff }) => (percentOff === undefined) !== (amountOff === undefined), {
    message: 'A code takes a percentage or an amount off',
    path: ['percentOff'],
  })
  .refine(({ startsOn = today(), endsOn }) => !endsOn || startsOn <= endsOn, {
    message: 'The last day is before the first',
    path: ['endsOn'],
  })

export const RestoredDiscountCode = z.object({
  endsOn: day
    .refine((last) => last >= today(), 'This day is over')
    .optional()
    .meta({ description: "the last day, in the shop's time zone; without it the last day stays as it was" }),
})

export const listDiscountCodes = {
  method: 'GET',
  url: '/discount-codes',
  schema: {
    tags,
    summary: `Discount codes, those that have not ended first and of these the newest, ${maxListedBuyerPrices} at a time (admins)`,
    security: bearerAuth,
    querystring: z.object({ q: search.meta({ description: 'how the code begins' }), cursor: cursor(2) }),
    response: { 200: z.object({ codes: z.array(DiscountCode), total: z.int(), next }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addDiscountCode = {
  method: 'POST',
  url: '/discount-codes',
  schema: {
    tags,
    summary: 'Add a discount code (admins)',
    description:
      'What it takes off can never change: end it, and add another. A code that exists already, also an ended one, is 409 "conflict".',
    security: bearerAuth,
    body: NewDiscountCode,
    response: { 201: DiscountCode, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const endDiscountCode = {
  method: 'POST',
  url: '/discount-codes/:id/end',
  schema: {
    tags,
    summary: 'End a discount code now (admins)',
    description: 'Orders that used it keep their reduction.',
    security: bearerAuth,
    params: IdParams,
    response: { 200: DiscountCode, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const restoreDiscountCode = {
  method: 'POST',
  url: '/discount-codes/:id/restore',
  schema: {
    tags,
    summary: 'Bring an ended discount code back (admins)',
    description:
      'It takes off what it took off before, and its uses go on being counted. Where its last day is over, `endsOn` says another one.',
    security: bearerAuth,
    params: IdParams,
    body: RestoredDiscountCode,
    response: { 200: DiscountCode, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listPricingChanges = {
  method: 'GET',
  url: '/pricing-changes',
  schema: {
    tags,
    summary: `What admins have changed about groups, prices for customers and codes, ${maxListedBuyerPrices} changes, newest first (admins)`,
    security: bearerAuth,
    querystring: z.object({
      before: z.coerce
        .number()
        .int()
        .min(1)
        .max(Number.MAX_SAFE_INTEGER)
        .optional()
        .meta({ description: 'the `_id` of a change: answers those that were made before it' }),
    }),
    response: {
      200: z.array(z.object({ _id: z.int(), what: z.string(), at: z.iso.datetime(), by: z.string() })),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
