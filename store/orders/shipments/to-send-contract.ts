import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { oneOrManySchema } from '#shared/one-or-many.ts'
import { DeliveryChoice } from '#store/orders/details/contract.ts'
import { sendingBlocks } from './contract.ts'

/** A line of which something is left to send. */
const LineToSend = z.object({
  _id: z.uuid(),
  productId: z.uuid(),
  productName: z.string(),
  brand: z.string().nullable(),
  mpn: z.string().nullable(),
  sku: z.string().nullable().meta({ description: 'as the catalogue said when the order was placed or, where it was not kept, says now' }),
  gtin: z.string().nullable().meta({ description: 'as the catalogue says now' }),
  partNumber: z.string().nullable().meta({ description: "the buyer's own" }),
  quantity: z.int(),
  sent: z.int(),
  toSend: z.int(),
})
export type LineToSend = z.infer<typeof LineToSend>

export const OrderToSend = z
  .object({
    _id: z.uuid(),
    number: z.int(),
    placedAt: z.iso.datetime(),
    paidAt: z.iso.datetime().nullable(),
    buyerName: z.string(),
    buyerEmail: z.string(),
    buyerAddress: z.string(),
    phoneNumber: z.string().nullable(),
    recipient: z.string().meta({ description: 'the name on the parcel' }),
    company: z.string().nullable(),
    city: z.string().nullable().meta({ description: 'of the delivery address; null: it was typed as one text' }),
    poNumber: z.string().nullable().meta({ description: "the buyer's own number of the order" }),
    buyerReference: z.string().nullable().meta({ description: 'that the buyer wants to read again' }),
    deliveryMethod: DeliveryChoice.nullable(),
    shipments: z.int().meta({ description: 'how many there are already' }),
    block: z.enum(sendingBlocks).nullable().meta({ description: 'why it is not to be sent now; null: it is' }),
    heldBackReason: z.string().nullable(),
    lines: z.array(LineToSend),
  })
  .meta({ id: 'OrderToSend' })
export type OrderToSend = z.infer<typeof OrderToSend>

/** The most orders of which a pick list or packing slips are printed at once. */
export const maxOrdersAtOnce = 50

export const listOrdersToSend = {
  method: 'GET',
  url: '/orders/to-send',
  schema: {
    tags: ['Sending'],
    summary: 'Paid orders of which something is left to send, oldest first, by pages (admins)',
    security: bearerAuth,
    querystring: z.object({
      list: z.enum(['ready', 'blocked']).default('ready').meta({ description: 'those that are to be sent now, or those with a `block`' }),
      order: oneOrManySchema
        .pipe(z.array(z.uuid('There is no such order')).max(maxOrdersAtOnce, `At most ${maxOrdersAtOnce} orders at once`))
        .optional()
        .meta({ description: 'these orders alone, in any list, as far as something of them is left to send' }),
      limit: z.coerce.number().int().min(1).max(50).default(25),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'This is no cursor of a list')
        .optional()
        .meta({ description: '`next` of the page before' }),
    }),
    response: {
      200: z.object({
        orders: z.array(OrderToSend),
        next: z.string().nullable().meta({ description: 'cursor of the next page' }),
        counts: z
          .object({
            ready: z.int(),
            blocked: z.int(),
            returns: z.int().meta({ description: 'of which pieces are to be sent to the buyer again' }),
          })
          .meta({ description: 'orders on all pages of each list' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
export type ToSendQuery = z.output<typeof listOrdersToSend.schema.querystring>
export type ToSendPage = z.output<(typeof listOrdersToSend.schema.response)[200]>
