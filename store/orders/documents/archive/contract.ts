import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'

const tags = ['Invoices and credit notes']

/** The month of a day such as 2026-11-26 is 2026-11. */
export const monthSchema = z.string('Choose a month').regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'A month is written such as 2026-11')

/** What was issued in a month of the shop's time zone. */
export const DocumentMonth = z
  .object({
    month: z.string(),
    invoices: z.int().nullable().meta({ description: 'null: the month is an old one, whose documents are not counted' }),
    creditNotes: z.int().nullable(),
    withoutFiles: z.int().meta({ description: 'documents whose PDF is still being made' }),
  })
  .meta({ id: 'DocumentMonth' })
export type DocumentMonth = z.infer<typeof DocumentMonth>

export const listDocumentMonths = {
  method: 'GET',
  url: '/documents/months',
  schema: {
    tags,
    summary: 'The months in which invoices and credit notes were issued, the newest first (admins)',
    security: bearerAuth,
    response: { 200: z.object({ months: z.array(DocumentMonth) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The header of the answer that says how many documents have no PDF in it. */
export const missingFilesHeader = 'x-documents-without-files'

export const loadDocumentArchive = {
  method: 'GET',
  url: '/documents/archive',
  schema: {
    tags,
    summary: 'All documents of a month for the accountant, as a ZIP of PDFs, XMLs and a CSV that lists them (owners)',
    description: `The month is one of the shop's time zone. Files that are still to be made are made first; what cannot be made is named in the CSV, and counted in the header ${missingFilesHeader}. One at a time: 429 while another one is loaded. 404 for a month without documents.`,
    security: bearerAuth,
    querystring: z.object({ month: monthSchema }),
    response: { 200: z.any().meta({ description: 'application/zip' }), default: ErrorResponse },
  },
} as const satisfies Endpoint
