import { useState } from 'react'
import type { Review } from '#store/reviews/contract.ts'
import { Status } from '#web/status.tsx'
import { Distribution } from './distribution.tsx'

const outOf = 5

export function Reviews({ reviews }: { reviews: Review[] }) {
  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="reviews" className="text-xl sm:text-2xl">
          What customers say
        </h2>
        {reviews.length > 0 && <Average reviews={reviews} />}
      </div>
      {reviews.length > 0 && <Distribution reviews={reviews} outOf={outOf} />}
      {reviews.length === 0 && <p className="text-soft">Nobody has written a review yet.</p>}
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3">
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
      <span className="text-lg font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {outOf}, from{' '}
      {reviews.length === 1 ? '1 review' : `${reviews.length} reviews`}
      {examples > 0 && `, ${examples === reviews.length ? 'all of them' : `${examples} of them`} examples`}
    </p>
  )
}

function ReviewCard({ review }: { review: Review }) {
  return (
    <article className="flex h-full flex-col gap-3 rounded border border-line bg-panel p-4">
      <div className="flex items-start gap-3">
        <Portrait review={review} />
        <div className="min-w-0">
          <h3 className="text-base text-pretty">{review.name}</h3>
          <div className="flex flex-wrap items-center gap-x-3">
            <Stars rating={review.rating} />
            {review.example && <Status kind="neutral">Example</Status>}
          </div>
        </div>
      </div>
      <p>{review.about}</p>
    </article>
  )
}

function Portrait({ review }: { review: Review }) {
  const [broken, setBroken] = useState(false)
  return (
    <img
      src={broken || !review.img ? '/drawings/avatar.svg' : review.img}
      alt=""
      width="48"
      height="48"
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className="size-12 shrink-0 rounded-full bg-tint object-cover"
    />
  )
}

/** Gold with an ink outline, as gold alone does not stand out from paper; the figure says it in any case. */
function Stars({ rating }: { rating: number }) {
  const shown = Math.min(Math.max(rating, 0), outOf)
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <svg viewBox={`0 0 ${24 * outOf} 24`} className="h-4 text-ink" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
        {Array.from({ length: outOf }, (_, place) => {
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
        <span className="tabular-nums">{shown}</span> out of {outOf}
      </span>
    </p>
  )
}

const star = 'm12 3.2 2.7 5.6 6.1.8-4.5 4.3 1.1 6.1-5.4-3-5.4 3 1.1-6.1-4.5-4.3 6.1-.8z'
