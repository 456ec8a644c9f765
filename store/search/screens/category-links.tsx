import { formatNumber } from '#shared/format-number.ts'
import { Link } from '#web/link.tsx'
import type { PageFacet } from './page-facets.ts'
import { productsUrlWithParams } from './search-url.ts'

const initiallyShown = 12

/** Links to the categories with their product counts; none once a category is chosen. The search text is kept. */
export function CategoryLinks({ search, facets }: { search: URLSearchParams; facets: PageFacet[] }) {
  const facet = facets.find(({ key }) => key === 'category')
  if (search.get('category') || facet?.kind !== 'choice' || facet.choices.length === 0) return null
  const links = facet.choices.map(({ value, label, count }) => (
    <li key={value}>
      <Link
        to={productsUrlWithParams(search, { category: value })}
        prefetch="intent"
        className="flex min-h-8 items-center justify-between gap-2 rounded px-1 hover:bg-tint hover:text-leaf"
      >
        <span className="underline decoration-edge underline-offset-2">{label}</span>
        <span className="figures text-soft">{formatNumber(count)}</span>
      </Link>
    </li>
  ))
  return (
    <nav aria-label="Categories" className="mb-5">
      <h3 className="mb-1 font-semibold">Categories</h3>
      <ul className={gridClasses}>{links.slice(0, initiallyShown)}</ul>
      {links.length > initiallyShown && (
        <details>
          <summary className="min-h-8 cursor-pointer py-1 font-medium text-leaf">{links.length - initiallyShown} more categories</summary>
          <ul className={gridClasses}>{links.slice(initiallyShown)}</ul>
        </details>
      )}
    </nav>
  )
}

const gridClasses = 'grid grid-cols-1 gap-x-4 sm:max-lg:grid-cols-2'
