import { Link } from 'react-router'
import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { addressWith } from './browsing.ts'

const firstShown = 12

/** Where to begin, with the number of products behind each; none once a category is chosen. What was searched stays. */
export function CategoryLinks({ search, facets }: { search: URLSearchParams; facets: Facet[] }) {
  const facet = facets.find(({ key }) => key === 'category')
  if (search.get('category') || facet?.kind !== 'choice' || facet.choices.length === 0) return null
  const links = facet.choices.map(({ value, label, count }) => (
    <li key={value}>
      <Link
        to={addressWith(search, { category: value })}
        prefetch="intent"
        className="flex min-h-8 items-center justify-between gap-2 rounded px-1 hover:bg-tint hover:text-leaf"
      >
        <span className="underline decoration-edge underline-offset-2">{label}</span>
        <span className="figures text-soft">{inFigures(count)}</span>
      </Link>
    </li>
  ))
  return (
    <nav aria-label="Categories" className="mb-5">
      <h3 className="mb-1 font-semibold">Categories</h3>
      <ul className={columns}>{links.slice(0, firstShown)}</ul>
      {links.length > firstShown && (
        <details>
          <summary className="min-h-8 cursor-pointer py-1 font-medium text-leaf">{links.length - firstShown} more categories</summary>
          <ul className={columns}>{links.slice(firstShown)}</ul>
        </details>
      )}
    </nav>
  )
}

const columns = 'grid grid-cols-1 gap-x-4 sm:max-lg:grid-cols-2'
