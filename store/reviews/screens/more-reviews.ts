import type { listShownReviews, Review, ShownReviews } from '#store/reviews/contract.ts'
import { send } from '#web/send.ts'

/** So many come at a press. */
const limit = 18

/**
 * Reviews that the home page did not bring along, in its order. No schema comes with it.
 * @param before the ones that are shown already, where the next page is asked for
 * @throws {Refusal}
 */
export async function askForReviews(stars: number | undefined, cursor?: string, before: Review[] = []): Promise<ShownReviews> {
  const { reviews, next } = await send<typeof listShownReviews>(
    { method: 'GET', url: '/reviews/shown' },
    { querystring: { stars, cursor, limit } },
  )
  // One that was posted again meanwhile stands elsewhere in the order, and may come a second time.
  const others = reviews.filter(({ _id }) => before.every((shown) => shown._id !== _id))
  return { reviews: [...before, ...others], next }
}
