import { ratingOutOf } from '#store/constants.ts'
import type { Review } from '#store/reviews/contract.ts'

type DistributionProps = {
  reviews: Review[]
  /** of which only those are shown now */
  chosen: number | undefined
  onChoose: (stars: number | undefined) => void
}

/** The stars by which a review is counted: half a star more stays with the whole one. */
export const starsOf = ({ rating }: Pick<Review, 'rating'>): number => Math.min(Math.max(Math.floor(rating), 1), ratingOutOf)

/** A bar for each star with how many gave it, and a press shows those alone: a low rating is found as easily as a high one. */
export function Distribution({ reviews, chosen, onChoose }: DistributionProps) {
  const given = (stars: number) => reviews.filter((review) => starsOf(review) === stars).length
  return (
    <ul className="grid w-full max-w-96 text-sm text-soft">
      {Array.from({ length: ratingOutOf }, (_, place) => ratingOutOf - place).map((stars) => (
        <li key={stars}>
          <button
            type="button"
            aria-pressed={chosen === stars}
            disabled={given(stars) === 0}
            onClick={() => onChoose(chosen === stars ? undefined : stars)}
            className="grid min-h-11 w-full grid-cols-[4rem_1fr_2rem] items-center gap-2 rounded px-2 text-left tabular-nums enabled:hover:bg-tint aria-pressed:bg-tint aria-pressed:font-semibold aria-pressed:text-ink pointer-fine:min-h-7"
          >
            <span>{stars === 1 ? '1 star' : `${stars} stars`}</span>
            <span aria-hidden="true" className="h-2 rounded bg-line">
              <span className="block h-2 rounded bg-leaf" style={{ width: `${(100 * given(stars)) / reviews.length}%` }} />
            </span>
            <span className="text-right">{given(stars)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
