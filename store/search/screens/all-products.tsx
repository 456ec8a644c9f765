import {
  type ComponentProps,
  Fragment,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigation, useNavigationType } from 'react-router'
import { canonicalProductListQuery } from '#shared/canonical-product-list-query.ts'
import { formatNumber } from '#shared/format-number.ts'
import { CompareCheckbox } from '#store/catalogue/screens/compare-checkbox.tsx'
import { useComparedProducts } from '#store/catalogue/screens/compared-products.ts'
import { findProductDataNotices } from '#store/catalogue/screens/data-notices.ts'
import { Notices } from '#store/catalogue/screens/notices.tsx'
import { PriceNote, PrintedSource, printedDay } from '#store/catalogue/screens/price-note.tsx'
import { ProductGrid } from '#store/catalogue/screens/product-grid.tsx'
import { maxComparedProducts } from '#store/constants.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import type { Route } from './+types/all-products'
import { amountErrors } from './amount-errors.ts'
import { labelFromKey } from './facet-options.ts'
import { Filters } from './filters.tsx'
import { OtherVersions } from './other-versions.tsx'
import { PageLinks } from './page-links.tsx'
import { type ProductListPageData, searchByUrl } from './search-by-url.ts'
import { chosenLook, type ListLook, productsUrlWithParams, readPageNumber, readSearchParams } from './search-url.ts'
import { ShownCount, StockSummary } from './shown-count.tsx'
import { ViewOptions } from './view-options.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams, origin } = new URL(request.url)
  const found = await searchByUrl(searchParams, context.get(apiCallerContext))
  return {
    ...found,
    ...nameListing(searchParams, found),
    errors: amountErrors(searchParams),
    day: printedDay(),
    notices: findProductDataNotices(found.products),
    origin,
  }
}

/** Loaded lazily: lists of all kinds are cards. */
const ProductTable = lazy(async () => ({ default: (await import('./product-table.tsx')).ProductTable }))
const CompareBar = lazy(async () => ({ default: (await import('#store/catalogue/screens/compare-bar.tsx')).CompareBar }))
const EmptyCatalogue = lazy(async () => ({ default: (await import('./empty-catalogue.tsx')).EmptyCatalogue }))
const AppliedFilters = lazy(async () => ({ default: (await import('./applied-filters.tsx')).AppliedFilters }))
const NothingFound = lazy(async () => ({ default: (await import('./nothing-found.tsx')).NothingFound }))

export const headers = () => cacheUntilChanged('products', 'search-results')

export const meta: Route.MetaFunction = ({ loaderData, location }) => {
  const search = new URLSearchParams(location.search)
  const { title = 'All tools', total = 0 } = loaderData ?? {}
  const products = `${formatNumber(total)} ${total === 1 ? 'product' : 'products'}`
  const page = loaderData?.page ?? 1
  const filterParams = Object.keys(readSearchParams(search)).filter((name) => name !== 'category')
  const filtered = filterParams.length > 0 || chosenLook(search) !== undefined
  const hasOnlySearchText = filterParams.every((name) => name === 'q') && !chosenLook(search) // no `noindex`: the canonical URL suffices
  const canonical = productsUrlWithParams(new URLSearchParams(), {
    category: search.get('category') ?? undefined,
    page: filtered ? undefined : `${page}`,
  })
  return [
    ...pageMeta(
      `${title}: ${products}${page > 1 ? `, page ${page}` : ''} | Nucleus of PC`,
      `${title} in trade quantities: ${products}, each with its price, its stock and its smallest order. Compare them side by side.`,
      loaderData?.origin,
    ),
    { tagName: 'link', rel: 'canonical', href: `${loaderData?.origin ?? ''}${canonical}` },
    ...(filtered && !hasOnlySearchText ? [{ name: 'robots', content: 'noindex,follow' }] : []),
  ]
}

const allProductsLink = (
  <ButtonLink variant="quiet" to="/allproducts">
    All tools
  </ButtonLink>
)

export default function AllProducts({ loaderData }: Route.ComponentProps) {
  const { title, label, total, facets, look, page, pages, relaxations, filters, asked, understood, questionNotes, errorMessage, notices } =
    loaderData
  const { typed, search } = useAskedSearch(asked)
  const params = readSearchParams(typed)
  const isOfAll = !params.category && !params.q
  const lead = !isOfAll || errorMessage !== undefined ? undefined : <StockSummary total={total} facets={facets} />

  if (total === 0 && Object.keys(params).length === 0)
    return (
      <Suspense>
        <EmptyCatalogue />
      </Suspense>
    )

  return (
    <Page wide title={title} lead={lead}>
      {!isOfAll && <ListingBreadcrumbs search={typed} label={label} />}
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-7">
        <Filters search={search} facets={facets} appliedCount={countFilters(filters)} total={total} errors={loaderData.errors} />
        <Results page={page}>
          {errorMessage !== undefined && (
            <Notice kind="error" title="This cannot be searched for" action={allProductsLink}>
              {errorMessage}
            </Notice>
          )}
          <ViewOptions typed={typed} search={search} sorts={loaderData.sorts} look={look}>
            <ShownCount {...loaderData} />
          </ViewOptions>
          {(filters.length > 0 || questionNotes) && (
            <Suspense>
              <AppliedFilters {...{ search, filters, understood, typed, questionNotes }} />
            </Suspense>
          )}
          {readPageNumber(search) > page && total > 0 && (
            <Notice kind="info">
              There is no page {formatNumber(readPageNumber(search))}: this is the last, page {formatNumber(page)}.
            </Notice>
          )}
          {total === 0 && errorMessage === undefined && (
            <Suspense>
              <NothingFound search={search} relaxations={relaxations} filters={filters} q={params.q?.[0]} />
            </Suspense>
          )}
          <div id="products" tabIndex={-1} className={`scroll-mt-4 ${dimmedWhileListComes}`}>
            {total > 0 && <PrintedSource day={loaderData.day} />}
            {total > 0 && <PriceNote of="Prices" className="mb-3 text-sm text-soft" />}
            <CardsOrTable {...loaderData} search={typed} sort={search.get('sort') ?? ''} caption={title} />
          </div>
          <PageLinks search={typed} page={page} pages={pages} />
          <Notices notices={notices} />
          <Compared />
        </Results>
      </div>
    </Page>
  )
}

