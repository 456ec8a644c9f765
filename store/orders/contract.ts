import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { maximum, type Tool } from '#store/catalogue/contract.ts'
import { phoneCharacters } from '#store/constants.ts'
import { requiredText } from '#store/required-text.ts'
import { wholeNumber } from '#store/whole-number.ts'

/** Who wants how many of what. `productCost` is in whole dollars; `paid` and `transectionId` are true only once the provider says so. */
export const Order = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    toolId: z.uuid(),
    productName: z.string(),
    productQuantity: z.int(),
    productCost: z.int(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    paid: z.boolean(),
    transectionId: z.string().nullable(), // spelled so on the wire since the first version
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof Order>

const address = requiredText('address is required', 1000)
const phoneNumber = z
  .string('Phone number is required')
  .trim()
  .min(1, 'Phone number is required')
  .min(phoneCharacters, `Phone number must ${phoneCharacters} characters or longer`)
  .max(40, 'At most 40 characters')

type Orderable = Pick<Tool, 'minimum_order_quantity' | 'available_quantity' | 'price'>

export const noQuantity = 'Enter a whole number of pieces'

const costsTooMuch = `An order costs at most $${maximum.price.toLocaleString('en-US')}`

/** How many of a tool an order may ask for, given its price and what is in stock, in the words of the form. */
export const quantityFor = ({ minimum_order_quantity: min, available_quantity: available, price }: Orderable) =>
  wholeNumber(noQuantity, (number) =>
    number
      .min(min, `You must have to order ${min} pieces`)
      .max(available, `You can't order more than ${available} pieces`)
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

export const OrderId = z.object({ id: z.uuid('There is no such order') })
const tags = ['Orders']

export const placeOrder = {
  method: 'POST',
  url: '/purchase',
  schema: {
    tags,
    summary: 'Place an order',
    description:
      'With an Idempotency-Key (up to 255 characters) the same request again is the same order; the key with another body is 422.',
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
    querystring: z.object({ buyerEmail: z.string('buyerEmail is required').trim().toLowerCase().min(1, 'buyerEmail is required') }),
    response: { 200: z.array(Order), default: Refused },
  },
} as const satisfies Call

export const showOrder = {
  method: 'GET',
  url: '/purchase/:id',
  schema: { tags, summary: 'One order', security: withToken, params: OrderId, response: { 200: Order, default: Refused } },
} as const satisfies Call

export const listAllOrders = {
  method: 'GET',
  url: '/bookings',
  schema: { tags, summary: 'All orders, newest first', security: withToken, response: { 200: z.array(Order), default: Refused } },
} as const satisfies Call
