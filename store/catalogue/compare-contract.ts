import * as z from 'zod'
import { type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { oneOrManySchema } from '#shared/one-or-many.ts'
import { maxComparedProducts } from '#store/constants.ts'
import { ProductDetails } from './contract.ts'

/**
 * Products side by side. In each row, `texts` has one item for each product, null if unknown, and `best` lists the indices of the products
 * with the best value.
 */
export const Comparison = z.object({
  parts: z.array(ProductDetails),
  span: z.int().nullable().meta({
    description:
      'as `span` of their drawings it shows them on one scale, in mm; null if fewer than two are shown by a drawing from their specs',
  }),
  rows: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      texts: z.array(z.string().nullable()),
      differs: z.boolean(),
      best: z.array(z.int()),
    }),
  ),
})
export type Comparison = z.infer<typeof Comparison>

export const compareProducts = {
  method: 'GET',
  url: '/compare',
  schema: {
    tags: ['Catalogue'],
    summary: `Up to ${maxComparedProducts} products of a category side by side`,
    querystring: z.object({
      id: oneOrManySchema.pipe(
        z
          .array(z.uuid('There is no such product').toLowerCase())
          .min(1)
          .max(maxComparedProducts, `Compare up to ${maxComparedProducts} products`),
      ),
    }),
    response: { 200: Comparison, default: ErrorResponse },
  },
} as const satisfies Endpoint
