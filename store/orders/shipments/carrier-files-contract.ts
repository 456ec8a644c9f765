import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { oneOrManySchema } from '#shared/one-or-many.ts'
import { carriers } from './carriers.ts'
import { maxOrdersAtOnce } from './to-send-contract.ts'

/* The files that go to a carrier's own program, and come back from it. */

export const exportAddresses = {
  method: 'GET',
  url: '/orders/to-send/addresses',
  schema: {
    tags: ['Sending'],
    summary: 'The addresses of the orders that are to be sent, as CSV for the program of a carrier (admins)',
    description:
      'The answer is text/csv with a header: order_number, name, company, address_1, address_2, postal_code, city, state, country, phone, email, weight_g (empty where a weight is not known), method, reference. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
    security: bearerAuth,
    querystring: z.object({
      order: oneOrManySchema
        .pipe(z.array(z.uuid('There is no such order')).max(maxOrdersAtOnce, `At most ${maxOrdersAtOnce} orders at once`))
        .optional()
        .meta({ description: 'these orders alone, as far as they can be sent now' }),
    }),
    response: { 200: z.any().meta({ description: 'text/csv' }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const trackingFileLimits = { rows: 5000, characters: 500_000 }

/** What is done with a row: a parcel gets its tracking number, all that is left of an order is sent with it, or nothing. */
export const trackingActions = ['fill', 'send', 'nothing', 'refused'] as const

export const TrackingRow = z
  .object({
    row: z.int().meta({ description: 'of the file: 1 is its first line' }),
    order: z.string().meta({ description: 'its number, as the file has it' }),
    trackingNumber: z.string(),
    carrier: z.enum(carriers).nullable(),
    action: z.enum(trackingActions),
    text: z.string().meta({ description: 'what is done, or why nothing is' }),
    warning: z.string().nullable().meta({ description: 'what is unusual about the number' }),
  })
  .meta({ id: 'TrackingRow' })
export type TrackingRow = z.infer<typeof TrackingRow>

export const importTrackingNumbers = {
  method: 'POST',
  url: '/orders/to-send/tracking-numbers',
  schema: {
    tags: ['Sending'],
    summary:
      "Take over a carrier's file of tracking numbers (admins): each goes to the parcel of its order that has none, or sends the rest of the order",
    description: `A row has the number of an order, a tracking number and, if it likes, a carrier, in this order or as a header names them; the cells are parted by commas, semicolons or tabs. Without \`run\` nothing is changed: the answer says of each row what would be. With it each row is done for itself, and the buyers get their mails. The same file again changes nothing. At most ${trackingFileLimits.rows} rows.`,
    security: bearerAuth,
    body: z.object({
      file: z
        .string('Choose a file, or paste its rows')
        .max(trackingFileLimits.characters, `A file of tracking numbers has at most ${trackingFileLimits.characters} characters: split it`)
        .refine((text) => text.trim() !== '', 'Choose a file, or paste its rows'),
      carrier: z
        .enum(carriers, `A carrier is one of ${carriers.join(', ')}`)
        .optional()
        .meta({ description: 'of the rows that name none; without it, that of the parcel or of the delivery that the buyer has chosen' }),
      run: z.boolean().default(false),
    }),
    response: {
      200: z.object({
        rows: z.array(TrackingRow),
        counts: z.record(z.enum(trackingActions), z.int()),
        done: z.boolean().meta({ description: 'false: nothing was changed, as `run` did not say so' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint
export type TrackingReport = z.output<(typeof importTrackingNumbers.schema.response)[200]>
export type TrackingFile = z.output<typeof importTrackingNumbers.schema.body>
