import { formatNumber } from '#shared/format-number.ts'
import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { productsUrlWithParams, visiblePageNumbers } from './search-url.ts'

const linkClasses =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded border px-2 pointer-fine:min-h-9 pointer-fine:min-w-9'

/** Links to the pages of the results, each with its own URL. */
export function PageLinks({ search, page, pages }: { search: URLSearchParams; page: number; pages: number }) {
  if (pages < 2) return null
  const to = (number: number) => productsUrlWithParams(search, { page: `${number}` })
  return (
    <nav aria-label="Pages" className="mt-2 print:hidden">
      <ul className="figures flex flex-wrap items-center justify-center gap-1.5">
        {page > 1 && (
          <li>
            <Link
              to={to(page - 1)}
              rel="prev"
              prefetch="intent"
              preventScrollReset
              className={`${linkClasses} border-edge bg-panel font-sans hover:border-ink`}
            >
              <Icon name="previous" className="size-4" />
              Previous<span className="sr-only"> page</span>
            </Link>
          </li>
        )}
        {visiblePageNumbers(page, pages).map((number, place) =>
          number === 0 ? (
            // Its dots are content of the style: one such character in the HTML of a page doubles the memory that its text takes.
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap is its place
            <li key={`gap ${place}`} aria-hidden="true" className="px-1 text-soft before:content-['\2026'] max-sm:hidden" />
          ) : (
            <li key={number} className={number === page ? undefined : 'max-sm:hidden'}>
              <Link
                to={to(number)}
                prefetch="intent"
                preventScrollReset
                aria-current={number === page ? 'page' : undefined}
                className={`${linkClasses} ${number === page ? 'border-leaf bg-tint font-semibold text-leaf' : 'border-edge bg-panel hover:border-ink'}`}
              >
                <span className="sr-only">Page </span>
                {formatNumber(number)}
              </Link>
            </li>
          ),
        )}
        {page < pages && (
          <li>
            <Link
              to={to(page + 1)}
              rel="next"
              prefetch="intent"
              preventScrollReset
              className={`${linkClasses} border-edge bg-panel font-sans hover:border-ink`}
            >
              Next<span className="sr-only"> page</span>
              <Icon name="next" className="size-4" />
            </Link>
          </li>
        )}
      </ul>
    </nav>
  )
}
