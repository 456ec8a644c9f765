import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigation, useNavigationType } from 'react-router'
import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { listQuestion } from '#store/list-question.ts'
import { ButtonLink } from '#web/button.tsx'
import { door } from '#web/door.ts'
import { Empty } from '#web/empty.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import { Trail } from '#web/trail.tsx'
import type { Route } from './+types/all-products'
import { AppliedFilters, withoutAll } from './applied-filters.tsx'
import {
  addressWith,
  asLabel,
  countInStock,
  filtersOf,
  isAttribute,
  isTable,
  knownText,
  pageOf,
  perPage,
  questionOf,
  withUnit,
} from './browsing.ts'
import { CompareBar } from './compare-bar.tsx'
import { CompareTick } from './compare-tick.tsx'
import { noticesOn } from './data-notices.ts'
import { Filters } from './filters.tsx'
import { type Browsed, findByAddress } from './found.ts'
import { Notices } from './notices.tsx'
import { NumberedPages } from './numbered-pages.tsx'
import type { PartOnShelf } from './on-shelf.ts'
import { ToolGrid } from './tool-grid.tsx'
import { WaysToLook } from './ways-to-look.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams, origin } = new URL(request.url)
  const found = await findByAddress(searchParams, context.get(door))
  return { ...found, notices: noticesOn(found.tools), origin }
}

/** Fetched by those to whom it is shown: most look at cards. */
const ToolTable = lazy(async () => ({ default: (await import('./tool-table.tsx')).ToolTable }))
const NothingFound = lazy(async () => ({ default: (await import('./nothing-found.tsx')).NothingFound }))

export const headers = () => ({ 'x-shows': 'tools found' })

export const meta: Route.MetaFunction = ({ loaderData, location }) => {
  const search = new URLSearchParams(location.search)
  const { title, total } = told(search, loaderData)
  const page = loaderData?.page ?? 1
  const asked = Object.keys(questionOf(search)).filter((name) => name !== 'category')
  const filtered = asked.length > 0 || isTable(search)
  const onlyWords = asked.every((name) => name === 'q') && !isTable(search) // its canonical address says enough
  const canonical = addressWith(new URLSearchParams(), {
    category: search.get('category') ?? undefined,
    page: filtered ? undefined : `${page}`,
  })
  return [
    ...pageMeta(
      `${title}: ${total}${page > 1 ? `, page ${page}` : ''} | Nucleus of PC`,
      `${title} in trade quantities: ${total}, each with its price, its stock and its smallest order. Compare them side by side.`,
      loaderData?.origin,
    ),
    { tagName: 'link', rel: 'canonical', href: `${loaderData?.origin ?? ''}${canonical}` },
    ...(filtered && !onlyWords ? [{ name: 'robots', content: 'noindex,follow' }] : []),
  ]
}

export default function AllProducts({ loaderData }: Route.ComponentProps) {
  const { total, tools, facets, page, pages, loosenings, refused, notices } = loaderData
  const { search: query } = useLocation()
  const search = useMemo(() => listQuestion(new URLSearchParams(query)), [query]) // as the server has it, which sees no other
  const asked = questionOf(search)
  const filters = filtersOf(search, facets)
  const { title, category, label } = told(search, loaderData)
  const busy = useNavigation().location?.pathname === '/allproducts'
  const results = useResultsInView(page)
  const table = useDeferredValue(isTable(search) && tools.length > 0) // the cards stay until the table's script has come
  // A press on a product renders this page once more, as "busy": what does not say so is kept, and the product is there sooner.
  const cards = useMemo(
    () => <ToolGrid tools={tools} heading="h2" factsOf={(tool) => factsOf(tool, facets)} below={(tool) => <CompareTick part={tool} />} />,
    [tools, facets],
  )

  if (total === 0 && Object.keys(asked).length === 0) return <NothingYet />
  return (
    <Page wide title={title} lead={category || asked.q || refused !== undefined ? undefined : <OnShelf total={total} facets={facets} />}>
      {(category || asked.q) && <Breadcrumb search={search} label={label} />}
      <div className="grid gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-7">
        <Filters search={search} facets={facets} set={filters.length} total={total} />
        <div ref={results} tabIndex={-1} className="flex min-w-0 scroll-mt-4 flex-col gap-4" aria-busy={busy || undefined}>
          {refused !== undefined && (
            <Notice
              kind="error"
              title="This address asks for something that cannot be searched"
              action={
                <ButtonLink look="quiet" to="/allproducts">
                  All tools
                </ButtonLink>
              }
            >
              {refused}
            </Notice>
          )}
          <WaysToLook search={search} facets={facets}>
            <p role="status">
              {total > 0 && (
                <>
                  <span className="figures">
                    {inFigures((page - 1) * perPage + 1)}-{inFigures((page - 1) * perPage + tools.length)}
                  </span>{' '}
                  of{' '}
                </>
              )}
              <strong className="figures">{inFigures(total)}</strong> {total === 1 ? 'product' : 'products'}
            </p>
          </WaysToLook>
          <AppliedFilters search={search} filters={filters} />
          {pageOf(search) > page && total > 0 && (
            <Notice kind="info">
              There is no page {inFigures(pageOf(search))}: this is the last, page {inFigures(page)}.
            </Notice>
          )}
          {total === 0 && refused === undefined && (
            <Suspense>
              <NothingFound search={search} loosenings={loosenings} clear={withoutAll(search, filters)} filtered={filters.length > 0} />
            </Suspense>
          )}
          <div id="products" tabIndex={-1} className={`scroll-mt-4 ${busy ? 'opacity-60 transition-opacity delay-200 duration-100' : ''}`}>
            {table ? (
              <Suspense>
                <ToolTable tools={tools} facets={facets} search={search} caption={title} />
              </Suspense>
            ) : (
              cards
            )}
          </div>
          <NumberedPages search={search} page={page} pages={pages} />
          <Notices notices={notices} />
          <CompareBar />
        </div>
      </div>
    </Page>
  )
}

