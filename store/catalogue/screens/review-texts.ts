import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { shopDay } from '#shared/shop-day.ts'
import type { ProductRatings, ProductReview } from '#store/catalogue/product-page-contract.ts'
import { maxRating } from '#store/constants.ts'

/** "12 reviews" */
export const formatReviewCount = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'review' : 'reviews'}`

/** "4.5 of 5, 12 reviews"; null where there are none */
export const formatRating = ({ average, count }: ProductRatings): string | null =>
  average === null ? null : `${average.toFixed(1)} of ${maxRating}, ${formatReviewCount(count)}`

export const productReviewsUrl = (productId: string, stars?: number): string =>
  `/products/${productId}/reviews${stars ? `?stars=${stars}` : ''}`

/** A review as a page shows it, with the day in the time zone of the shop. */
export type DisplayedProductReview = Omit<ProductReview, 'postedAt'> & { day: string }

export const displayedReview = ({ postedAt, ...review }: ProductReview): DisplayedProductReview => ({
  ...review,
  day: formatDay(shopDay(new Date(postedAt))),
})

const maxExcerptCharacters = 500

/** The beginning of a long text: a page that shows it thrice, as structured data, too, would grow by it. */
export const excerptOf = (text: string): string =>
  text.length > maxExcerptCharacters
    ? `${text
        .slice(0, maxExcerptCharacters)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}...`
    : text
