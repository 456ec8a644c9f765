import { maxRating } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'
import { roundRating } from '#store/reviews/round-rating.ts'
import { Avatar } from '#web/avatar.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'

/** A review as others see it: its picture is the one that `displayedPicture` leaves. */
export function ReviewCard({ review }: { review: Review }) {
  return (
    <Panel as="article" className="flex h-full flex-col gap-3">
      <div className="flex items-start gap-3">
        <Avatar src={review.img} size={48} />
        <div className="min-w-0">
          <h3 className="text-base text-pretty">{review.name}</h3>
          <div className="flex flex-wrap items-center gap-x-3">
            <Stars rating={review.rating} />
            {review.example && <StatusBadge kind="neutral">Example</StatusBadge>}
            {review.bought && <StatusBadge kind="good">Has bought here</StatusBadge>}
          </div>
        </div>
      </div>
      <p className="break-words whitespace-pre-line">{review.about}</p>
    </Panel>
  )
}

/** Gold stars with an ink outline, since gold has too little contrast on the background. The number carries the meaning. */
function Stars({ rating }: { rating: number }) {
  const displayed = roundRating(rating)
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <svg
        viewBox={`0 0 ${24 * maxRating} 24`}
        className="h-4 text-ink"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        {Array.from({ length: maxRating }, (_, place) => {
          const full = Math.min(Math.max(displayed - place, 0), 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: stars never change their order
            <g key={place} transform={`translate(${24 * place} 0)`}>
              {full > 0 && <path d={starPath} className="fill-gold" stroke="none" clipPath={`inset(0 ${100 - 100 * full}% 0 0)`} />}
              <path d={starPath} />
            </g>
          )
        })}
      </svg>
      <span>
        <span className="tabular-nums">{displayed}</span> out of {maxRating}
      </span>
    </p>
  )
}

const starPath = 'm12 3.2 2.7 5.6 6.1.8-4.5 4.3 1.1 6.1-5.4-3-5.4 3 1.1-6.1-4.5-4.3 6.1-.8z'
