import * as z from 'zod'
import { type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { ProductDetails } from '#store/catalogue/contract.ts'

export const bestsellerDays = 90

export const listBestsellers = {
  method: 'GET',
  url: '/bestsellers',
  schema: {
    tags: ['Catalogue'],
    summary: `Up to 12 products in stock that the most buyers have paid for in the last ${bestsellerDays} days, those of the most buyers first`,
    response: { 200: z.array(ProductDetails), default: ErrorResponse },
  },
} as const satisfies Endpoint
