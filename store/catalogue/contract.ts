import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { pictureAddress } from '#store/picture-address.ts'
import { requiredText } from '#store/required-text.ts'
import { wholeNumber } from '#store/whole-number.ts'

/** What the store sells, as the specification spells it. `price` is in whole dollars; `img` is never empty on the wire. */
export const Tool = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    img: z.string(),
    description: z.string(),
    price: z.int(),
    minimum_order_quantity: z.int(),
    available_quantity: z.int(),
  })
  .meta({ id: 'Tool' })
export type Tool = z.infer<typeof Tool>

/** The highest price and stock that the books can hold; an order may cost at most as much. */
export const maximum = { price: 999_999, quantity: 10_000_000 }

const price = wholeNumber('product price is required', (number) =>
  number.min(1, 'A product costs at least $1').max(maximum.price, `A product costs at most $${maximum.price}`),
)
const minimumOrderQuantity = wholeNumber('minimum order quantity is needed', (number) =>
  number
    .min(1, 'The minimum order quantity is at least 1')
    .max(maximum.quantity, `The minimum order quantity is at most ${maximum.quantity}`),
)
const availableQuantity = wholeNumber('available quantity is needed', (number) =>
  number.min(0, 'The available quantity cannot be below 0').max(maximum.quantity, `The available quantity is at most ${maximum.quantity}`),
)

export const NewTool = z.object({
  name: requiredText('product name is required', 200),
  img: pictureAddress('product img is required'),
  description: requiredText('product description needed', 5000),
  price,
  minimum_order_quantity: minimumOrderQuantity,
  available_quantity: availableQuantity,
})

/**
 * What an admin may change. `available_quantity_seen` is the stock that the admin saw: with it the server adds the difference,
 * so that what was sold meanwhile stays sold; without it the figure is absolute.
 */
export const ToolChanges = NewTool.pick({ price: true, minimum_order_quantity: true, available_quantity: true }).extend({
  available_quantity_seen: availableQuantity.optional(),
})

/** In stock means that the smallest order can be filled, everywhere. */
export const inStock = (tool: Pick<Tool, 'minimum_order_quantity' | 'available_quantity'>): boolean =>
  tool.available_quantity >= tool.minimum_order_quantity

const tags = ['Catalogue']
export const ToolId = z.object({ id: z.uuid('There is no such product') })

export const listTools = {
  method: 'GET',
  url: '/tools',
  schema: { tags, summary: 'All products, oldest first', response: { 200: z.array(Tool), default: Refused } },
} as const satisfies Call

export const showTool = {
  method: 'GET',
  url: '/tools/:id',
  schema: { tags, summary: 'One product', params: ToolId, response: { 200: Tool, default: Refused } },
} as const satisfies Call

export const addTool = {
  method: 'POST',
  url: '/tools',
  schema: { tags, summary: 'Add a product', security: withToken, body: NewTool, response: { 201: Tool, default: Refused } },
} as const satisfies Call

export const updateTool = {
  method: 'PUT',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Change price, minimum and stock',
    security: withToken,
    params: ToolId,
    body: ToolChanges,
    response: { 200: Tool, default: Refused },
  },
} as const satisfies Call

export const removeTool = {
  method: 'DELETE',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Take a product out of the catalogue; its orders keep it',
    security: withToken,
    params: ToolId,
    response: { 200: Tool, default: Refused },
  },
} as const satisfies Call