const dimmedWhileListComes =
  'group-aria-busy/results:opacity-60 group-aria-busy/results:transition-opacity group-aria-busy/results:delay-200 group-aria-busy/results:duration-100'

/** Follows the navigation by itself: a press on a product renders nothing of the page anew. */
function Results({ page, children }: { page: number; children: ReactNode }) {
  const isListComing = useNavigation().location?.pathname === '/allproducts'
  const results = useResultsInView(page)
  return (
    <div
      ref={results}
      tabIndex={-1}
      className="group/results flex min-w-0 scroll-mt-4 flex-col gap-4"
      aria-busy={isListComing || undefined}
    >
      {children}
    </div>
  )
}

/** The bar is loaded with the first part that is ticked; the words for screen readers stand in the page before, or they would not be heard. */
function Compared() {
  const { length } = useComparedProducts()
  return (
    <>
      <p role="status" className="sr-only">
        {length > 0 && `${length} of ${maxComparedProducts} parts to compare`}
      </p>
      {length > 0 && (
        <Suspense>
          <CompareBar />
        </Suspense>
      )}
    </>
  )
}

/** Several values of one filter, or both ends of its range, are one. */
const countFilters = (filters: { name: string }[]): number =>
  new Set(filters.map(({ name }) => name.replace(/\.(?:min|max|not|unknown|stated)$/, ''))).size

/** The query as it was typed, and with what was understood of its question as filters, so that every link on the page carries them. */
function useAskedSearch(asked: string | undefined): { typed: URLSearchParams; search: URLSearchParams } {
  const { search: query } = useLocation()
  return useMemo(() => {
    const typed = canonicalProductListQuery(new URLSearchParams(query)) // same parameters as on the server
    return { typed, search: asked === undefined ? typed : new URLSearchParams(asked) }
  }, [query, asked])
}

type CardsOrTableProps = ComponentProps<typeof ProductTable> & { look: ListLook }

const CardsOrTable = memo(function CardsOrTable({ look, products, columns, search, sort, caption }: CardsOrTableProps) {
  const table = useDeferredValue(look === 'table' && products.length > 0) // keeps the cards until the table script is loaded
  // Where the browser rendered it, the page before stays until the table script is loaded; hydration of the rest does not wait for it.
  const isServerRendered = !useHydrated()
  const [Boundary] = useState(() => (isServerRendered ? Suspense : Fragment))
  // The same element once hydrated: an update before the table script has come would hide the rows that the server has rendered.
  const rows = useMemo(
    () => (
      <Boundary>
        <ProductTable {...{ products, columns, search, sort, caption }} />
      </Boundary>
    ),
    [Boundary, products, columns, search, sort, caption],
  )
  if (table) return rows
  return (
    <ProductGrid
      products={products}
      heading="h2"
      getKeyFacts={({ facts }) => facts}
      renderBelow={(product) => (
        <>
          <OtherVersions product={product} />
          <CompareCheckbox product={product} />
        </>
      )}
    />
  )
})

/** Title of the listing, of its search text, its category, or both, and the label of the category. */
function nameListing(search: URLSearchParams, { facets }: ProductListPageData): { title: string; label: string } {
  const { category: [category] = [], q: [q] = [] } = readSearchParams(search)
  const facet = facets.find(({ key }) => key === 'category')
  const choice = facet?.kind === 'choice' ? facet.choices.find(({ value }) => value === category) : undefined
  const label = category ? (choice?.label ?? labelFromKey(category)) : 'All tools'
  return { title: q ? `"${q}"${category ? ` in ${label}` : ''}` : label, label }
}

/** Breadcrumbs: to all products, keeping the search text, and to the category without it. */
function ListingBreadcrumbs({ search, label }: { search: URLSearchParams; label: string }) {
  const { category: [category] = [], q } = readSearchParams(search)
  const listingUrl = (change: Record<string, string[] | string>) => productsUrlWithParams(new URLSearchParams(), change)
  return (
    <Breadcrumbs
      className="-mt-4"
      steps={[
        { label: 'All tools', to: listingUrl(category && q ? { q } : {}) },
        ...(category ? [{ label, ...(q && { to: listingUrl({ category }) }) }] : []),
      ]}
    />
  )
}

/** After a page link, scrolls to the results and focuses them. Back restores the scroll position instead. */
function useResultsInView(page: number) {
  const results = useRef<HTMLDivElement>(null)
  const shownPage = useRef(page)
  const navigationType = useNavigationType()
  useEffect(() => {
    if (shownPage.current === page) return
    shownPage.current = page
    if (navigationType === 'POP' || !document.activeElement?.closest('[aria-label=Pages]')) return
    results.current?.scrollIntoView({ block: 'start' })
    results.current?.focus({ preventScroll: true })
  }, [page, navigationType])
  return results
}
