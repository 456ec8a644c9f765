import { type FormEvent, useState } from 'react'
import { shopDay } from '#shared/shop-day.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { Order } from '#store/orders/order-contract.ts'
import { recordDelivery, type Shipment } from '#store/orders/shipments/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'

type DeliveredFormProps = { order: Pick<Order, '_id'>; shipment: Shipment; onChanged: () => Promise<void> }

/** For admins: on which day a parcel was delivered, also where the buyer or nobody has said another. */
export function DeliveredForm({ order, shipment, onChanged }: DeliveredFormProps) {
  const { number, deliveredOn } = shipment
  const [day, setDay] = useState(deliveredOn ?? shopDay(new Date()))
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(recordDelivery, { params: { id: order._id, shipment: shipment._id }, body: { deliveredOn: day } }),
    async onDone() {
      toast(`Parcel ${number} is delivered`)
      await onChanged()
    },
  })
  return (
    <details className="mt-1 print:hidden">
      <summary className="min-h-6 cursor-pointer font-medium">
        {deliveredOn === null ? `Parcel ${number} was delivered` : `Change the day of parcel ${number}`}
      </summary>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
        className="mt-2 flex max-w-xs flex-col gap-3"
      >
        <Field
          label={`Day on which parcel ${number} was delivered`}
          type="date"
          required
          hint="The time in which a consumer may withdraw from the contract begins with it"
          value={day}
          error={refusal?.errors.deliveredOn}
          onChange={(event) => setDay(event.target.value)}
        />
        {refusal && !refusal.errors.deliveredOn && <RefusalNotice refusal={refusal}>Nothing has changed.</RefusalNotice>}
        <Button type="submit" variant="quiet" busy={busy} busyLabel="Saving" className="self-start">
          Delivered
        </Button>
      </form>
    </details>
  )
}
