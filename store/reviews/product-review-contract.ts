import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { ProductIdParams } from '#store/catalogue/contract.ts'
import { ProductRatings, ProductReview } from '#store/catalogue/product-page-contract.ts'
import { maxRating } from '#store/constants.ts'
import { nameInEmails } from '#store/identity/account-fields.ts'
import { hidden, hiddenAt, limitParam, maxReviewCharacters, ratingSchema, starsParam } from './contract.ts'

/** The lowest rating of a product. */
export const minProductRating = 1

const ratingMessage = `Rate it from ${minProductRating} to ${maxRating}, in whole or half steps`

/** An empty line between paragraphs, and no page of them. */
const withoutEmptyLines = (text: string): string => {
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : line))
  return lines.filter((line, at) => line !== '' || lines[at - 1] !== '').join('\n')
}

/** Letters that are blank, such as the Hangul filler, are none. */
const hasSigns = (text: string): boolean => /[\p{L}\p{N}\p{S}\p{P}]/u.test(text.replaceAll(/[\u115F\u1160\u3164\uFFA0\u2800]/g, ''))

const nameMessage = 'Enter the name to show'
const aboutMessage = 'Say something about the product'

/** The form of a review of a product. Validated in the form and again on the server. */
export const NewProductReview = z.object({
  name: nameInEmails(nameMessage, 80).refine(hasSigns, nameMessage),
  about: requiredTextSchema(aboutMessage, maxReviewCharacters).transform(withoutEmptyLines).refine(hasSigns, aboutMessage),
  rating: ratingSchema(ratingMessage).refine(
    (rating) => rating >= minProductRating && rating <= maxRating && Number.isInteger(rating * 2),
    ratingMessage,
  ),
})

const shown = z.boolean().meta({
  description:
    'it stands on the page of the product: its author has paid for it or was sent it, the account is not removed, and no admin has hidden it',
})

/** A review of a product as its author sees it. */
export const OwnProductReview = ProductReview.extend({ hidden, hiddenAt, shown }).meta({ id: 'OwnProductReview' })
export type OwnProductReview = z.infer<typeof OwnProductReview>

export const PostedProductReview = ProductReview.extend({
  hidden,
  shown,
  replaced: z.boolean().meta({ description: 'an earlier review of the same customer and product, which is gone' }),
}).meta({ id: 'PostedProductReview' })
export type PostedProductReview = z.infer<typeof PostedProductReview>

const ReviewedProduct = z.object({ _id: z.uuid(), name: z.string() })

/** A page of the reviews of a product, newest first. */
export const ProductReviewPage = z.object({
  product: ReviewedProduct,
  summary: ProductRatings.describe('of all reviews of the product that are shown'),
  reviews: z.array(ProductReview),
  next: z.int().nullable().describe('the `cursor` of the next page; null: this was the last'),
})
export type ProductReviewPage = z.infer<typeof ProductReviewPage>

const tags = ['Reviews']

export const listProductReviews = {
  method: 'GET',
  url: '/products/:id/reviews',
  schema: {
    tags,
    summary: 'The reviews of a product, newest first, and how many there are by stars',
    description: 'Only those of customers who have paid for the product or were sent it. A product that was removed is answered with 404.',
    params: ProductIdParams,
    querystring: z.object({
      stars: starsParam,
      limit: limitParam(9),
      cursor: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('`next` of the page before'),
    }),
    response: { 200: ProductReviewPage, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showOwnProductReview = {
  method: 'GET',
  url: '/products/:id/reviews/own',
  schema: {
    tags,
    summary: 'The own review of a product, and whether one can be posted, as a customer',
    security: bearerAuth,
    params: ProductIdParams,
    response: {
      200: z.object({
        product: ReviewedProduct,
        review: OwnProductReview.nullable(),
        mayPost: z.boolean(),
        whyNot: z.string().nullable().meta({ description: 'why none can be posted, in words; null: one can' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const postProductReview = {
  method: 'POST',
  url: '/products/:id/reviews',
  schema: {
    tags,
    summary: 'Review a product, as a customer who has bought it',
    description:
      'Each customer has one review of a product: a second one takes the place of the first and counts as new. Who has no paid order of the product that still stands is refused with 403 `product_not_bought`.',
    security: bearerAuth,
    params: ProductIdParams,
    body: NewProductReview,
    response: { 201: PostedProductReview, default: ErrorResponse },
  },
} as const satisfies Endpoint
