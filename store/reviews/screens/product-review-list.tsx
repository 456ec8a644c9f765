import { data } from 'react-router'
import { ProductRatings } from '#store/catalogue/screens/product-ratings.tsx'
import { ProductReviewCard } from '#store/catalogue/screens/product-review-card.tsx'
import { formatStars } from '#store/catalogue/screens/rating-row.tsx'
import { displayedReview, formatReviewCount, productReviewsUrl } from '#store/catalogue/screens/review-texts.ts'
import { listProductReviews, type ProductReviewPage } from '#store/reviews/product-review-contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { rethrowAsNotFound } from '#web/call-api.ts'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/product-review-list'

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url)
  const [stars, cursor] = [searchParams.get('stars'), searchParams.get('cursor')]
  const { product, reviews, ...page } = await context
    .get(apiCallerContext)(listProductReviews, {
      params: { id: params.id },
      querystring: { ...(stars && { stars }), ...(cursor && { cursor }) },
    })
    .catch(rethrowAsNotFound)
  return data(
    {
      ...page,
      product,
      reviews: reviews.map(displayedReview),
      chosenStars: stars ? Number(stars) : undefined,
      isFirstPage: cursor === null,
      address: origin + productReviewsUrl(product._id),
    },
    { headers: cacheUntilChanged(`product:${product._id}`, `reviews:${product._id}`) },
  )
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export const meta: Route.MetaFunction = ({ loaderData, matches: [root] }) =>
  loaderData
    ? [
        ...pageMeta(
          `Reviews of ${loaderData.product.name} | Nucleus of PC`,
          `What customers who bought ${loaderData.product.name} say of it: ${formatReviewCount(loaderData.summary.count)}.`,
          root.loaderData?.origin,
        ),
        { tagName: 'link', rel: 'canonical', href: loaderData.address },
      ]
    : []

export default function ProductReviewList({ loaderData }: Route.ComponentProps) {
  const { product, summary } = loaderData
  const { average } = summary
  return (
    <Page
      title={`Reviews of ${product.name}`}
      breadcrumbs={
        <Breadcrumbs
          steps={[
            { label: 'All tools', to: '/allproducts' },
            { label: product.name, to: `/products/${product._id}` },
          ]}
        />
      }
      lead="By customers who have bought it here, newest first. Low ratings are shown as quickly as high ones."
      wide
    >
      {average === null ? (
        <p>Nobody who bought it here has reviewed it yet.</p>
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          <div className="lg:sticky lg:top-6 lg:self-start">
            <ProductRatings
              productId={product._id}
              ratings={{ ...summary, average }}
              {...(loaderData.chosenStars && { chosenStars: loaderData.chosenStars })}
            />
          </div>
          <ListedReviews {...loaderData} />
        </div>
      )}
      <ButtonLink to={`/dashboard/review/${product._id}`} variant="quiet" prefetch="none" className="self-start">
        Review this product
      </ButtonLink>
    </Page>
  )
}

type ListedReviewsProps = Pick<
  Route.ComponentProps['loaderData'],
  'product' | 'reviews' | 'next' | 'chosenStars' | 'isFirstPage' | 'summary'
>

function ListedReviews({ product, reviews, next, chosenStars, isFirstPage, summary }: ListedReviewsProps) {
  return (
    <section aria-label="Reviews" className="flex max-w-read min-w-0 flex-col gap-4">
      {chosenStars && (
        <p className="text-soft">
          {starsFound(summary, chosenStars)} <TextLink to={productReviewsUrl(product._id)}>Show all</TextLink>
        </p>
      )}
      {!isFirstPage && <TextLink to={productReviewsUrl(product._id, chosenStars)}>Newest reviews</TextLink>}
      {reviews.length === 0 && <p>There are no reviews here.</p>}
      <ul className="flex flex-col gap-4">
        {reviews.map((review) => (
          <li key={review._id}>
            <ProductReviewCard review={review} />
          </li>
        ))}
      </ul>
      {next && (
        <ButtonLink to={olderReviewsUrl(product._id, chosenStars, next)} variant="quiet" className="self-start">
          Older reviews
        </ButtonLink>
      )}
    </section>
  )
}

const starsFound = ({ count, stars }: ProductReviewPage['summary'], chosen: number): string =>
  `${stars[chosen - 1] ?? 0} of ${formatReviewCount(count)}, with ${formatStars(chosen)}.`

function olderReviewsUrl(productId: string, stars: number | undefined, cursor: number): string {
  const url = productReviewsUrl(productId, stars)
  return `${url}${stars ? '&' : '?'}cursor=${cursor}`
}
