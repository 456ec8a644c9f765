type RatingDistributionProps = {
  /** number of reviews with one star, two stars and so on */
  counts: number[]
  /** the selected filter */
  chosenStars: number | undefined
  onChoose: (stars: number | undefined) => void
}

export const formatStars = (stars: number): string => (stars === 1 ? '1 star' : `${stars} stars`)

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
            className="grid min-h-11 w-full grid-cols-[4rem_1fr_2rem] items-center gap-2 rounded px-2 text-left tabular-nums enabled:hover:bg-tint aria-pressed:bg-tint aria-pressed:font-semibold aria-pressed:text-ink pointer-fine:min-h-7"
          >
            <span>{formatStars(stars)}</span>
            <span aria-hidden="true" className="h-2 rounded bg-line">
              <span className="block h-2 rounded bg-leaf" style={{ width: `${(100 * count) / total}%` }} />
            </span>
            <span className="text-right">{count}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
