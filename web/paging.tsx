import type { RefObject } from 'react'
import { inFigures } from '#store/in-figures.ts'
import { ButtonLink } from './button.tsx'
import { rowsToChoose } from './listing.ts'
import type { Listing } from './use-listing.ts'

type PagingProps = {
  listing: Listing
  /** the box of the table: turning a page shows its beginning and goes on there */
  table: RefObject<HTMLDivElement | null>
}

/** Below a long table: to the pages before and after, and how many rows each has. */
export function Paging({ listing, table }: PagingProps) {
  const { page, pages, view, addressOf } = listing
  if (listing.total <= rowsToChoose[0]) return null

  function begin() {
    table.current?.scrollTo({ top: 0 })
    table.current?.scrollIntoView({ block: 'start' })
    table.current?.focus({ preventScroll: true })
  }
  const turn = {
    look: 'quiet',
    dense: true,
    preventScrollReset: true,
    defaultShouldRevalidate: false,
    prefetch: 'none',
    onClick: begin,
  } as const

  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex flex-wrap items-center gap-3">
        {page > 1 && (
          <ButtonLink {...turn} rel="prev" to={{ search: addressOf({ page: page - 1 }) }}>
            Previous page
          </ButtonLink>
        )}
        <p>
          Page {inFigures(page)} of {inFigures(pages)}
        </p>
        {page < pages && (
          <ButtonLink {...turn} rel="next" to={{ search: addressOf({ page: page + 1 }) }}>
            Next page
          </ButtonLink>
        )}
      </div>
      <div className="flex items-center gap-3">
        {rowsToChoose.map((rows) => (
          <ButtonLink key={rows} {...turn} to={{ search: addressOf({ rows }) }} aria-current={view.rows === rows || undefined}>
            {rows} rows
          </ButtonLink>
        ))}
      </div>
    </nav>
  )
}
