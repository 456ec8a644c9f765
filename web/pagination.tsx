import type { RefObject } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { ButtonLink } from './button.tsx'
import { pageSizes } from './list-query.ts'
import type { PaginatedList } from './use-paginated-list.ts'

type PaginationProps = {
  listing: PaginatedList
  /** the scroll container of the table: a page change scrolls to its start and focuses it */
  table: RefObject<HTMLDivElement | null>
}

/** Below a long table: links to the previous and next page, and the page size. */
export function Pagination({ listing, table }: PaginationProps) {
  const { page, pages, query, queryStringFor } = listing
  if (listing.total <= pageSizes[0]) return null

  function focusTable() {
    table.current?.scrollTo({ top: 0 })
    table.current?.scrollIntoView({ block: 'start' })
    table.current?.focus({ preventScroll: true })
  }
  const linkProps = {
    variant: 'quiet',
    dense: true,
    preventScrollReset: true,
    defaultShouldRevalidate: false,
    prefetch: 'none',
    onClick: focusTable,
  } as const

  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex flex-wrap items-center gap-3">
        {page > 1 && (
          <ButtonLink {...linkProps} rel="prev" to={{ search: queryStringFor({ page: page - 1 }) }}>
            Previous page
          </ButtonLink>
        )}
        <p>
          Page {formatNumber(page)} of {formatNumber(pages)}
        </p>
        {page < pages && (
          <ButtonLink {...linkProps} rel="next" to={{ search: queryStringFor({ page: page + 1 }) }}>
            Next page
          </ButtonLink>
        )}
      </div>
      <div className="flex items-center gap-3">
        {pageSizes.map((limit) => (
          <ButtonLink
            key={limit}
            {...linkProps}
            to={{ search: queryStringFor({ limit }) }}
            aria-current={query.limit === limit || undefined}
          >
            {limit} rows
          </ButtonLink>
        ))}
      </div>
    </nav>
  )
}
