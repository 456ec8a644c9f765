import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { postalAddressSchema } from '#shared/postal-address-schema.ts'
import { CartTotals } from '#store/cart/contract.ts'
import { discountCode } from '#store/catalogue/pricing/contract.ts'
import { CompanyAddress } from '#store/companies/address-contract.ts'
import { Email, fullName } from '#store/identity/account-fields.ts'
import { phoneNumber } from '#store/orders/contract.ts'
import { Order } from '#store/orders/order-contract.ts'
import { idempotencyHeaders } from '#store/orders/order-fields.ts'
import { OfferedPaymentMethod } from '#store/orders/payment-methods/contract.ts'
import { paymentMethods } from '#store/orders/statuses.ts'
import { findVatIdProblem } from '#store/tax/vat-id.ts'

const text = (max: number) => z.string().trim().max(max, `At most ${max} characters`)
const optionalText = (max: number) => text(max).optional()

export const DeliverTo = postalAddressSchema
export type DeliverTo = z.output<typeof DeliverTo>

/** What is typed at the checkout besides the basket. Where a buyer is signed in, `email` is not read: it is their account's. */
const buyerFields = {
  email: Email.optional(),
  name: fullName,
  phone: phoneNumber.optional(),
  deliverTo: DeliverTo,
  billTo: DeliverTo.optional().meta({ description: 'where it is another address' }),
  company: optionalText(100),
  vatId: text(20)
    .superRefine((vatId, context) => {
      const message = vatId === '' ? undefined : findVatIdProblem(vatId)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .optional()
    .meta({ description: 'of a business in the EU, such as DE136695976' }),
  poNumber: optionalText(50).meta({ description: "the buyer's number of this purchase" }),
  buyerReference: optionalText(100).meta({ description: "the buyer's own words, such as a cost centre" }),
  partNumbers: z
    .array(z.object({ productId: z.uuid().toLowerCase(), partNumber: text(50) }))
    .max(100)
    .optional()
    .meta({ description: "the buyer's own numbers of products" }),
}

/** A method by which the basket can be delivered. */
export const CheckoutMethod = z.object({
  id: z.string(),
  name: z.string(),
  carrier: z.string().nullable(),
  earliest: z.iso.date(),
  latest: z.iso.date(),
  priceCents: z.int().meta({ description: 'of the delivery, with or without tax as all prices are' }),
})
export type CheckoutMethod = z.output<typeof CheckoutMethod>

export const TaxAtRate = z.object({
  ratePpm: z.int().meta({ description: 'parts per million: 190000 is 19 %' }),
  netCents: z.int(),
  taxCents: z.int(),
})

/** What a basket costs at a destination. */
export const CheckoutEstimate = z
  .object({
    totals: CartTotals,
    pricesIncludeTax: z.boolean(),
    taxes: z.array(TaxAtRate).meta({ description: 'empty: nothing is taxed, and nothing is said of tax' }),
    taxSentence: z.string().nullable(),
    methods: z
      .array(CheckoutMethod)
      .meta({ description: 'the cheapest first; empty: delivery is included, or `problem` says why there is none' }),
    chosenMethod: z.string().nullable(),
    deliveryCentsWithoutCode: z.int().meta({
      description:
        'what that method would cost without the discount code: less where its price or its freedom from costs depends on the goods',
    }),
    problem: z.string().nullable().meta({ description: 'why it cannot be delivered there' }),
    paymentMethods: z.array(OfferedPaymentMethod).meta({ description: 'by which it can be paid, the first of them where none is said' }),
  })
  .meta({ id: 'CheckoutEstimate' })
export type CheckoutEstimate = z.output<typeof CheckoutEstimate>

const tags = ['Checkout']

export const EstimateQuery = z.object({
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'A country is two letters, such as DE'),
  state: optionalText(50),
  postalCode: optionalText(20),
  vatId: optionalText(20),
  deliveryMethod: optionalText(50),
  discountCode: discountCode.optional(),
})

export const estimateCheckout = {
  method: 'GET',
  url: '/checkout/estimate',
  schema: {
    tags,
    summary: "What the visitor's cart costs with delivery and tax at a destination",
    querystring: EstimateQuery,
    response: { 200: CheckoutEstimate, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const CheckoutBody = z.object({
  ...buyerFields,
  deliveryMethod: optionalText(50).meta({ description: 'the id of a method; the first that fits where none is said' }),
  paymentMethod: z.enum(paymentMethods).optional().meta({ description: 'the first that the shop offers where none is said' }),
  discountCode: discountCode.optional(),
  expectedTotalCents: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'the total that the buyer was shown: another one is refused with 409 "total_changed"' }),
})

export const listCheckoutCountries = {
  method: 'GET',
  url: '/checkout/countries',
  schema: {
    tags,
    summary: 'The countries that a basket can be delivered to',
    response: {
      200: z.object({ countries: z.array(z.string()).meta({ description: 'codes of two letters' }) }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

/** What was typed at the last checkout of an account, for the next one. */
const TypedBefore = z.object({
  country: z.string(),
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string(),
  postalCode: z.string().optional(),
  state: z.string().optional(),
})

export const CheckoutDefaults = z.object({
  name: z.string(),
  phone: z.string().nullable(),
  deliverTo: TypedBefore.nullable(),
  billTo: TypedBefore.nullable().meta({ description: 'null: it was where it was delivered to' }),
  company: z.string().nullable(),
  vatId: z.string().nullable(),
  buyerReference: z.string().nullable(),
  ofCompany: z
    .object({ name: z.string(), addresses: z.array(CompanyAddress) })
    .nullable()
    .meta({ description: 'the company whose order it becomes, with the addresses that its members choose from' }),
})
export type CheckoutDefaults = z.output<typeof CheckoutDefaults>

export const showCheckoutDefaults = {
  method: 'GET',
  url: '/checkout/defaults',
  schema: {
    tags,
    summary: 'What a customer has typed at their last checkout, with the name, VAT id and addresses of their company',
    security: bearerAuth,
    response: { 200: CheckoutDefaults, default: ErrorResponse },
  },
} as const satisfies Endpoint

const TypedAddress = z.object({
  country: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  postalCode: z.string(),
  state: z.string(),
})

/** What stands in the fields of the checkout, right or wrong. */
export const TypedCheckout = z.object({
  email: z.string(),
  phone: z.string(),
  name: z.string(),
  deliverTo: TypedAddress,
  billsElsewhere: z.boolean(),
  billTo: TypedAddress,
  company: z.string(),
  vatId: z.string(),
  poNumber: z.string(),
  buyerReference: z.string(),
  partNumbers: z.record(z.string(), z.string()).meta({ description: 'by product' }),
  discountCode: z.string(),
  deliveryMethod: z.string(),
  paymentMethod: z.string(),
})

/** Why a form that was sent without a script has ordered nothing. */
export const CheckoutFormRefusal = z.object({ code: z.string(), message: z.string(), errors: z.record(z.string(), z.string()) })
export type CheckoutFormRefusal = z.output<typeof CheckoutFormRefusal>

export const CheckoutFormState = z.object({
  typed: TypedCheckout,
  refusal: CheckoutFormRefusal.nullable(),
  estimate: CheckoutEstimate.nullable().meta({ description: 'null: no country is chosen, or `problem` says why there is none' }),
  problem: z.string().nullable(),
})
export type CheckoutFormState = z.output<typeof CheckoutFormState>

export const showCheckoutForm = {
  method: 'GET',
  url: '/checkout/form',
  schema: {
    tags,
    summary: 'What a visitor has typed at the checkout without a script in this session of their browser, and what it costs',
    description: 'Found by the cookies of the browser. Nothing of it is known of an account.',
    response: { 200: CheckoutFormState, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const LastOrder = z.object({
  number: z.int(),
  totalCents: z.int(),
  isPaid: z.boolean().meta({ description: 'false: it can be paid, and ordering the cart replaces it' }),
  orderUrl: z.string().nullable().meta({
    description:
      'the path of its page; null once it has been paid for an hour, and outside of the browser session in which a guest has placed it',
  }),
  paymentUrl: z.string().nullable().meta({ description: 'the path of the page where it is paid; null like orderUrl, and once it is paid' }),
})
export type LastOrder = z.output<typeof LastOrder>

export const OtherUnpaidOrders = z.object({
  orders: z
    .array(LastOrder.pick({ number: true, totalCents: true, orderUrl: true }))
    .meta({ description: 'the newest of them; orderUrl is null as in `order`' }),
  count: z.int().meta({ description: 'of all of them' }),
})
export type OtherUnpaidOrders = z.output<typeof OtherUnpaidOrders>

export const showLastOrder = {
  method: 'GET',
  url: '/checkout/last-order',
  schema: {
    tags,
    summary: "The order that the visitor's cart was placed as last, where it is paid, or where ordering the cart as it is now replaces it",
    description: '`others` are the unpaid orders of the buyer that ordering the cart does not replace.',
    response: { 200: z.object({ order: LastOrder.nullable(), others: OtherUnpaidOrders }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const checkOut = {
  method: 'POST',
  url: '/checkout',
  schema: {
    tags,
    summary: "Order all that is in the visitor's cart: all of it or nothing",
    description:
      'Refused like `POST /orders`, and with 409 "cart_empty", 409 "cart_changed" where a line cannot be ordered as it stands or has changed since the buyer was told, unless expectedTotalCents says that they know, and 409 "not_deliverable", and 409 "payment_method_off". What is not paid by card leaves the cart at once. Placing again replaces the unpaid order of the same cart that asks for any of these products, which `replaces` then names; one of other products alone stays open. Paying takes its lines out of the cart. Without an access token it is the order of a guest, and `link` leads to it.',
    headers: idempotencyHeaders,
    body: CheckoutBody,
    response: {
      201: Order.extend({
        totals: CartTotals,
        link: z.url().nullable().meta({ description: 'for a guest: the page of the order, for 90 days. Whoever has it sees the order' }),
        clientSecret: z.string().nullable().meta({
          description: 'to pay by card; null: it is paid in another way, or the card provider did not answer, and it can be paid later',
        }),
        publishableKey: z.string(),
        cardLibrary: z.string().nullable().meta({ description: "where the sandbox's card library lies; null for Stripe's own" }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
