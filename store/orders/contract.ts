import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { maximum, type Tool } from '#store/catalogue/contract.ts'
import { phoneCharacters } from '#store/constants.ts'
import { inFigures } from '#store/in-figures.ts'
import { requiredText } from '#store/required-text.ts'
import { wholeNumber } from '#store/whole-number.ts'

/** What an order can be. Packed and shipped are there for a shop that sends parcels by them; no call leads there yet. */
export const orderStates = ['open', 'paid', 'packed', 'shipped', 'expired', 'cancelled', 'refunded'] as const
export type OrderState = (typeof orderStates)[number]

/**
 * The steps that an order may take, and no others. Back to paid leads one way only: money that was on its way to the buyer came back,
 * because their bank refused it.
 */
export const orderSteps: Record<OrderState, readonly OrderState[]> = {
  open: ['paid', 'expired', 'cancelled'],
  paid: ['packed', 'cancelled', 'refunded'],
  packed: ['shipped', 'cancelled', 'refunded'],
  shipped: ['refunded'],
  expired: ['paid'],
  cancelled: ['paid'],
  refunded: ['paid'],
}

/** What the history of an order tells of. */
export const orderEvents = [
  'placed',
  'paid',
  'expired',
  'cancelled',
  'refund asked',
  'partly refunded',
  'refunded',
  'refund failed',
  'card declined',
  'late payment',
  'disputed',
  'trouble',
  'looked at',
] as const
export type OrderEvent = (typeof orderEvents)[number]

/** What a buyer reads of the history of their order. The rest is between the store and the card provider. */
export const eventsForBuyers = [
  'placed',
  'paid',
  'expired',
  'cancelled',
  'refund asked',
  'partly refunded',
  'refunded',
  'refund failed',
  'card declined',
  'late payment',
] as const satisfies OrderEvent[]

/** Where the note is the store's reason, which the buyer's mail says too. */
export const reasonsForBuyers: ReadonlySet<OrderEvent> = new Set<OrderEvent>(['cancelled', 'refund asked', 'partly refunded', 'refunded'])

/** What an admin has to look at, until one says that they have: the rest has taken care of itself. */
export const eventsToLookAt = ['refund failed', 'disputed', 'trouble'] as const satisfies OrderEvent[]

/**
 * Why an admin may want to see an order; there can be several reasons. The first two are of unpaid orders: their hold ends before the next
 * day (in UTC) begins, or a card was declined. Money under way goes back by itself, once the card provider says so.
 */
export const attentions = ['hold ends today', 'card declined', 'to be looked at', 'refund under way'] as const
export type Attention = (typeof attentions)[number]

/** Who did it. */
export const actors = ['buyer', 'admin', 'store', 'card provider'] as const
export type Actor = (typeof actors)[number]

const Disputed = z.boolean().meta({
  description: "the buyer's bank disputes the payment, or has decided against the store",
})

