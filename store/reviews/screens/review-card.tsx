import { Stars } from '#store/catalogue/screens/stars.tsx'
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
            <Stars rating={roundRating(review.rating)} />
            {review.example && <StatusBadge kind="neutral">Example</StatusBadge>}
            {review.bought && <StatusBadge kind="good">Has bought here</StatusBadge>}
          </div>
        </div>
      </div>
      <p className="break-words whitespace-pre-line">{review.about}</p>
    </Panel>
  )
}
