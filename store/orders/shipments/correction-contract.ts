import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { carriers } from './carriers.ts'
import { Shipment, trackingNumber } from './contract.ts'

const ShipmentParams = z.object({
  id: z.uuid('There is no such order').meta({ description: 'of the order or of one of its lines' }),
  shipment: z.uuid('There is no such parcel').toLowerCase(),
})

/** For so long after it was marked as sent a parcel can be taken back. The trigger `shipments_take_back` says the same. */
export const takeBackHours = 24

export const correctShipment = {
  method: 'PATCH',
  url: '/orders/:id/shipments/:shipment',
  schema: {
    tags: ['Sending'],
    summary: 'Correct the carrier and the tracking number of a parcel (admins): the buyer gets a mail if they change',
    description: 'What the body does not name stays as it is. Refused with 409 "shipment_taken_back".',
    security: bearerAuth,
    params: ShipmentParams,
    body: z.object({
      carrier: z
        .enum(carriers, `A carrier is one of ${carriers.join(', ')}`)
        .nullable()
        .optional(),
      trackingNumber: trackingNumber.nullable().optional().meta({ description: 'null or empty: there is none' }),
    }),
    response: { 200: Shipment, default: ErrorResponse },
  },
} as const satisfies Endpoint
export type ShipmentCorrection = z.output<typeof correctShipment.schema.body>

export const takeShipmentBack = {
  method: 'DELETE',
  url: '/orders/:id/shipments/:shipment',
  schema: {
    tags: ['Sending'],
    summary: 'Take back a parcel that was marked as sent by mistake (admins): its pieces are to be sent again, and the buyer gets a mail',
    description: `Within ${takeBackHours} hours. Refused with 409 "shipment_taken_back" where it is taken back already, "order_shipped" after these hours or once it was delivered or pieces came back, and "refunds_changed" where money of the order went back since.`,
    security: bearerAuth,
    params: ShipmentParams,
    response: { 200: Shipment, default: ErrorResponse },
  },
} as const satisfies Endpoint
