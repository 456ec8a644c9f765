export const formatStars = (stars: number): string => (stars === 1 ? '1 star' : `${stars} stars`)

/** The columns of a `RatingRow`, for the button or link that it fills. */
export const ratingRowClasses =
  'grid min-h-11 w-full grid-cols-[4rem_1fr_2rem] items-center gap-2 rounded px-2 text-left tabular-nums pointer-fine:min-h-7'

type RatingRowProps = { stars: number; count: number; total: number }

/** A number of stars, its share of all reviews as a bar, and how many they are. */
export const RatingRow = ({ stars, count, total }: RatingRowProps) => (
  <>
    <span>{formatStars(stars)}</span>
    <span aria-hidden="true" className="h-2 rounded bg-line">
      <span className="block h-2 rounded bg-leaf" style={{ width: `${(100 * count) / total}%` }} />
    </span>
    <span className="text-right">{count}</span>
  </>
)
