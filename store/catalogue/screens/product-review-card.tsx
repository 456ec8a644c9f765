import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import type { DisplayedProductReview } from './review-texts.ts'
import { Stars } from './stars.tsx'

/** A review of a product as others see it. */
export function ProductReviewCard({ review: { name, rating, bought, day, about } }: { review: DisplayedProductReview }) {
  return (
    <Panel as="article" className="flex h-full min-w-0 flex-col gap-2">
      <h3 dir="auto" className="text-base break-words text-pretty">
        {name}
      </h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        {bought && <StatusBadge kind="good">Has bought it here</StatusBadge>}
        <span className="text-sm text-soft">{day}</span>
      </div>
      <p dir="auto" className="break-words whitespace-pre-line">
        {about}
      </p>
    </Panel>
  )
}
