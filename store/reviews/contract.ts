import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { imageUrlSchema } from '#shared/image-url-schema.ts'
import { requiredTextSchema } from '#shared/required-text.ts'

const reviewFields = {
  _id: z.uuid(),
  name: z.string(),
  img: z.string(),
  about: z.string(),
  rating: z.number(),
  example: z.boolean(),
  bought: z.boolean().meta({ description: 'its author has paid for an order here that still stands' }),
}

/** A customer's review of the company. `rating` is out of 5, in steps of 0.5. */
export const Review = z.object(reviewFields).meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const hidden = z.boolean().meta({ description: 'an admin has hidden it: nobody reads it but its author and admins' })

export const hiddenAt = z.iso.datetime().nullable().meta({ description: 'since when; null where it is not hidden, or nobody knows' })

const shown = z.boolean().meta({
  description:
    'it stands on the home page and counts in the summary: its author has a verified e-mail or a paid order that still stands, the account is not removed, and no admin has hidden it',
})

/** A review as its author sees it. */
export const OwnReview = z.object({
  ...reviewFields,
  hidden,
  hiddenAt,
  shown,
})
export type OwnReview = z.infer<typeof OwnReview>

export const PostedReview = z.object({
  ...reviewFields,
  hidden,
  shown,
  replaced: z.boolean().meta({ description: 'an earlier review of the same customer, which is gone' }),
})
export type PostedReview = z.infer<typeof PostedReview>

/** A review of the shop or of a product, in the list for admins. */
export const AdminReview = z.object({
  ...reviewFields,
  hidden,
  shown,
  postedAt: z.iso.datetime(),
  product: z
    .object({ _id: z.uuid(), name: z.string(), removed: z.boolean().describe('it is no longer in the catalogue') })
    .nullable()
    .describe('that is reviewed; null: the shop is'),
})
export type AdminReview = z.infer<typeof AdminReview>

const decimalPattern = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/** A rating as a number, or as text, which the first client sends. The range is not validated here. */
export const ratingSchema = (message: string) =>
  z.union([z.number(message), z.string().trim().regex(decimalPattern).transform(Number)], message)

export const maxReviewCharacters = 5000

/** The review form. Validated in the form and again on the server. */
export const NewReview = z.object({
  name: requiredTextSchema('UserName is required', 200),
  img: imageUrlSchema('user image is required'),
  about: requiredTextSchema('field is required', maxReviewCharacters),
  rating: ratingSchema('need to give rating'), // of any range: displayed ratings are clamped to 0 to 5
})

export const maxReviewsPerResponse = 100

export const limitParam = (defaultLimit: number) => z.coerce.number().int().min(1).max(maxReviewsPerResponse).default(defaultLimit)

export const starsParam = z.coerce.number().int().min(1).max(5).optional().describe('only those that are counted under so many stars')

const tags = ['Reviews']

export const listReviews = {
  method: 'GET',
  url: '/reviews',
  schema: {
    tags,
    summary: 'The newest reviews, newest first',
    description: `At most ${maxReviewsPerResponse}, those of removed accounts left out. Where there are more, the header \`x-next-cursor\` says the \`cursor\` that asks for the next page.`,
    querystring: z.object({
      limit: limitParam(maxReviewsPerResponse),
      cursor: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('`x-next-cursor` of the page before'),
    }),
    response: { 200: z.array(Review), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** A page of reviews in display order. */
export const ReviewPage = z.object({
  reviews: z.array(Review),
  next: z.string().nullable().describe('the `cursor` of the next page; null: this was the last'),
})
export type ReviewPage = z.infer<typeof ReviewPage>

export const listReviewPage = {
  method: 'GET',
  url: '/reviews/shown',
  schema: {
    tags,
    summary: 'Reviews in the order of the screens: of those who have bought here first, and of these the newest first',
    description:
      'Only those whose author has a verified e-mail or a paid order that still stands. `img` is a drawing of the store: the placeholder where the author gave another address.',
    querystring: z.object({
      stars: starsParam,
      limit: limitParam(9),
      cursor: z
        .string()
        .regex(/^[01]\.\d{1,9}$/, 'There is no such page of reviews')
        .optional()
        .describe('`next` of the page before'),
    }),
    response: { 200: ReviewPage, default: ErrorResponse },
  },
} as const satisfies Endpoint

/** Counts of all reviews that are shown. */
export const ReviewSummary = z.object({
  count: z.int(),
  examples: z.int(),
  average: z.number().nullable().describe('of the ratings as they are shown; null: there is no review'),
  stars: z.array(z.int()).describe('how many are counted under one star, two stars and so on; half a star more stays with the whole one'),
})
export type ReviewSummary = z.infer<typeof ReviewSummary>

export const summarizeShopReviews = {
  method: 'GET',
  url: '/reviews/summary',
  schema: {
    tags,
    summary: 'How many reviews are shown, by stars, and their average',
    response: { 200: ReviewSummary, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const postReview = {
  method: 'POST',
  url: '/reviews',
  schema: {
    tags,
    summary: 'Post a review, as a customer',
    description:
      'Each customer has one review: a second one takes the place of the first and counts as new. It is shown once the e-mail is verified or an order is paid.',
    security: bearerAuth,
    body: NewReview,
    response: { 201: PostedReview, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showOwnReview = {
  method: 'GET',
  url: '/reviews/own',
  schema: {
    tags,
    summary: 'The own review, as a customer',
    security: bearerAuth,
    response: { 200: z.object({ review: OwnReview.nullable() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listReviewsForAdmin = {
  method: 'GET',
  url: '/reviews/all',
  schema: {
    tags,
    summary: 'All reviews, of the shop and of products, hidden ones too, newest first, as an admin',
    security: bearerAuth,
    querystring: z.object({
      limit: limitParam(50),
      cursor: z.coerce.number().int().min(0).max(10_000_000).default(0).describe('how many come before'),
    }),
    response: { 200: z.object({ reviews: z.array(AdminReview), total: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const hideReview = {
  method: 'PUT',
  url: '/reviews/:id/hidden',
  schema: {
    tags,
    summary: 'Hide a review or bring it back, as an admin',
    security: bearerAuth,
    params: z.object({ id: z.uuid('There is no such review') }),
    body: z.object({ hidden: z.boolean('Say true or false') }),
    response: { 200: AdminReview, default: ErrorResponse },
  },
} as const satisfies Endpoint
