import { useRef, useState } from 'react'
import { formatStars } from '#store/catalogue/screens/rating-row.tsx'
import { maxRating } from '#store/constants.ts'
import type { ReviewPage, ReviewSummary } from '#store/reviews/contract.ts'
import { Button } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { RatingDistribution } from './rating-distribution.tsx'
import { ReviewCard } from './review-card.tsx'

/** The first page and the counts of all reviews, from the loader. Further reviews are loaded on demand. */
type ReviewsProps = { firstPage: ReviewPage; summary: ReviewSummary }

export function Reviews({ firstPage, summary }: ReviewsProps) {
  const { chosen, reviews, next, loadState, load } = useLoadedReviews(firstPage)

  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6">
      <h2 id="reviews" className="text-xl sm:text-2xl">
        What customers say
      </h2>
      {summary.average === null ? (
        <EmptyState illustration="no-reviews" title="Nobody has written a review yet" heading="h3">
          Customers write them after signing in, under Add A Review.
        </EmptyState>
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <div className="flex flex-col gap-3 lg:sticky lg:top-6 lg:self-start">
            <Average {...summary} average={summary.average} />
            <RatingDistribution counts={summary.stars} chosenStars={chosen} onChoose={load} />
            <ChosenCount summary={summary} chosen={chosen} onShowAll={() => load(undefined)} />
          </div>
          <div className="flex flex-col items-start gap-6">
            <ul className="grid w-full grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {reviews.map((review) => (
                <li key={review._id}>
                  <ReviewCard review={review} />
                </li>
              ))}
            </ul>
            {loadState === 'failed' && (
              <p role="alert" className="font-medium text-bad">
                The reviews could not be fetched. Check your connection and try again.
              </p>
            )}
            {next && (
              <Button variant="quiet" busy={loadState === 'busy'} className="needs-script" onClick={() => load(chosen, next)}>
                Show more reviews
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

/** The reviews with the chosen stars, and what is loaded on demand. `load` without stars shows all. */
function useLoadedReviews(firstPage: ReviewPage) {
  const [loaded, setLoaded] = useState<{ of: ReviewPage; stars: number | undefined; shown: ReviewPage }>()
  const [loadState, setLoadState] = useState<'busy' | 'failed'>()
  const latestRequest = useRef(0)
  const { stars: chosen, shown } = loaded?.of === firstPage ? loaded : { stars: undefined, shown: firstPage }
  const { reviews, next } = shown

  /** Loads reviews. The loading code is imported on the first click. Of concurrent requests only the last one is used. */
  async function load(stars: number | undefined, cursor?: string) {
    const requestNumber = ++latestRequest.current
    setLoadState('busy')
    const shown =
      stars === undefined && !cursor
        ? firstPage
        : await import('./load-more-reviews.ts')
            .then((more) => more.loadMoreReviews(stars, cursor, cursor ? reviews : []))
            .catch(() => undefined)
    if (requestNumber !== latestRequest.current) return
    setLoadState(shown ? undefined : 'failed')
    if (shown) setLoaded({ of: firstPage, stars, shown })
  }

  return { chosen, reviews, next, loadState, load }
}

type ChosenCountProps = { summary: ReviewSummary; chosen: number | undefined; onShowAll: () => void }

function ChosenCount({ summary, chosen, onShowAll }: ChosenCountProps) {
  const found = chosen === undefined ? summary.count : (summary.stars[chosen - 1] ?? 0)
  return (
    <p role="status" className="px-2 text-sm text-soft">
      {chosen !== undefined && `${found} of ${summary.count} reviews, with ${formatStars(chosen)}. `}
      {chosen !== undefined && (
        <button type="button" onClick={onShowAll} className="min-h-6 font-medium text-leaf underline underline-offset-2">
          Show all
        </button>
      )}
    </p>
  )
}

function Average({ count, average, examples }: ReviewSummary & { average: number }) {
  return (
    <p className="px-2 text-soft">
      <span className="block text-4xl font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {maxRating}, from{' '}
      {count === 1 ? '1 review' : `${count} reviews`}
      {examples > 0 && `, ${examples === count ? 'all of them' : `${examples} of them`} examples`}
    </p>
  )
}
