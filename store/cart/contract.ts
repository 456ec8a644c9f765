import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { productLimits } from '#store/catalogue/contract.ts'
import { quantityRequiredMessage } from '#store/catalogue/settle-quantity.ts'
import { OrderIdParams } from '#store/orders/order-fields.ts'

/** The most lines that can be added to a cart; as many as an order can have. */
export const maxCartLines = 100
/** The most lines of a pasted list. */
export const maxPastedLines = 200
export const maxPastedCharacters = 20_000

const cents = z.int()

/** What can be said of a line: the first three of what has changed since it was put in, the others of its quantity, as `settleQuantity` has them. */
export const cartNoticeCodes = ['price_changed', 'capped', 'not_for_sale', 'below_minimum', 'not_a_multiple', 'stock_too_low'] as const

export const CartNotice = z.object({
  code: z.enum(cartNoticeCodes),
  message: z.string(),
  isBlocking: z.boolean().meta({ description: 'true: the line cannot be ordered as it stands' }),
})
export type CartNotice = z.infer<typeof CartNotice>

export const CartLine = z
  .object({
    productId: z.uuid(),
    productName: z.string(),
    brand: z.string().nullable(),
    mpn: z.string().nullable(),
    sku: z.string(),
    img: z.string(),
    quantity: z.int(),
    listPriceCents: cents.meta({ description: 'of a piece in the catalogue' }),
    unitPriceCents: cents.meta({ description: 'what this buyer pays for a piece at this quantity' }),
    totalCents: cents,
    orderableQuantity: z.int().nullable().meta({
      description: 'the nearest quantity that can be ordered: `quantity`, where it can; null where none can',
    }),
    cheaper: z
      .object({ quantity: z.int(), totalCents: cents })
      .nullable()
      .meta({ description: 'a larger quantity that costs no more, because of a price break' }),
    minimumOrderQuantity: z.int(),
    orderMultiple: z.int().meta({ description: 'pieces in a pack: only whole packs are sold' }),
    availableQuantity: z.int(),
    notices: z.array(CartNotice),
  })
  .meta({ id: 'CartLine' })
export type CartLine = z.infer<typeof CartLine>

export const CartTotals = z.object({
  goodsCents: cents.meta({ description: 'of the lines that are for sale, before reductions' }),
  reductionCents: cents,
  deliveryCents: cents,
  taxCents: cents,
  totalCents: cents,
})

/** A basket. It holds nothing: prices and stock are those of this moment. */
export const Cart = z
  .object({
    lines: z.array(CartLine),
    totals: CartTotals,
    currency: z.string(),
    isOfAccount: z.boolean().meta({ description: 'true: it is that of an account, and the same on all its devices' }),
    canBeOrdered: z.boolean(),
    problem: z.string().nullable().meta({ description: 'why it cannot be ordered as it stands' }),
  })
  .meta({ id: 'Cart' })
export type Cart = z.infer<typeof Cart>

const productId = z.uuid('There is no such product').toLowerCase()
const pieces = wholeNumberSchema(quantityRequiredMessage, (number) =>
  number.min(1, quantityRequiredMessage).max(productLimits.maxQuantity, 'So many pieces cannot be ordered'),
)
const LineParams = z.object({ productId })
export const NewCartLine = z.object({ productId, quantity: pieces })

const tags = ['Cart']
const cookieNote =
  "The cart is found by the visitor's cookie, which the first change sets, or by the access token, where one is sent: then it is the account's."

