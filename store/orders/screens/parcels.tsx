import type { Order } from '#store/orders/order-contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { carrierText } from '#store/orders/shipments/carriers.ts'
import type { Shipment } from '#store/orders/shipments/contract.ts'
import { DateTime } from '#web/date-time.tsx'
import { GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'

type ParcelsProps = { order: Pick<Order, 'shipments' | 'lines'>; className?: string }

/** What was sent of an order, and how each parcel is followed at its carrier. Nothing as long as nothing was sent. */
export function Parcels({ order: { shipments, lines }, className = '' }: ParcelsProps) {
  if (shipments.length === 0) return null
  return (
    <Panel as="section" aria-labelledby="parcels" className={`flex flex-col gap-3 ${className}`}>
      <h2 id="parcels" className="text-xl">
        {shipments.length === 1 ? 'Your parcel' : 'Your parcels'}
      </h2>
      <ParcelList shipments={shipments} lines={lines} />
    </Panel>
  )
}

export function ParcelList({ shipments, lines }: ParcelsProps['order']) {
  return (
    <ul aria-label="Parcels" className="flex flex-col divide-y divide-line">
      {shipments.map((shipment) => (
        <li key={shipment._id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0 print:break-inside-avoid">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-semibold">
              Parcel {shipment.number}
              {shipment.returnNumber !== undefined && (
                <span className="font-normal text-soft"> for return {formatReturnNumber(shipment.returnNumber)}</span>
              )}
            </span>
            <span className="text-sm text-soft">
              Sent <DateTime at={shipment.sentAt} />
            </span>
          </p>
          <ul>
            {shipment.lines.map(({ _id, quantity }) => (
              <li key={_id} className="break-words">
                <GroupedDigits number={quantity} /> x {lines.find((line) => line._id === _id)?.productName}
              </li>
            ))}
          </ul>
          <TrackingLink shipment={shipment} />
        </li>
      ))}
    </ul>
  )
}

function TrackingLink({ shipment }: { shipment: Shipment }) {
  const carried = carrierText(shipment)
  if (!carried) return null
  return (
    <p className="break-words">
      {shipment.trackingUrl ? (
        <TextLink to={shipment.trackingUrl} target="_blank" rel="noreferrer">
          Follow it: {carried}
        </TextLink>
      ) : (
        carried
      )}
    </p>
  )
}
