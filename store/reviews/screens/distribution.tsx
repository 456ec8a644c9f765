import { ratingOutOf } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'

/** A bar for each star with how many gave it, so that a low rating is found as easily as a high one. Half a star more stays with the whole one. */
export function Distribution({ reviews }: { reviews: Review[] }) {
  const given = (stars: number) => reviews.filter(({ rating }) => Math.min(Math.max(Math.floor(rating), 1), ratingOutOf) === stars).length
  return (
    <ul className="grid w-full max-w-96 gap-1 text-sm text-soft">
      {Array.from({ length: ratingOutOf }, (_, place) => ratingOutOf - place).map((stars) => (
        <li key={stars} className="grid grid-cols-[4rem_1fr_3rem] items-center gap-2 tabular-nums">
          <span>{stars === 1 ? '1 star' : `${stars} stars`}</span>
          <span aria-hidden="true" className="h-2 rounded bg-line">
            <span className="block h-2 rounded bg-leaf" style={{ width: `${(100 * given(stars)) / reviews.length}%` }} />
          </span>
          <span>{given(stars)}</span>
        </li>
      ))}
    </ul>
  )
}
