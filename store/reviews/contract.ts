import * as z from 'zod'
import { type Call, Refused } from '#store/call.ts'

/** What a customer says of the company. `rating` is out of 5, halves allowed. */
export const Review = z
  .object({ _id: z.uuid(), name: z.string(), img: z.string(), about: z.string(), rating: z.number(), example: z.boolean() })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const listReviews = {
  method: 'GET',
  url: '/reviews',
  schema: { tags: ['Reviews'], summary: 'All reviews, newest first', response: { 200: z.array(Review), default: Refused } },
} as const satisfies Call
