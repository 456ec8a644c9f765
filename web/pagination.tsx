import type { RefObject } from 'react'
import { useSearchParams } from 'react-router'
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

  const linkProps = {
    variant: 'quiet',
    dense: true,
    preventScrollReset: true,
    defaultShouldRevalidate: false,
    prefetch: 'none',
    onClick: () => focusStart(table.current),
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

type KeyPaginationProps = {
  /** accessible name, e.g. "Pages of prices" */
  label: string
  isFirstPage: boolean
  /** the parameters of the address that name a page; the first page has none */
  names: string[]
  /** their values for the next page, if there is one */
  next: Record<string, string> | undefined
  /** a page change scrolls to its start and focuses it */
  list: RefObject<HTMLElement | null>
}

/** Below one of several lists of a page, whose pages are named by the last row of the page before: links to the first and the next page. */
export function KeyPagination({ label, isFirstPage, names, next, list }: KeyPaginationProps) {
  const [search] = useSearchParams()
  if (isFirstPage && !next) return null
  const searchFor = (params: Record<string, string>) =>
    `?${new URLSearchParams([...[...search].filter(([name]) => !names.includes(name)), ...Object.entries(params)])}`
  const linkProps = {
    variant: 'quiet',
    dense: true,
    preventScrollReset: true,
    prefetch: 'none',
    onClick: () => focusStart(list.current),
  } as const
  return (
    <nav aria-label={label} className="flex flex-wrap gap-3">
      {!isFirstPage && (
        <ButtonLink {...linkProps} to={{ search: searchFor({}) }}>
          First page
        </ButtonLink>
      )}
      {next && (
        <ButtonLink {...linkProps} rel="next" to={{ search: searchFor(next) }}>
          Next page
        </ButtonLink>
      )}
    </nav>
  )
}

function focusStart(list: HTMLElement | null) {
  list?.scrollTo({ top: 0 })
  list?.scrollIntoView({ block: 'start' })
  list?.focus({ preventScroll: true })
}
