import { useEffect, useRef } from 'react'
import { storeTimeZone } from '#shared/time-zone.ts'
import { type OrderDateField, orderDateFields } from '#store/orders/admin-list-contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { MoneyAmount } from '#web/money.tsx'
import type { PaginatedList } from '#web/use-paginated-list.ts'

/** Whether the list is filtered by this day. */
export const isOrderDateField = (date: string): date is OrderDateField => orderDateFields.some((known) => known === date)

const dateLabels: Record<string, string> = { '': 'On any day', placed: 'Placed', paid: 'Paid', refunded: 'Refunded' }

const zoneId = 'days-time-zone'

/** Filters a list of orders by the days on which they were placed, paid or refunded. */
export function OrderDateFilter({ listing: { query, queryStringFor, updateQuery } }: { listing: PaginatedList }) {
  return (
    <details open={query.date !== '' || undefined}>
      <summary className="min-h-6 w-fit cursor-pointer font-medium">Orders of certain days</summary>
      <div className="mt-2 flex flex-wrap items-end gap-x-4 gap-y-3">
        <nav aria-label="Orders by what happened" className="flex flex-wrap gap-2">
          {Object.entries(dateLabels).map(([date, label]) => (
            <ButtonLink
              key={date}
              variant="quiet"
              dense
              to={{ search: queryStringFor({ date }) }}
              preventScrollReset
              prefetch="none"
              aria-current={query.date === date || undefined}
            >
              {label}
            </ButtonLink>
          ))}
        </nav>
        {isOrderDateField(query.date) && (
          <>
            <DateRangeFields query={query} updateQuery={updateQuery} />
            <p id={zoneId} className="-mt-2 basis-full text-sm text-soft">
              Days in time zone {storeTimeZone()}
            </p>
          </>
        )}
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
        label="From day"
        aria-describedby={zoneId}
        type="date"
        defaultValue={from}
        max={to}
        onChange={onChange}
        error={isReversedRange({ from, to }) ? 'The first day is after the last' : undefined}
      />
      <Field ref={last} label="To day" aria-describedby={zoneId} type="date" defaultValue={to} min={from} onChange={onChange} />
    </div>
  )
}

type OrdersSumProps = {
  /** the day that the list is filtered by, or '' */
  date: string
  sumCents: number
}

/** What a filtered list of orders comes to: what went back on the chosen days when filtered by refund date, otherwise what the orders cost. */
export const OrdersSum = ({ date, sumCents }: OrdersSumProps) => (
  <p>
    {date === 'refunded' ? 'Refunded on these days, together: ' : date === 'paid' ? 'Taken on these days, together: ' : 'Together: '}
    <MoneyAmount amountCents={sumCents} className="font-semibold" />
  </p>
)
