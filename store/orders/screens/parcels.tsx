import type { ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { Order } from '#store/orders/order-contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { carrierText } from '#store/orders/shipments/carriers.ts'
import { recordDelivery, type Shipment } from '#store/orders/shipments/contract.ts'
import { Button } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { useOrderAccess } from './order-access.ts'

type ParcelListProps = Pick<Order, 'shipments' | 'lines'> & {
  /** what can be done with a parcel */
  action?: (shipment: Shipment) => ReactNode
}
type ParcelsProps = { order: Pick<Order, '_id' | 'shipments' | 'lines'>; className?: string }

/** What was sent of an order, and how each parcel is followed at its carrier. Nothing as long as nothing was sent. */
export function Parcels({ order: { _id, shipments, lines }, className = '' }: ParcelsProps) {
  if (shipments.length === 0) return null
  const action = (shipment: Shipment) => shipment.deliveredOn === null && <ArrivedButton orderId={_id} shipment={shipment} />
  return (
    <Panel as="section" aria-labelledby="parcels" className={`flex flex-col gap-3 ${className}`}>
      <h2 id="parcels" className="text-xl">
        {shipments.length === 1 ? 'Your parcel' : 'Your parcels'}
      </h2>
      <ParcelList shipments={shipments} lines={lines} action={action} />
    </Panel>
  )
}

export function ParcelList({ shipments, lines, action }: ParcelListProps) {
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
          {shipment.deliveredOn !== null && (
            <p className="text-sm">
              {shipment.deliveredSaidBy === 'assumed' ? 'Taken to be delivered on' : 'Delivered on'} {formatDay(shipment.deliveredOn)}
            </p>
          )}
          {action?.(shipment)}
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

/** By which the buyer says that a parcel is there. */
function ArrivedButton({ orderId: id, shipment }: { orderId: string; shipment: Shipment }) {
  const access = useOrderAccess()
  const { revalidate } = useRevalidator()
  const { submit, busy, refusal } = useSubmit({
    send: () => access.call(recordDelivery, { params: { id, shipment: shipment._id }, body: {} }),
    async onDone() {
      toast(`Parcel ${shipment.number} is there`)
      await revalidate()
    },
  })
  return (
    <>
      <Button
        dense
        variant="quiet"
        onClick={() => submit()}
        busy={busy}
        busyLabel="Writing it down"
        aria-label={`It is here, parcel ${shipment.number}`}
        className="mt-1 self-start print:hidden"
      >
        It is here
      </Button>
      {refusal && <RefusalNotice refusal={refusal} />}
    </>
  )
}
