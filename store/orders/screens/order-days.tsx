import { useEffect, useRef } from 'react'
import { type Booking, bookingTimes } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Amount } from '#web/money.tsx'
import type { Listing } from '#web/use-listing.ts'

const words: Record<string, string> = { '': 'On any day', placed: 'Placed', paid: 'Paid', refunded: 'Refunded' }

/** Narrows a list of orders to those that were placed, paid or refunded on certain days. */
export function OrderDays({ listing: { view, addressOf, look } }: { listing: Listing }) {
  return (
    <details open={view.time !== '' || undefined}>
      <summary className="min-h-6 w-fit cursor-pointer font-medium">Orders of certain days</summary>
      <div className="mt-2 flex flex-wrap items-end gap-x-4 gap-y-3">
        <nav aria-label="Orders by what happened" className="flex flex-wrap gap-2">
          {Object.entries(words).map(([time, said]) => (
            <ButtonLink
              key={time}
              look="quiet"
              dense
              to={{ search: addressOf({ time }) }}
              preventScrollReset
              defaultShouldRevalidate={false}
              prefetch="none"
              aria-current={view.time === time || undefined}
            >
              {said}
            </ButtonLink>
          ))}
        </nav>
        {Object.hasOwn(bookingTimes, view.time) && <Days view={view} look={look} />}
      </div>
    </details>
  )
}

/** The first and the last day. Both are read at each change: the address follows a moment later. */
function Days({ view: { from, to }, look }: Pick<Listing, 'view' | 'look'>) {
  const [first, last] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const onChange = () => look({ from: first.current?.value ?? '', to: last.current?.value ?? '' }, { replace: true })

  // Back may have changed them; whoever is typing in one knows better.
  useEffect(() => {
    for (const [{ current: input }, day] of [
      [first, from],
      [last, to],
    ] as const)
      if (input && input !== document.activeElement) input.value = day
  }, [from, to, first, last])

  return (
    <div className="flex flex-wrap gap-4">
      <Field ref={first} label="From day (UTC)" type="date" defaultValue={from} max={to} onChange={onChange} />
      <Field ref={last} label="To day (UTC)" type="date" defaultValue={to} min={from} onChange={onChange} />
    </div>
  )
}

/** What the orders of a narrowed list come to. */
export function Together({ listing: { view, found } }: { listing: Listing & { found: Booking[] } }) {
  if (found.length === 0 || (view.kind === '' && view.time === '')) return null
  const isWithin = (at: string) => (view.from === '' || at.slice(0, 10) >= view.from) && (view.to === '' || at.slice(0, 10) <= view.to)
  const refundedCents = found
    .flatMap(({ refunds }) => refunds.filter(({ at }) => isWithin(at)))
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const cost = found.reduce((sum, { productCost }) => sum + productCost, 0)
  return (
    <p>
      {view.time === 'refunded'
        ? 'Refunded on these days, together: '
        : view.time === 'paid'
          ? 'Taken on these days, together: '
          : 'Together: '}
      <Amount amountCents={view.time === 'refunded' ? refundedCents : cost * 100} className="font-semibold" />
    </p>
  )
}
