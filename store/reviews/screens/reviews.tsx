import { ratingOutOf } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'
import { Scene } from '#web/scene.tsx'
import { Distribution } from './distribution.tsx'
import { ReviewCard } from './review-card.tsx'
import { shownRating } from './shown-rating.ts'

export function Reviews({ reviews: said }: { reviews: Review[] }) {
  const reviews = said.map((review) => ({ ...review, rating: shownRating(review.rating) }))
  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="reviews" className="text-xl sm:text-2xl">
          What customers say
        </h2>
        {reviews.length > 0 && <Average reviews={reviews} />}
      </div>
      {reviews.length > 0 ? (
        <Distribution reviews={reviews} />
      ) : (
        <div className="flex flex-col items-start gap-4">
          <Scene name="no-reviews" />
          <p className="text-soft">Nobody has written a review yet.</p>
        </div>
      )}
      <ul hidden={reviews.length === 0} className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3">
        {reviews.map((review) => (
          <li key={review._id}>
            <ReviewCard review={review} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Average({ reviews }: { reviews: Review[] }) {
  const average = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length
  const examples = reviews.filter(({ example }) => example).length
  return (
    <p className="text-soft">
      <span className="text-lg font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {ratingOutOf}, from{' '}
      {reviews.length === 1 ? '1 review' : `${reviews.length} reviews`}
      {examples > 0 && `, ${examples === reviews.length ? 'all of them' : `${examples} of them`} examples`}
    </p>
  )
}
