import type { listReviewPage, Review, ReviewPage } from '#store/reviews/contract.ts'
import { callApi } from '#web/call-api.ts'

const pageSize = 18

/**
 * Loads further reviews for the home page, in display order. Imports only types of the contract, so that zod is not loaded.
 * @param before the reviews already displayed, when loading the next page
 * @throws {ApiError}
 */
export async function loadMoreReviews(stars: number | undefined, cursor?: string, before: Review[] = []): Promise<ReviewPage> {
  const { reviews, next } = await callApi<typeof listReviewPage>(
    { method: 'GET', url: '/reviews/shown' },
    { querystring: { stars, cursor, limit: pageSize } },
  )
  // A review replaced in the meantime has a new position and may be returned twice.
  const others = reviews.filter(({ _id }) => before.every((review) => review._id !== _id))
  return { reviews: [...before, ...others], next }
}
