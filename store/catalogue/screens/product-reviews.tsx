import type { ProductRatings as Ratings } from '#store/catalogue/product-page-contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { TextLink } from '#web/text-link.tsx'
import { ProductRatings } from './product-ratings.tsx'
import { ProductReviewCard } from './product-review-card.tsx'
import { type DisplayedProductReview, formatReviewCount, productReviewsUrl } from './review-texts.ts'

export type ProductReviewsProps = { productId: string; reviews: Ratings & { newest: DisplayedProductReview[] } }

/** What customers say of a product: average, distribution and the newest reviews. */
export function ProductReviews({ productId, reviews: { average, newest, ...ratings } }: ProductReviewsProps) {
  return (
    <section aria-labelledby={reviewsSectionId} className="flex min-w-0 flex-col gap-4 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={reviewsSectionId} className="text-xl">
          Reviews
        </h2>
        <ButtonLink to={`/dashboard/review/${productId}`} variant="quiet" prefetch="none">
          Review this product
        </ButtonLink>
      </div>
      {average === null ? (
        <p className="text-soft">Nobody who bought it here has reviewed it yet.</p>
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <ProductRatings productId={productId} ratings={{ ...ratings, average }} />
          <div className="flex min-w-0 flex-col items-start gap-4">
            <ul aria-label="The newest reviews" className="grid w-full grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
              {newest.map((review) => (
                <li key={review._id} className="min-w-0">
                  <ProductReviewCard review={review} />
                </li>
              ))}
            </ul>
            <TextLink to={productReviewsUrl(productId)}>
              {ratings.count === 1 ? 'The review by itself' : `All ${formatReviewCount(ratings.count)}`}
            </TextLink>
          </div>
        </div>
      )}
    </section>
  )
}

/** Of the heading, to which the line below the title of the page leads. */
const reviewsSectionId = 'customer-reviews'