/** What the list is called: by its words, its category, or both. */
function told(search: URLSearchParams, data: Browsed | undefined) {
  const { category: [category] = [], q: [q] = [] } = questionOf(search)
  const facet = data?.facets.find(({ key }) => key === 'category')
  const choice = facet?.kind === 'choice' ? facet.choices.find(({ value }) => value === category) : undefined
  const label = category ? (choice?.label ?? asLabel(category)) : 'All tools'
  const title = q ? `"${q}"${category ? ` in ${label}` : ''}` : label
  const total = data?.total ?? 0
  return { title, label, category, total: `${inFigures(total)} ${total === 1 ? 'product' : 'products'}` }
}

/** Links up: to the whole shelf, with the words kept, and to the category without them. */
function Breadcrumb({ search, label }: { search: URLSearchParams; label: string }) {
  const { category: [category] = [], q } = questionOf(search)
  const only = (change: Record<string, string[] | string>) => addressWith(new URLSearchParams(), change)
  return (
    <Trail
      className="-mt-4"
      steps={[
        { words: 'All tools', to: only(category && q ? { q } : {}) },
        ...(category ? [{ words: label, ...(q && { to: only({ category }) }) }] : []),
      ]}
    />
  )
}

function OnShelf({ total, facets }: { total: number; facets: Facet[] }) {
  const inStock = countInStock(facets)
  return (
    <>
      {inFigures(total)} products{inStock !== undefined && `, ${inFigures(inStock)} of them in stock`}
    </>
  )
}

/** The first attributes of the category, as a buyer would say them: "32 GB", "DDR5". What is not known is left out. */
function factsOf(tool: PartOnShelf, facets: Facet[]): string[] {
  const facts = facets.filter(isAttribute).flatMap((facet) => {
    const text = knownText(tool, facet)
    if (text === undefined || text === 'Yes' || text === 'No') return []
    if (facet.kind === 'number' && !facet.unit) return `${facet.label} ${text}`
    return withUnit(text, facet.kind === 'number' ? facet.unit : undefined)
  })
  return facts.filter((fact) => fact.length <= longestFact).slice(0, mostFacts)
}
const mostFacts = 3
const longestFact = 28

/** Another page begins at its first product, for the eye and for those who move by keyboard; Back stands where it stood. */
function useResultsInView(page: number) {
  const results = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  const way = useNavigationType()
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    if (way === 'POP' || !document.activeElement?.closest('[aria-label=Pages]')) return
    results.current?.scrollIntoView({ block: 'start' })
    results.current?.focus({ preventScroll: true })
  }, [page, way])
  return results
}

function NothingYet() {
  return (
    <Page wide title="All tools">
      <Empty
        scene="no-products"
        title="The shelves are empty"
        actions={
          <ButtonLink to="/" look="quiet">
            Home
          </ButtonLink>
        }
      >
        No product has been added yet. Come back soon.
      </Empty>
    </Page>
  )
}
