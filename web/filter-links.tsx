import { formatNumber } from '#shared/format-number.ts'
import { ButtonLink } from './button.tsx'
import type { PaginatedList } from './use-paginated-list.ts'

type FilterLinksProps = {
  listing: PaginatedList
  /** of the filter in the address */
  name: string
  /** accessible name of the filter, e.g. "Orders by payment status" */
  label: string
  /** each value with its row count; values without rows are omitted */
  choices: { value: string; label: string; count: number }[]
  /** row count without a filter; without it there is no "All" link */
  totalCount?: number
}

/** Filter links above a list: all rows, or those with one value. A link replaces the other filters of the list. */
export function FilterLinks({ listing: { query, queryStringFor }, name, label, choices, totalCount }: FilterLinksProps) {
  const isCurrent = (value: string) => (value === '' ? Object.keys(query.filters).length === 0 : query.filters[name] === value)
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {[...(totalCount === undefined ? [] : [{ value: '', label: 'All', count: totalCount }]), ...choices]
        .filter(({ value, count }) => count > 0 || value === '' || isCurrent(value))
        .map(({ value, label, count }) => (
          <ButtonLink
            key={value}
            variant="quiet"
            dense
            to={{ search: queryStringFor({ filters: value ? { [name]: value } : {} }) }}
            preventScrollReset
            defaultShouldRevalidate={false}
            prefetch="none"
            aria-current={isCurrent(value) || undefined}
          >
            {label} <span className="figures font-normal">{formatNumber(count)}</span>
          </ButtonLink>
        ))}
    </nav>
  )
}