export const showCart = {
  method: 'GET',
  url: '/cart',
  schema: {
    tags,
    summary: "The visitor's cart, with prices and stock of this moment and with what has changed since each line was put in",
    description: cookieNote,
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

const refusals =
  'Refused with 404 for a product that is not for sale, 400 "below_minimum" and "not_a_multiple", 409 "stock_too_low", 409 "cart_full" beyond 100 lines and 429 for too many changes.'

export const addCartLine = {
  method: 'POST',
  url: '/cart/lines',
  schema: {
    tags,
    summary: 'Put pieces of a product into the cart: they are added to those that are in it',
    description: `${refusals} ${cookieNote}`,
    body: NewCartLine,
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeCartLine = {
  method: 'PUT',
  url: '/cart/lines/:productId',
  schema: {
    tags,
    summary: 'Set how many pieces of a product are in the cart',
    description: refusals,
    params: LineParams,
    body: z.object({ quantity: pieces }),
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeCartLine = {
  method: 'DELETE',
  url: '/cart/lines/:productId',
  schema: { tags, summary: 'Take a product out of the cart', params: LineParams, response: { 200: Cart, default: ErrorResponse } },
} as const satisfies Endpoint

export const markCartSeen = {
  method: 'POST',
  url: '/cart/seen',
  schema: {
    tags,
    summary: 'The buyer has seen what changed: notices that do not keep the cart from being ordered are not repeated',
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const joinCart = {
  method: 'POST',
  url: '/cart/join',
  schema: {
    tags,
    summary: "Join the browser's cart to that of the account, as a sign-in does, and let the browser know it by a cookie",
    security: bearerAuth,
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const PastedLine = z.object({
  text: z.string().meta({ description: 'the line as it was pasted' }),
  reason: z.string().meta({ description: 'why it was not put into the cart' }),
})
export type PastedLine = z.infer<typeof PastedLine>

export const pasteIntoCart = {
  method: 'POST',
  url: '/cart/paste',
  schema: {
    tags,
    summary: 'Put a list of part numbers and quantities into the cart, a line for each',
    description:
      'A line is a SKU or a part number and a quantity, in this order or the other, separated by a tab, a semicolon, a comma or spaces. What cannot be put in is answered with its reason, the rest is put in.',
    body: z.object({
      text: z
        .string()
        .max(maxPastedCharacters, `A list has at most ${maxPastedCharacters.toLocaleString('en-US')} characters`)
        .refine((text) => text.trim() !== '', 'Type or paste part numbers and quantities'),
    }),
    response: { 200: z.object({ cart: Cart, added: z.int(), notAdded: z.array(PastedLine) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** What has become of the last list that a form put into the basket where no script runs. */
export const PastedList = z.object({
  text: z.string().meta({ description: 'what is left to correct and to send again' }),
  added: z.int(),
  notAdded: z.array(PastedLine),
  problem: z.string().nullable().meta({ description: 'why nothing of it was read' }),
})
export type PastedList = z.infer<typeof PastedList>

export const showPastedList = {
  method: 'GET',
  url: '/cart/pasted',
  schema: {
    tags,
    summary: 'What was and was not put into the basket of the list that its form without a script has sent last, for a day',
    response: { 200: z.object({ list: PastedList.nullable() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addOrderToCart = {
  method: 'POST',
  url: '/cart/orders/:id',
  schema: {
    tags,
    summary: 'Put all lines of an order into the cart, to order them again',
    description: 'At the prices of today. What cannot be put in is answered with its reason, the rest is put in.',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: z.object({ cart: Cart, added: z.int(), notAdded: z.array(PastedLine) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const shareCart = {
  method: 'POST',
  url: '/cart/share',
  schema: {
    tags,
    summary: 'Make a link that shows what is in the cart to whoever has it, for 90 days',
    response: { 201: z.object({ token: z.string(), url: z.url() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

const SharedCartParams = z.object({ token: z.string().regex(/^[0-9a-f]{32}$/, 'There is no such basket') })

export const showSharedCart = {
  method: 'GET',
  url: '/cart/shared/:token',
  schema: {
    tags,
    summary: 'What a shared link shows, at prices for everybody',
    params: SharedCartParams,
    response: { 200: Cart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addSharedCart = {
  method: 'POST',
  url: '/cart/shared/:token',
  schema: {
    tags,
    summary: 'Put all that a shared link shows into the own cart',
    params: SharedCartParams,
    response: { 200: z.object({ cart: Cart, added: z.int(), notAdded: z.array(PastedLine) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The most baskets that an account can keep. */
export const maxSavedCarts = 50
export const savedCartName = requiredTextSchema('Enter a name for the basket', 60)

export const SavedCart = z
  .object({ _id: z.uuid(), name: z.string(), lineCount: z.int(), savedAt: z.iso.datetime() })
  .meta({ id: 'SavedCart', description: 'A basket that an account has kept under a name' })
export type SavedCart = z.infer<typeof SavedCart>

const SavedCartParams = z.object({ id: z.uuid('There is no such saved basket') })

export const listSavedCarts = {
  method: 'GET',
  url: '/cart/saved',
  schema: {
    tags,
    summary: 'The baskets that the account has saved, the last one first',
    security: bearerAuth,
    response: { 200: z.array(SavedCart), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const saveCart = {
  method: 'POST',
  url: '/cart/saved',
  schema: {
    tags,
    summary: 'Save what is in the cart of the account under a name, in the place of what was saved under it',
    description: `The cart stays as it is. Refused with 409 "cart_empty", and "saved_carts_full" beyond ${maxSavedCarts} names.`,
    security: bearerAuth,
    body: z.object({ name: savedCartName }),
    response: { 201: SavedCart, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addSavedCart = {
  method: 'POST',
  url: '/cart/saved/:id',
  schema: {
    tags,
    summary: 'Put all lines of a saved basket into the cart',
    description: 'At the prices of today. What cannot be put in is answered with its reason, the rest is put in.',
    security: bearerAuth,
    params: SavedCartParams,
    response: { 200: z.object({ cart: Cart, added: z.int(), notAdded: z.array(PastedLine) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const deleteSavedCart = {
  method: 'DELETE',
  url: '/cart/saved/:id',
  schema: {
    tags,
    summary: 'Delete a saved basket',
    security: bearerAuth,
    params: SavedCartParams,
    response: { 200: z.array(SavedCart), default: ErrorResponse },
  },
} as const satisfies Endpoint
