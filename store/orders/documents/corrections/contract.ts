import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { postalAddressFields, refuseWrongAddress } from '#shared/postal-address-schema.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { StructuredAddress } from '#store/orders/details/contract.ts'
import { OrderDocument, optionalText } from '#store/orders/documents/contract.ts'
import { maxOrderLines, OrderIdParams } from '#store/orders/order-fields.ts'
import { findVatIdProblem } from '#store/tax/vat-id.ts'

const tags = ['Invoices and credit notes']
const { country, line1, line2, city, postalCode, state } = postalAddressFields
const noSuchLine = 'There is no such line in the invoice'

/** The body of `correctInvoice`: all that a correction can change, as it is to be. */
export const CorrectionBody = z
  .object({
    invoice: z.uuid('Say which invoice').meta({ description: 'the id of the invoice that is wrong' }),
    name: requiredTextSchema('Enter the name', 100),
    company: optionalText(100),
    vatId: optionalText(20).meta({ description: 'of a business in the EU, such as DE136695976' }),
    ...{ country, line1, line2, city, postalCode, state },
    poNumber: optionalText(50),
    buyerReference: optionalText(100),
    lines: z
      .array(
        z.object({
          _id: z.uuid(noSuchLine).toLowerCase().meta({ description: 'of the line of the order' }),
          name: requiredTextSchema('Enter what it is', 200),
          partNumber: optionalText(50).meta({ description: "the buyer's own number" }),
        }),
      )
      .max(maxOrderLines)
      .default([])
      .meta({ description: 'lines that are not named stay as they are' }),
    reason: requiredTextSchema('Say why: the buyer reads it, and it stays with the order', 200),
  })
  .superRefine((body, context) => {
    refuseWrongAddress(body, context)
    const problem = body.vatId === undefined ? undefined : findVatIdProblem(body.vatId)
    if (problem) context.addIssue({ code: 'custom', message: problem, path: ['vatId'] })
  })
export type CorrectionBody = z.output<typeof CorrectionBody>

/** The invoice of an order as a correction finds it. */
export const CorrectableInvoice = z
  .object({
    _id: z.uuid(),
    numbers: z
      .array(z.string())
      .meta({ description: 'of the invoices that are corrected at once, the newest last: on account, those of all parcels' }),
    name: z.string(),
    company: z.string().nullable(),
    vatId: z.string().nullable(),
    address: StructuredAddress.nullable().meta({ description: 'null: the order has a text for it' }),
    addressText: z.string().nullable(),
    poNumber: z.string().nullable(),
    buyerReference: z.string().nullable(),
    lines: z.array(z.object({ _id: z.uuid(), name: z.string(), partNumber: z.string().nullable() })),
  })
  .meta({ id: 'CorrectableInvoice' })
export type CorrectableInvoice = z.infer<typeof CorrectableInvoice>

export const showCorrectableInvoice = {
  method: 'GET',
  url: '/orders/:id/documents/corrections',
  schema: {
    tags,
    summary: 'What of the invoice of an order can be corrected (owners)',
    description: 'Refused with 409 "conflict" for an order that has none, or of which all the money has gone back.',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: CorrectableInvoice, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const correctInvoice = {
  method: 'POST',
  url: '/orders/:id/documents/corrections',
  schema: {
    tags,
    summary: 'Correct the words of an invoice that is issued (owners): a credit note and a new invoice at once',
    description:
      'The credit note is for all of the invoice that no earlier one has given back, the new invoice for the same amounts in the words of the body: what is left out is empty. Of an order on account the invoices of all its parcels are corrected at once. No money moves. The buyer gets a mail. The same request sent twice corrects once. Refused with 409 "conflict" where there is no invoice or the body says what the invoice says, "documents_changed" where the invoice was corrected meanwhile, and "tax_would_change" for a VAT id by which the order would be taxed in another way; 404 for a line of another order.',
    security: bearerAuth,
    params: OrderIdParams,
    body: CorrectionBody,
    response: { 201: z.object({ documents: z.array(OrderDocument) }), default: ErrorResponse },
  },
} as const satisfies Endpoint
