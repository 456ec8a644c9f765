import { useEffect, useState } from 'react'
import { formatItems } from '#store/orders/order-contract.ts'
import { listOrderReturns, type Return } from '#store/orders/returns/contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { callApi } from '#web/call-api.ts'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { DisplayedOrder } from '../displayed-order.ts'
import { returnState } from './return-labels.ts'

/** For admins: the returns of an order, each with a link to what is to be done with it. */
export function ReturnsOfOrder({ order: { _id, shipments } }: { order: DisplayedOrder }) {
  const [found, setFound] = useState<Return[]>([])
  const parcels = shipments.length
  useEffect(() => {
    if (parcels === 0) return
    callApi(listOrderReturns, { params: { id: _id } }).then(
      ({ returns }) => setFound(returns),
      () => {}, // the page shows the order without them
    )
  }, [_id, parcels])
  if (found.length === 0) return null
  return (
    <Panel as="section" aria-labelledby="returns" className="flex max-w-read flex-col gap-3 print:hidden">
      <h2 id="returns" className="text-xl">
        Returns
      </h2>
      <ul className="flex flex-col gap-2">
        {found.map((asked) => (
          <li key={asked._id} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              <TextLink to={`/dashboard/returns?q=${formatReturnNumber(asked.number)}`}>Return {formatReturnNumber(asked.number)}</TextLink>{' '}
              {formatItems(asked.lines)}
            </span>
            <StatusBadge kind={returnState(asked).kind}>{returnState(asked).text}</StatusBadge>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
