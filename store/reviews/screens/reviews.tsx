import { useRef, useState } from 'react'
import { ratingOutOf } from '#store/constants.ts'
import type { ReviewSummary, ShownReviews } from '#store/reviews/contract.ts'
import { Button } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Distribution, starsInWords } from './distribution.tsx'
import { ReviewCard } from './review-card.tsx'

/** What the page brought along, and counts of all that there are. Others are asked for when somebody wants them. */
type ReviewsProps = { first: ShownReviews; summary: ReviewSummary }

export function Reviews({ first, summary }: ReviewsProps) {
  const [asked, setAsked] = useState<{ of: ShownReviews; stars: number | undefined; shown: ShownReviews }>()
  const [asking, setAsking] = useState<'busy' | 'failed'>()
  const latest = useRef(0)
  const { stars: chosen, shown } = asked?.of === first ? asked : { stars: undefined, shown: first }
  const { reviews, next } = shown
  const found = chosen === undefined ? summary.count : (summary.stars[chosen - 1] ?? 0)

  /** Asks at a press, with what asks being fetched at the first one; of two presses the later counts. */
  async function look(stars: number | undefined, cursor?: string) {
    const nth = ++latest.current
    setAsking('busy')
    const shown =
      stars === undefined && !cursor
        ? first
        : await import('./more-reviews.ts').then((more) => more.askForReviews(stars, cursor, cursor ? reviews : [])).catch(() => undefined)
    if (nth !== latest.current) return
    setAsking(shown ? undefined : 'failed')
    if (shown) setAsked({ of: first, stars, shown })
  }

  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6">
      <h2 id="reviews" className="text-xl sm:text-2xl">
        What customers say
      </h2>
      {summary.average === null ? (
        <Empty scene="no-reviews" title="Nobody has written a review yet" heading="h3">
          Customers write them after signing in, under Add A Review.
        </Empty>
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <div className="flex flex-col gap-3 lg:sticky lg:top-6 lg:self-start">
            <Average {...summary} average={summary.average} />
            <Distribution given={summary.stars} chosen={chosen} onChoose={look} />
            <p role="status" className="px-2 text-sm text-soft">
              {chosen !== undefined && `${found} of ${summary.count} reviews, with ${starsInWords(chosen)}. `}
              {chosen !== undefined && (
                <button
                  type="button"
                  onClick={() => look(undefined)}
                  className="min-h-6 font-medium text-leaf underline underline-offset-2"
                >
                  Show all
                </button>
              )}
            </p>
          </div>
          <div className="flex flex-col items-start gap-6">
            <ul className="grid w-full grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {reviews.map((review) => (
                <li key={review._id} className="rests-44">
                  <ReviewCard review={review} />
                </li>
              ))}
            </ul>
            {asking === 'failed' && (
              <p role="alert" className="font-medium text-bad">
                The reviews could not be fetched. Check your connection and try again.
              </p>
            )}
            {next && (
              <Button look="quiet" busy={asking === 'busy'} className="needs-script" onClick={() => look(chosen, next)}>
                Show more reviews
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

function Average({ count, average, examples }: ReviewSummary & { average: number }) {
  return (
    <p className="px-2 text-soft">
      <span className="block text-4xl font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {ratingOutOf}, from{' '}
      {count === 1 ? '1 review' : `${count} reviews`}
      {examples > 0 && `, ${examples === count ? 'all of them' : `${examples} of them`} examples`}
    </p>
  )
}
