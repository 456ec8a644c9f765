import { useEffect, useRef } from 'react'
import { dollarsToCents } from '#shared/money.ts'
import { type AdminPurchase, orderDateGetters } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { MoneyAmount } from '#web/money.tsx'
import type { PaginatedList } from '#web/use-paginated-list.ts'

const dateFieldLabels: Record<string, string> = { '': 'On any day', placed: 'Placed', paid: 'Paid', refunded: 'Refunded' }

/** Filters a list of orders by the days on which they were placed, paid or refunded. */
export function OrderDateFilter({ listing: { query, queryStringFor, updateQuery } }: { listing: PaginatedList }) {
  return (
    <details open={query.dateField !== '' || undefined}>
      <summary className="min-h-6 w-fit cursor-pointer font-medium">Orders of certain days</summary>
      <div className="mt-2 flex flex-wrap items-end gap-x-4 gap-y-3">
        <nav aria-label="Orders by what happened" className="flex flex-wrap gap-2">
          {Object.entries(dateFieldLabels).map(([time, label]) => (
            <ButtonLink
              key={time}
              variant="quiet"
              dense
              to={{ search: queryStringFor({ dateField: time }) }}
              preventScrollReset
              defaultShouldRevalidate={false}
              prefetch="none"
              aria-current={query.dateField === time || undefined}
            >
              {label}
            </ButtonLink>
          ))}
        </nav>
        {Object.hasOwn(orderDateGetters, query.dateField) && <DateRangeFields query={query} updateQuery={updateQuery} />}
      </div>
    </details>
  )
}

/** Whether no day can be in the range, as its first is after its last. */
export const isReversedRange = ({ from, to }: { from: string; to: string }): boolean => from !== '' && to !== '' && from > to

/** The first and the last day. Each change reads both from the inputs, since the URL is updated with a delay. */
function DateRangeFields({ query: { from, to }, updateQuery }: Pick<PaginatedList, 'query' | 'updateQuery'>) {
  const [first, last] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const onChange = () => updateQuery({ from: first.current?.value ?? '', to: last.current?.value ?? '' }, { replace: true })

  // Going back in the browser changes the query. A focused input is left alone, so that it does not change while the user types.
  useEffect(() => {
    for (const [{ current: input }, day] of [
      [first, from],
      [last, to],
    ] as const)
      if (input && input !== document.activeElement) input.value = day
  }, [from, to, first, last])

  return (
    <div className="flex flex-wrap items-start gap-4">
      <Field
        ref={first}
        label="From day (UTC)"
        type="date"
        defaultValue={from}
        max={to}
        onChange={onChange}
        error={isReversedRange({ from, to }) ? 'The first day is after the last' : undefined}
      />
      <Field ref={last} label="To day (UTC)" type="date" defaultValue={to} min={from} onChange={onChange} />
    </div>
  )
}

/** The total of a filtered list of orders: of its refunds on the chosen days when filtered by refund date, otherwise of its costs. */
export function OrderTotals({ listing: { query, matchingRows } }: { listing: PaginatedList & { matchingRows: AdminPurchase[] } }) {
  if (matchingRows.length === 0 || (query.kind === '' && query.dateField === '')) return null
  const isWithin = (at: string) => (query.from === '' || at.slice(0, 10) >= query.from) && (query.to === '' || at.slice(0, 10) <= query.to)
  const refundedCents = matchingRows
    .flatMap(({ refunds }) => refunds.filter(({ at }) => isWithin(at)))
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const costCents = matchingRows.reduce((sum, { productCost }) => sum + dollarsToCents(productCost), 0)
  return (
    <p>
      {query.dateField === 'refunded'
        ? 'Refunded on these days, together: '
        : query.dateField === 'paid'
          ? 'Taken on these days, together: '
          : 'Together: '}
      <MoneyAmount amountCents={query.dateField === 'refunded' ? refundedCents : costCents} className="font-semibold" />
    </p>
  )
}
