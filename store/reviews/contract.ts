import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { pictureAddress } from '#store/picture-address.ts'
import { requiredText } from '#store/required-text.ts'

/** What a customer says of the company. `rating` is out of 5, halves allowed. */
export const Review = z
  .object({ _id: z.uuid(), name: z.string(), img: z.string(), about: z.string(), rating: z.number(), example: z.boolean() })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

const decimal = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/** A rating as a number or, as the first client sent it, written as text. There is no range to check: what is shown never exceeds 5. */
const rating = z.union([z.number('need to give rating'), z.string().trim().regex(decimal).transform(Number)], 'need to give rating')

/** What a customer fills in. The screen asks this while typing, the server again. */
export const NewReview = z.object({
  name: requiredText('UserName is required', 200),
  img: pictureAddress('user image is required'),
  about: requiredText('field is required', 5000),
  rating,
})

const tags = ['Reviews']

export const listReviews = {
  method: 'GET',
  url: '/reviews',
  schema: { tags, summary: 'All reviews, newest first', response: { 200: z.array(Review), default: Refused } },
} as const satisfies Call

export const postReview = {
  method: 'POST',
  url: '/reviews',
  schema: {
    tags,
    summary: 'Post a review, as a customer',
    security: withToken,
    body: NewReview,
    response: { 201: Review, default: Refused },
  },
} as const satisfies Call
