import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { pictureAddress } from '#store/picture-address.ts'
import { requiredText } from '#store/required-text.ts'

const said = {
  _id: z.uuid(),
  name: z.string(),
  img: z.string(),
  about: z.string(),
  rating: z.number(),
  example: z.boolean(),
  bought: z.boolean().meta({ description: 'its author has paid for an order here that still stands' }),
}

/** What a customer says of the company. `rating` is out of 5, halves allowed. */
export const Review = z.object(said).meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

const hidden = z.boolean().meta({ description: 'an admin has hidden it: nobody reads it but its author and admins' })

/** A review as its author reads it. */
export const OwnReview = z.object({ ...said, hidden })
export type OwnReview = z.infer<typeof OwnReview>

/** The review that was posted. */
export const PostedReview = z.object({
  ...said,
  hidden,
  replaced: z.boolean().meta({ description: 'an earlier review of the same customer, which is gone' }),
})
export type PostedReview = z.infer<typeof PostedReview>

/** A review as admins see it among all. */
export const AnyReview = z.object({ ...said, hidden, postedAt: z.iso.datetime() })
export type AnyReview = z.infer<typeof AnyReview>

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

/** The most reviews in one answer. */
export const mostInAnswer = 100

const limit = (usual: number) => z.coerce.number().int().min(1).max(mostInAnswer).default(usual)

const tags = ['Reviews']

export const listReviews = {
  method: 'GET',
  url: '/reviews',
  schema: {
    tags,
    summary: 'The newest reviews, newest first',
    description: `At most ${mostInAnswer}. Where there are more, the header \`x-next-cursor\` says the \`cursor\` that asks for the next page.`,
    querystring: z.object({
      limit: limit(mostInAnswer),
      cursor: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('`x-next-cursor` of the page before'),
    }),
    response: { 200: z.array(Review), default: Refused },
  },
} as const satisfies Call

/** A page of the reviews in the order of the screens. */
export const ShownReviews = z.object({
  reviews: z.array(Review),
  next: z.string().nullable().describe('the `cursor` of the next page; null: this was the last'),
})
export type ShownReviews = z.infer<typeof ShownReviews>

export const listShownReviews = {
  method: 'GET',
  url: '/reviews/shown',
  schema: {
    tags,
    summary: 'Reviews in the order of the screens: of those who have bought here first, and of these the newest first',
    querystring: z.object({
      stars: z.coerce.number().int().min(1).max(5).optional().describe('only those that are counted under so many stars'),
      limit: limit(9),
      cursor: z
        .string()
        .regex(/^[01]\.\d{1,9}$/, 'There is no such page of reviews')
        .optional()
        .describe('`next` of the page before'),
    }),
    response: { 200: ShownReviews, default: Refused },
  },
} as const satisfies Call

/** All reviews that are not hidden, counted. */
export const ReviewSummary = z.object({
  count: z.int(),
  examples: z.int(),
  average: z.number().nullable().describe('of the ratings as they are shown; null: there is no review'),
  stars: z.array(z.int()).describe('how many are counted under one star, two stars and so on; half a star more stays with the whole one'),
})
export type ReviewSummary = z.infer<typeof ReviewSummary>

export const summarizeReviews = {
  method: 'GET',
  url: '/reviews/summary',
  schema: { tags, summary: 'How many reviews there are, by stars, and their average', response: { 200: ReviewSummary, default: Refused } },
} as const satisfies Call

export const postReview = {
  method: 'POST',
  url: '/reviews',
  schema: {
    tags,
    summary: 'Post a review, as a customer',
    description: 'Each customer has one review: a second one takes the place of the first and counts as new.',
    security: withToken,
    body: NewReview,
    response: { 201: PostedReview, default: Refused },
  },
} as const satisfies Call

export const showOwnReview = {
  method: 'GET',
  url: '/reviews/own',
  schema: {
    tags,
    summary: 'The own review, as a customer',
    security: withToken,
    response: { 200: z.object({ review: OwnReview.nullable() }), default: Refused },
  },
} as const satisfies Call

export const listAllReviews = {
  method: 'GET',
  url: '/reviews/all',
  schema: {
    tags,
    summary: 'All reviews, hidden ones too, newest first, as an admin',
    security: withToken,
    querystring: z.object({
      limit: limit(50),
      cursor: z.coerce.number().int().min(0).max(10_000_000).default(0).describe('how many come before'),
    }),
    response: { 200: z.object({ reviews: z.array(AnyReview), total: z.int() }), default: Refused },
  },
} as const satisfies Call

export const hideReview = {
  method: 'PUT',
  url: '/reviews/:id/hidden',
  schema: {
    tags,
    summary: 'Hide a review or bring it back, as an admin',
    security: withToken,
    params: z.object({ id: z.uuid('There is no such review') }),
    body: z.object({ hidden: z.boolean('Say true or false') }),
    response: { 200: AnyReview, default: Refused },
  },
} as const satisfies Call
