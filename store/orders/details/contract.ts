import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { OrderIdParams } from '#store/orders/order-fields.ts'

/** An address in its parts, as it was typed. */
export const StructuredAddress = z.object({
  country: z.string().meta({ description: 'two letters, such as DE' }),
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string(),
  postalCode: z.string().optional(),
  state: z.string().optional().meta({ description: 'what the country calls it: state, province, county' }),
})
export type StructuredAddress = z.infer<typeof StructuredAddress>

/** How an order is delivered, as it was promised when it was placed. */
export const DeliveryChoice = z.object({
  id: z.string(),
  name: z.string(),
  carrier: z.string().nullable(),
  earliest: z.iso.date().meta({ description: 'the first day of arrival' }),
  latest: z.iso.date(),
})
export type DeliveryChoice = z.infer<typeof DeliveryChoice>

/** What a checkout asks besides products and quantities. */
export const OrderDetails = z
  .object({
    name: z.string().meta({ description: 'of the recipient' }),
    deliverTo: StructuredAddress,
    billTo: StructuredAddress.nullable().meta({ description: 'null: where it is delivered to' }),
    company: z.string().nullable(),
    vatId: z.string().nullable(),
    poNumber: z.string().nullable().meta({ description: "the buyer's number of this purchase" }),
    buyerReference: z.string().nullable(),
    deliveryMethod: DeliveryChoice.nullable().meta({ description: 'null: the store had set up none' }),
    partNumbers: z
      .array(z.object({ productId: z.string(), partNumber: z.string() }))
      .meta({ description: "the buyer's own numbers of products" }),
  })
  .meta({ id: 'OrderDetails' })
export type OrderDetails = z.infer<typeof OrderDetails>

export const showOrderDetails = {
  method: 'GET',
  url: '/orders/:id/details',
  schema: {
    tags: ['Orders of many lines'],
    summary: 'What was typed at the checkout of an order, for its buyer and for admins',
    security: bearerAuth,
    params: OrderIdParams,
    response: {
      200: z.object({ details: OrderDetails.nullable().meta({ description: 'null: it was placed by another call than the checkout' }) }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
