import { RatingRow, ratingRowClasses } from '#store/catalogue/screens/rating-row.tsx'

type RatingDistributionProps = {
  /** number of reviews with one star, two stars and so on */
  counts: number[]
  /** the selected filter */
  chosenStars: number | undefined
  onChoose: (stars: number | undefined) => void
}

/** A bar per number of stars with its count. Clicking a bar filters the reviews, so that low ratings are as easy to find as high ones. */
export function RatingDistribution({ counts, chosenStars, onChoose }: RatingDistributionProps) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const rows = counts.map((count, index) => ({ stars: index + 1, count })).reverse()
  return (
    <ul className="grid w-full max-w-96 text-sm text-soft">
      {rows.map(({ stars, count }) => (
        <li key={stars}>
          <button
            type="button"
            aria-pressed={chosenStars === stars}
            disabled={count === 0}
            onClick={() => onChoose(chosenStars === stars ? undefined : stars)}
            className={`${ratingRowClasses} enabled:hover:bg-tint aria-pressed:bg-tint aria-pressed:font-semibold aria-pressed:text-ink`}
          >
            <RatingRow stars={stars} count={count} total={total} />
          </button>
        </li>
      ))}
    </ul>
  )
}