/** Who wants how many of what. `productCost` is in whole dollars; `paid` and `transectionId` are true only once the provider says so. */
export const Order = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    toolId: z.uuid(),
    productName: z.string(),
    brand: z.string().nullable().meta({ description: 'who made it, as the catalogue said when the order was placed' }),
    mpn: z.string().nullable().meta({ description: "the maker's part number, as the catalogue said when the order was placed" }),
    productQuantity: z.int(),
    productCost: z.int(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    paid: z.boolean(),
    transectionId: z.string().nullable(), // spelled so on the wire since the first version
    paidAt: z.iso.datetime().nullable().meta({ description: 'when the card provider took the money' }),
    card: z.string().nullable().meta({ description: 'the card that paid: its brand and last four digits, such as "visa 4242"' }),
    state: z.enum(orderStates),
    holdUntil: z.iso.datetime().meta({ description: 'until when it holds its pieces, as long as it is open' }),
    refundedCents: z.int().meta({ description: 'how much of the money has gone back, or is on its way' }),
    refundable: z.object({ cents: z.int(), pieces: z.int() }).meta({
      description: 'how much of the money can still go back, and how many pieces with it, without what has been asked for already',
    }),
    restocked: z.int().meta({ description: 'how many of its pieces went back into stock' }),
    checking: z.boolean().meta({ description: 'the buyer says it is paid, and the card provider is still to be asked' }),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof Order>

const PhoneNumber = z.string().nullable().meta({ description: 'as the buyer typed it' })

/** One order. What the buyer's bank says of the payment, and the buyer's phone number, are told to admins alone. */
export const ShownOrder = Order.extend({ disputed: Disputed.optional(), phone_number: PhoneNumber.optional() }).meta({ id: 'ShownOrder' })
export type ShownOrder = z.infer<typeof ShownOrder>

/** An order in a list, with what a search finds it by besides. */
export const ListedOrder = Order.extend({
  sku: z.string().meta({ description: 'of the ordered part, as the catalogue says now' }),
}).meta({ id: 'ListedOrder' })
export type ListedOrder = z.infer<typeof ListedOrder>

/** An order as admins see it among all others. */
export const Booking = ListedOrder.extend({
  phone_number: PhoneNumber,
  disputed: Disputed,
  refunds: z
    .array(z.object({ at: z.iso.datetime(), amountCents: z.int() }))
    .meta({ description: 'what of its money has gone back, or is on its way, and when that was asked' }),
  attention: z.array(z.enum(attentions)),
}).meta({ id: 'Booking' })
export type Booking = z.infer<typeof Booking>

/** What happens to an order on a day, and when it happened to this one: lists and figures are of such days. */
export const bookingTimes = {
  placed: ({ placedAt }: Booking) => [placedAt],
  paid: ({ paidAt }: Booking) => (paidAt === null ? [] : [paidAt]),
  refunded: ({ refunds }: Booking) => refunds.map(({ at }) => at),
}

/** One line of an order's history, newest last. */
export const HistoryLine = z
  .object({
    event: z.enum(orderEvents),
    state: z.enum(orderStates).meta({ description: "the order's after it" }),
    at: z.iso.datetime(),
    actor: z.enum(actors),
    by: z.string().nullable().meta({ description: 'the e-mail of who did it, where it was a person' }),
    note: z.string().nullable(),
    amountCents: z.int().nullable(),
    mail: z.enum(['none', 'due', 'sent']).meta({ description: 'the mail to the buyer that tells of it' }),
  })
  .meta({ id: 'HistoryLine' })
export type HistoryLine = z.infer<typeof HistoryLine>

/** The card of an order, `visa 4242`, as people say it: Visa ending 4242. */
export const cardWords = (card: string): string =>
  card.replace(/^(\S)(\S*) (\d+)$/, (_, first: string, rest: string, last4) => `${first.toUpperCase()}${rest} ending ${last4}`)

const address = requiredText('address is required', 1000)
const phoneNumber = z
  .string('Phone number is required')
  .trim()
  .min(1, 'Phone number is required')
  .min(phoneCharacters, `Phone number must ${phoneCharacters} characters or longer`)
  .max(40, 'At most 40 characters')

type Orderable = Pick<Tool, 'minimum_order_quantity' | 'available_quantity' | 'price'>

export const noQuantity = 'Enter a whole number of pieces'

const costsTooMuch = `An order costs at most $${inFigures(maximum.price)}`

/** How many of a tool an order may ask for, given its price and what is in stock, in the words of the form. */
export const quantityFor = ({ minimum_order_quantity: min, available_quantity: available, price }: Orderable) =>
  wholeNumber(noQuantity, (number) =>
    number
      .min(min, `You must have to order ${inFigures(min)} pieces`)
      .max(available, `You can't order more than ${inFigures(available)} pieces`)
      .max(Math.floor(maximum.price / price), costsTooMuch),
  )

/** What a buyer fills in. The purchase screen asks this while typing, the server again with the stock that it holds. */
export const purchaseForm = (tool: Orderable) => z.object({ address, phone_number: phoneNumber, quantity: quantityFor(tool) })

/**
 * What a buyer sends. Whose order it is, the token says, whatever name and e-mail stand here; what it costs, the catalogue says.
 * Without `toolId` the name decides, together with the cost.
 */
export const NewOrder = z.object({
  productName: z.string('product name is required').min(1, 'product name is required'),
  productCost: wholeNumber('product cost is required'),
  productQuantity: wholeNumber(noQuantity, (number) => number.min(1, noQuantity).max(maximum.quantity)),
  buyerAddress: address,
  buyerName: z.unknown().optional(),
  buyerEmail: z.unknown().optional(),
  toolId: z.uuid('There is no such product').optional(),
  phone_number: phoneNumber.optional(),
})

/** The `code` of the refusal of who has as much waiting for payment as their account may. */
export const overBuyerLimit = 'over buyer limit'

export const OrderId = z.object({ id: z.uuid('There is no such order') })
const tags = ['Orders']

export const placeOrder = {
  method: 'POST',
  url: '/purchase',
  schema: {
    tags,
    summary: 'Place an order',
    description:
      'With an Idempotency-Key (up to 255 characters) the same request again is the same order; the key with another body is 422. What a buyer has waiting for payment is limited, in orders, pieces and dollars (409), and so are the orders of an hour (429), both with the code "over buyer limit"; a verified e-mail and a paid order raise the limits.',
    security: withToken,
    headers: z.object({ 'idempotency-key': z.string().min(1).max(255, 'An Idempotency-Key has at most 255 characters').optional() }),
    body: NewOrder,
    response: { 201: Order, default: Refused },
  },
} as const satisfies Call

export const listOrdersOf = {
  method: 'GET',
  url: '/purchase',
  schema: {
    tags,
    summary: "One buyer's orders, newest first",
    security: withToken,
    querystring: z.object({
      buyerEmail: z
        .string('buyerEmail is required')
        .trim()
        .toLowerCase()
        .min(1, 'buyerEmail is required')
        .max(320, 'There is no such e-mail'),
    }),
    response: { 200: z.array(ListedOrder), default: Refused },
  },
} as const satisfies Call

export const showOrder = {
  method: 'GET',
  url: '/purchase/:id',
  schema: { tags, summary: 'One order', security: withToken, params: OrderId, response: { 200: ShownOrder, default: Refused } },
} as const satisfies Call

export const listAllOrders = {
  method: 'GET',
  url: '/bookings',
  schema: { tags, summary: 'All orders, newest first', security: withToken, response: { 200: z.array(Booking), default: Refused } },
} as const satisfies Call

export const showHistory = {
  method: 'GET',
  url: '/purchase/:id/history',
  schema: {
    tags,
    summary: "An order's history: what happened and when",
    description:
      'An admin reads all of it: who did what, and what went wrong. A buyer reads what concerns them of their own order, with no e-mail but their own.',
    security: withToken,
    params: OrderId,
    response: { 200: z.array(HistoryLine), default: Refused },
  },
} as const satisfies Call

export const noteLookedAt = {
  method: 'POST',
  url: '/purchase/:id/looked-at',
  schema: {
    tags,
    summary: 'An admin has looked at what went wrong with an order: it asks for attention no more, until something new goes wrong',
    security: withToken,
    params: OrderId,
    response: { 200: z.array(HistoryLine), default: Refused },
  },
} as const satisfies Call
