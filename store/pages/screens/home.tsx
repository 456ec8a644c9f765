import { lazy, Suspense } from 'react'
import { data, useSearchParams } from 'react-router'
import { findProductDataNotices } from '#store/catalogue/screens/data-notices.ts'
import { Notices } from '#store/catalogue/screens/notices.tsx'
import { withOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { homePageProductCount, hotProductsRange } from '#store/constants.ts'
import { listReviewPage, summarizeShopReviews } from '#store/reviews/contract.ts'
import { Reviews } from '#store/reviews/screens/reviews.tsx'
import { listCategories, searchProducts } from '#store/search/contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext, type EndpointInput } from '#web/api-caller.ts'
import { pageMeta } from '#web/page-meta.ts'
import type { Route } from './+types/home'
import { About } from './about.tsx'
import { AvailableProducts } from './available-products.tsx'
import { Brands } from './brands.tsx'
import { BusinessFigures } from './business-figures.tsx'
import { CategoryTiles } from './category-tiles.tsx'
import { HomeSectionTiles } from './home-section.tsx'
import { findHomeSections, findSampleQuestions } from './home-sections.ts'
import { HotProducts } from './hot-products.tsx'
import { Introduction } from './introduction.tsx'
import { brandNames, knownBrandsForSale } from './known-brands.ts'
import { slidesOf } from './slides.ts'

export async function loader({ context, request }: Route.LoaderArgs) {
  const callApi = context.get(apiCallerContext)
  const search = (querystring: EndpointInput<typeof searchProducts>['querystring']) => callApi(searchProducts, { querystring })
  const [productSearch, inStock, lowestMinimum, brandSearch, categories, reviews, summary] = await Promise.all([
    search({ limit: `${hotProductsRange.to}`, facets: 'no' }),
    search({ in_stock: 'yes', limit: '1', facets: 'no' }),
    search({ sort: 'minimum', limit: '1', facets: 'no' }),
    search({ brand: brandNames, limit: '1' }),
    callApi(listCategories, {}),
    callApi(listReviewPage, { querystring: {} }),
    callApi(summarizeShopReviews, {}),
  ])
  const [sections, sampleQuestions] = await Promise.all([
    findHomeSections(callApi, categories),
    categories.length > 0 ? findSampleQuestions(callApi) : [], // none are understood until the search index is built
  ])
  const displayed = productSearch.tools.map(({ specs, ...tool }) => withOrderFigures(tool))
  return data(
    {
      address: new URL('/', request.url).href,
      totals: {
        count: productSearch.total,
        inStock: inStock.total,
        smallestOrder: lowestMinimum.tools[0]?.minimum_order_quantity ?? 1,
      },
      slides: slidesOf(sections),
      sampleQuestions,
      sections,
      categories,
      first: displayed.slice(0, homePageProductCount),
      // without the descriptions, which would be a third of the page size
      hot: displayed.slice(hotProductsRange.from).map(({ description, img, sku, brand, mpn, category, ...tool }) => tool),
      reviews: { firstPage: reviews, summary },
      brands: knownBrandsForSale(brandSearch.facets),
      notices: findProductDataNotices([
        ...productSearch.tools.slice(0, homePageProductCount),
        ...productSearch.tools.slice(hotProductsRange.from),
        ...sections.flatMap(({ products }) => products),
      ]),
    },
    // Until the search index is built there are no facets: such a page is not cached.
    brandSearch.facets.length > 0
      ? {
          headers: cacheUntilChanged(
            ...(['listings', 'reviews'] as const),
            ...[...displayed, ...sections.flatMap(({ products }) => products)].map(({ _id }) => `product:${_id}` as const),
          ),
        }
      : {},
  )
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export const meta: Route.MetaFunction = ({ loaderData, matches: [root] }) => [
  ...pageMeta(
    'Nucleus of PC: computer parts and tools in quantities',
    'Computer parts and workshop tools in trade quantities. Price, stock and smallest order stand on every product.',
    root.loaderData?.origin,
  ),
  ...(loaderData ? [{ tagName: 'link', rel: 'canonical', href: loaderData.address }] : []), // also served at /home
]

/** Loaded lazily: few visitors see it. */
const SignedOutNotice = lazy(async () => ({
  default: (await import('#store/identity/screens/signed-out-notice.tsx')).SignedOutNotice,
}))

export default function Home({
  loaderData: { totals, slides, sampleQuestions, sections, categories, first, hot, reviews, brands, notices },
  matches: [root],
}: Route.ComponentProps) {
  const isSignedOut = useSearchParams()[0].get('signed-out') === 'orders'
  return (
    <main id="main" tabIndex={-1}>
      {isSignedOut && (
        <Suspense>
          <SignedOutNotice />
        </Suspense>
      )}
      <Introduction totals={totals} sampleQuestions={sampleQuestions} slides={slides} />
      <div className="mx-auto flex max-w-page flex-col gap-12 px-4 py-8 sm:px-6">
        {/* Nothing suspends here: the boundaries let React hydrate the long page section by section. */}
        <Suspense>{categories.length > 0 && <CategoryTiles categories={categories} />}</Suspense>
        {sections.length > 0 && (
          <div className="flex flex-col gap-8">
            {sections.map((section) => (
              <Suspense key={section.kind}>
                <HomeSectionTiles section={section} />
              </Suspense>
            ))}
          </div>
        )}
        <Suspense>
          <AvailableProducts products={first} />
        </Suspense>
        <Suspense>{hot.length > 0 && <HotProducts products={hot} />}</Suspense>
        <Suspense>
          <Reviews {...reviews} />
        </Suspense>
        <BusinessFigures />
        <Suspense>{brands.length > 0 && <Brands brands={brands} />}</Suspense>
        <About sinceYear={root.loaderData.sinceYear} />
        <Notices notices={notices} />
      </div>
    </main>
  )
}
