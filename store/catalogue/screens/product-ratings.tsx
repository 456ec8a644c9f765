import type { ProductRatings as Ratings } from '#store/catalogue/product-page-contract.ts'
import { maxRating } from '#store/constants.ts'
import { Link } from '#web/link.tsx'
import { RatingRow, ratingRowClasses } from './rating-row.tsx'
import { formatReviewCount, productReviewsUrl } from './review-texts.ts'

type ProductRatingsProps = {
  productId: string
  ratings: Ratings & { average: number }
  /** the selected filter */
  chosenStars?: number
}

/** The average of the reviews of a product, and a bar per number of stars, which leads to the reviews that have so many. */
export function ProductRatings({ productId, ratings: { count, average, stars: counts }, chosenStars }: ProductRatingsProps) {
  const rows = counts.map((count, index) => ({ stars: index + 1, count })).reverse()
  return (
    <div className="flex flex-col gap-3">
      <p className="px-2 text-soft">
        <span className="block text-4xl font-semibold tabular-nums text-ink">{average.toFixed(1)}</span> out of {maxRating}, from{' '}
        {formatReviewCount(count)}
      </p>
      <ul aria-label="Reviews by stars" className="grid w-full max-w-96 text-sm text-soft">
        {rows.map(({ stars, count: some }) => (
          <li key={stars}>
            {some > 0 ? (
              <Link
                to={productReviewsUrl(productId, stars)}
                aria-current={chosenStars === stars || undefined}
                className={`${ratingRowClasses} hover:bg-tint aria-[current]:bg-tint aria-[current]:font-semibold aria-[current]:text-ink`}
              >
                <RatingRow stars={stars} count={some} total={count} />
              </Link>
            ) : (
              <span className={ratingRowClasses}>
                <RatingRow stars={stars} count={some} total={count} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
