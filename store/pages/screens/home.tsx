import { Suspense } from 'react'
import { data } from 'react-router'
import { listCategories, searchTools } from '#store/catalogue/contract.ts'
import { noticesOn } from '#store/catalogue/screens/data-notices.ts'
import { Notices } from '#store/catalogue/screens/notices.tsx'
import { onShelf } from '#store/catalogue/screens/on-shelf.ts'
import { firstTools, hotProducts } from '#store/constants.ts'
import { SignedOut } from '#store/identity/screens/signed-out.tsx'
import { listShownReviews, summarizeReviews } from '#store/reviews/contract.ts'
import { Reviews } from '#store/reviews/screens/reviews.tsx'
import { door } from '#web/door.ts'
import { pageMeta } from '#web/page-meta.ts'
import { send } from '#web/send.ts'
import type { Route } from './+types/home'
import { About } from './about.tsx'
import { Banner } from './banner.tsx'
import { Brands } from './brands.tsx'
import { brandNames, brandsCarried } from './brands-carried.ts'
import { HotProducts } from './hot-products.tsx'
import { KindsOfParts } from './kinds-of-parts.tsx'
import { slides } from './slides.ts'
import { Summary } from './summary.tsx'
import { ToolsAvailable } from './tools-available.tsx'

export async function loader({ context, request }: Route.LoaderArgs) {
  const ask = (querystring: Asked) => send(searchTools, { querystring }, context.get(door))
  const [shelf, inStock, smallest, carried, categories, reviews, summary] = await Promise.all([
    ask({ limit: `${hotProducts.to}`, facets: 'no' }),
    ask({ in_stock: 'yes', limit: '1', facets: 'no' }),
    ask({ sort: 'minimum', limit: '1', facets: 'no' }),
    ask({ brand: brandNames, limit: '1' }),
    send(listCategories, {}, context.get(door)),
    send(listShownReviews, { querystring: {} }, context.get(door)),
    send(summarizeReviews, {}, context.get(door)),
  ])
  const shown = shelf.tools.map(({ specs, ...tool }) => onShelf(tool))
  return data(
    {
      address: new URL('/', request.url).href,
      slides: slides({
        count: shelf.total,
        inStock: inStock.total,
        smallestOrder: smallest.tools[0]?.minimum_order_quantity ?? 1,
      }),
      categories: categories.slice(0, firstCategories),
      first: shown.slice(0, firstTools),
      // without their descriptions, which would make a third of the page
      hot: shown.slice(hotProducts.from).map(({ description, img, sku, brand, mpn, category, ...tool }) => tool),
      reviews: { first: reviews, summary },
      brands: brandsCarried(carried.facets),
      notices: noticesOn([...shelf.tools.slice(0, firstTools), ...shelf.tools.slice(hotProducts.from)]),
    },
    // Until the index of the search is built there are no facets: such a page is not kept.
    carried.facets.length > 0 ? { headers: { 'x-shows': [...shown.map(({ _id }) => `tool:${_id}`), 'shelves', 'reviews'].join(' ') } } : {},
  )
}

/** Two rows of a wide window. */
const firstCategories = 12

type Asked = Parameters<typeof send<typeof searchTools>>[1]['querystring']

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders

export const meta: Route.MetaFunction = ({ loaderData, matches: [root] }) => [
  ...pageMeta(
    'Nucleus of PC: computer parts and tools in quantities',
    'Computer parts and workshop tools in trade quantities. Price, stock and smallest order stand on every product.',
    root.loaderData?.origin,
  ),
  ...(loaderData ? [{ tagName: 'link', rel: 'canonical', href: loaderData.address }] : []), // it stands at /home, too
]

export default function Home({
  loaderData: { slides, categories, first, hot, reviews, brands, notices },
  matches: [root],
}: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <SignedOut />
      <Banner slides={slides} />
      <div className="mx-auto flex max-w-page flex-col gap-16 px-4 py-12 sm:px-6">
        {/* Nothing here is waited for: a boundary around each lets the browser take the long page over part by part. */}
        <Suspense>{categories.length > 0 && <KindsOfParts categories={categories} />}</Suspense>
        <Suspense>
          <ToolsAvailable tools={first} />
        </Suspense>
        <Suspense>{hot.length > 0 && <HotProducts tools={hot} />}</Suspense>
        <Suspense>
          <Reviews {...reviews} />
        </Suspense>
        <Summary />
        <Suspense>{brands.length > 0 && <Brands brands={brands} />}</Suspense>
        <About sinceYear={root.loaderData.sinceYear} />
        <Notices notices={notices} />
      </div>
    </main>
  )
}
