import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { postalAddressFields, refuseWrongAddress } from '#shared/postal-address-schema.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { OrderIdParams } from '#store/orders/order-fields.ts'
import { findVatIdProblem } from '#store/tax/vat-id.ts'

export const documentKinds = ['invoice', 'credit note'] as const
export type DocumentKind = (typeof documentKinds)[number]

const tags = ['Invoices and credit notes']

/** An empty field of a form says nothing. */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters`)
    .transform((text) => text || undefined)
    .optional()

const { country, line1, line2, city, postalCode, state } = postalAddressFields
const noNumberMessage = 'Enter the VAT id or the tax number: an invoice names one of them'

/** The body of `changeSeller`. */
export const SellerFields = z
  .object({
    name: requiredTextSchema('Enter the name of the business', 100),
    ...{ country, line1, line2, city, postalCode, state },
    vatId: optionalText(20).meta({ description: 'with the letters of its country' }),
    taxNumber: optionalText(40).meta({ description: 'of the tax office, where there is no VAT id, or beside it' }),
    registration: optionalText(100).meta({ description: 'where and as what the business is registered' }),
    email: z.email('Enter an e-mail address').max(254),
    phone: optionalText(30),
    footer: optionalText(300).meta({ description: 'what else has to stand below each document, such as who manages the business' }),
  })
  .superRefine((seller, context) => {
    refuseWrongAddress(seller, context)
    const vatIdProblem = seller.vatId === undefined ? undefined : findVatIdProblem(seller.vatId)
    if (vatIdProblem) context.addIssue({ code: 'custom', message: vatIdProblem, path: ['vatId'] })
    if (seller.vatId === undefined && seller.taxNumber === undefined)
      for (const field of ['vatId', 'taxNumber']) context.addIssue({ code: 'custom', message: noNumberMessage, path: [field] })
  })

const said = z.string().optional()

/** Who sells, as it stands on documents. */
export const Seller = z
  .object({
    name: z.string(),
    ...{ country: z.string(), line1: z.string(), line2: said, city: z.string(), postalCode: said, state: said },
    ...{ vatId: said, taxNumber: said, registration: said, email: z.string(), phone: said, footer: said },
  })
  .meta({ id: 'Seller' })
export type Seller = z.infer<typeof Seller>

/** The most orders that are listed with the seller. */
export const maxListedOrders = 20

export const showSeller = {
  method: 'GET',
  url: '/seller',
  schema: {
    tags,
    summary: 'Who sells, as it stands on invoices (admins)',
    security: bearerAuth,
    response: {
      200: z.object({
        seller: Seller.nullable().meta({ description: 'null: not said yet, so that no invoice is issued' }),
        waiting: z.int().meta({ description: 'how many documents are still to be issued' }),
        withoutVatId: z.int().meta({
          description:
            'how many invoices with reverse charge lack the VAT id of the seller, which the law and EN 16931 ask for: correct them once it is said',
        }),
        ordersWithoutVatId: z
          .array(z.object({ _id: z.uuid(), number: z.int() }))
          .meta({ description: `their orders, the oldest first, at most ${maxListedOrders}` }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const changeSeller = {
  method: 'PUT',
  url: '/seller',
  schema: {
    tags,
    summary: 'Say who sells (owners)',
    description:
      'Documents that are issued already stay as they are. Paid orders that have no invoice yet, as nobody had said who sells, get theirs now.',
    security: bearerAuth,
    body: SellerFields,
    response: { 200: z.object({ seller: Seller }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const OrderDocument = z
  .object({
    _id: z.uuid(),
    kind: z.enum(documentKinds),
    number: z.string(),
    issuedOn: z.iso.date(),
    dueOn: z.iso.date().nullable().meta({ description: 'of an invoice on account: by when it is to be paid' }),
    corrects: z.string().nullable().meta({ description: 'the number of the document that it gives back, corrects or replaces' }),
    isCorrected: z.boolean().meta({ description: 'it was wrong: a credit note cancels it, and another invoice replaces it' }),
    isReplacement: z.boolean().meta({ description: 'it replaces that invoice, in the right words' }),
    currency: z.string(),
    netCents: z.int(),
    taxCents: z.int(),
    totalCents: z.int(),
    pdf: z.string().nullable().meta({ description: 'its address; null: it is being made' }),
    xml: z.string().nullable().meta({
      description:
        'the address of its data by EN 16931, which are in the PDF, too; null also where the order says no country, or the seller no VAT id for reverse charge',
    }),
  })
  .meta({ id: 'OrderDocument' })
export type OrderDocument = z.infer<typeof OrderDocument>

export const listOrderDocuments = {
  method: 'GET',
  url: '/orders/:id/documents',
  schema: {
    tags,
    summary: 'The invoices and credit notes of an order, for its buyer and for admins, the oldest first',
    security: bearerAuth,
    params: OrderIdParams,
    response: { 200: z.object({ documents: z.array(OrderDocument) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

const fileParams = OrderIdParams.extend({ document: z.uuid('There is no such document') })

const fileEndpoint = <Suffix extends 'pdf' | 'xml'>(suffix: Suffix, summary: string, mediaType: string) =>
  ({
    method: 'GET',
    url: `/orders/:id/documents/:document/${suffix}`,
    schema: {
      tags,
      summary,
      security: bearerAuth,
      params: fileParams,
      response: { 200: z.any().meta({ description: mediaType }), default: ErrorResponse },
    },
  }) as const satisfies Endpoint

export const loadDocumentPdf = fileEndpoint('pdf', 'A document as PDF/A-3, with its data by EN 16931 in it', 'application/pdf')
export const loadDocumentXml = fileEndpoint('xml', 'The data of a document by EN 16931, in the syntax CII', 'application/xml')
