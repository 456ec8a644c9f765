import { useState } from 'react'
import { ratingOutOf } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'
import { Button } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Distribution, starsOf } from './distribution.tsx'
import { ReviewCard } from './review-card.tsx'
import { shownRating } from './shown-rating.ts'

/** Three rows of a wide window. */
const firstShown = 9

export function Reviews({ reviews: said }: { reviews: Review[] }) {
  const [chosen, choose] = useState<number>()
  const [all, showAll] = useState(false)
  const reviews = said.map((review) => ({ ...review, rating: shownRating(review.rating) }))
  const found = reviews.filter((review) => chosen === undefined || starsOf(review) === chosen)
  const shown = all ? found : found.slice(0, firstShown)
  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6">
      <h2 id="reviews" className="text-xl sm:text-2xl">
        What customers say
      </h2>
      {reviews.length === 0 ? (
        <Empty scene="no-reviews" title="Nobody has written a review yet" heading="h3">
          Customers write them after signing in, under Add A Review.
        </Empty>
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <div className="flex flex-col gap-3 lg:sticky lg:top-6 lg:self-start">
            <Average reviews={reviews} />
            <Distribution reviews={reviews} chosen={chosen} onChoose={choose} />
            <p role="status" className="px-2 text-sm text-soft">
              {chosen !== undefined && `${found.length} of ${reviews.length} shown, with ${chosen === 1 ? '1 star' : `${chosen} stars`}. `}
              {chosen !== undefined && (
                <button
                  type="button"
                  onClick={() => choose(undefined)}
                  className="min-h-6 font-medium text-leaf underline underline-offset-2"
                >
                  Show all
                </button>
              )}
            </p>
          </div>
          <div className="flex flex-col items-start gap-6">
            <ul className="grid w-full grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {shown.map((review) => (
                <li key={review._id} className="rests-44">
                  <ReviewCard review={review} />
                </li>
              ))}
            </ul>
            {shown.length < found.length && (
              <Button look="quiet" onClick={() => showAll(true)}>
                Show {found.length - shown.length} more
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

function Average({ reviews }: { reviews: Review[] }) {
  const average = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length
  const examples = reviews.filter(({ example }) => example).length
  return (
    <p className="px-2 text-soft">
      <span className="block text-4xl font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {ratingOutOf}, from{' '}
      {reviews.length === 1 ? '1 review' : `${reviews.length} reviews`}
      {examples > 0 && `, ${examples === reviews.length ? 'all of them' : `${examples} of them`} examples`}
    </p>
  )
}
