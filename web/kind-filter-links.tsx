import { formatNumber } from '#shared/format-number.ts'
import { ButtonLink } from './button.tsx'
import type { PaginatedList } from './use-paginated-list.ts'

type KindFilterProps = {
  listing: PaginatedList
  /** accessible name of the filter, e.g. "Orders by payment status" */
  label: string
  /** each kind with its row count; kinds without rows are omitted */
  kinds: { kind: string; count: number }[]
  /** row count of all kinds; without it there is no "All" link */
  totalCount?: number
}

/** Filter links above a list: all rows, or the rows of one kind. A row may have several kinds. */
export function KindFilterLinks({ listing: { query, queryStringFor }, label, kinds, totalCount }: KindFilterProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {[...(totalCount === undefined ? [] : [{ kind: '', count: totalCount }]), ...kinds]
        .filter(({ kind, count }) => count > 0 || kind === '' || kind === query.kind)
        .map(({ kind, count }) => (
          <ButtonLink
            key={kind}
            variant="quiet"
            dense
            to={{ search: queryStringFor({ kind }) }}
            preventScrollReset
            defaultShouldRevalidate={false}
            prefetch="none"
            aria-current={query.kind === kind || undefined}
          >
            {kind || 'All'} <span className="figures font-normal">{formatNumber(count)}</span>
          </ButtonLink>
        ))}
    </nav>
  )
}
