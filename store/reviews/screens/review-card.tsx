import { ratingOutOf } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'
import { shownRating } from '#store/reviews/shown-rating.ts'
import { Panel } from '#web/panel.tsx'
import { Portrait } from '#web/portrait.tsx'
import { Status } from '#web/status.tsx'

export function ReviewCard({ review }: { review: Review }) {
  return (
    <Panel as="article" className="flex h-full flex-col gap-3">
      <div className="flex items-start gap-3">
        <Portrait src={review.img} size={48} />
        <div className="min-w-0">
          <h3 className="text-base text-pretty">{review.name}</h3>
          <div className="flex flex-wrap items-center gap-x-3">
            <Stars rating={review.rating} />
            {review.example && <Status kind="neutral">Example</Status>}
            {review.bought && <Status kind="good">Has bought here</Status>}
          </div>
        </div>
      </div>
      <p className="break-words whitespace-pre-line">{review.about}</p>
    </Panel>
  )
}

/** Gold with an ink outline, as gold alone does not stand out from paper; the figure says it in any case. */
function Stars({ rating }: { rating: number }) {
  const shown = shownRating(rating)
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <svg
        viewBox={`0 0 ${24 * ratingOutOf} 24`}
        className="h-4 text-ink"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        {Array.from({ length: ratingOutOf }, (_, place) => {
          const full = Math.min(Math.max(shown - place, 0), 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a star is its place
            <g key={place} transform={`translate(${24 * place} 0)`}>
              {full > 0 && <path d={star} className="fill-gold" stroke="none" clipPath={`inset(0 ${100 - 100 * full}% 0 0)`} />}
              <path d={star} />
            </g>
          )
        })}
      </svg>
      <span>
        <span className="tabular-nums">{shown}</span> out of {ratingOutOf}
      </span>
    </p>
  )
}

const star = 'm12 3.2 2.7 5.6 6.1.8-4.5 4.3 1.1 6.1-5.4-3-5.4 3 1.1-6.1-4.5-4.3 6.1-.8z'
