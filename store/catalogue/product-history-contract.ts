import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ProductIdParams } from './contract.ts'

/** What a change of a product has overwritten in one field. `field` and values are as in an import file; or `specs.` and a key, or `for_sale`. */
export const ProductHistoryEntry = z
  .object({
    field: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    at: z.string(),
    by: z.string().nullable().meta({ description: "e-mail of the admin; null for a command on the store's machine" }),
    importId: z.string().nullable().meta({
      description:
        'the `_id` of the import that changed it (GET /imports/{id}, for 30 days); null for a change on the screens or by a call',
    }),
  })
  .meta({ id: 'ToolHistoryEntry' })
export type ProductHistoryEntry = z.infer<typeof ProductHistoryEntry>
/** How many overwritten fields of a product are listed, and as many overwritten attributes. */
export const maxProductHistoryListed = 100

export const showProductHistory = {
  method: 'GET',
  url: '/tools/:id/history',
  schema: {
    tags: ['Catalogue'],
    summary: `What changes of a product have overwritten, field by field, newest first: the last ${maxProductHistoryListed} of its attributes, and the last ${maxProductHistoryListed} of everything else`,
    description:
      'Of changes on the screens and by imports, of removed products too. The stock is not among the fields. For admins: without a token it is 401 `not_signed_in`, for customers 403 `forbidden`. An id that no product has had is 404 `not_found`.',
    security: bearerAuth,
    params: ProductIdParams,
    response: { 200: z.array(ProductHistoryEntry), default: ErrorResponse },
  },
} as const satisfies Endpoint
