import { type FormEvent, useState } from 'react'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { Order } from '#store/orders/order-contract.ts'
import { type Carrier, carriers, plainTrackingNumber, trackingNumberWarning } from '#store/orders/shipments/carriers.ts'
import type { Shipment } from '#store/orders/shipments/contract.ts'
import { correctShipment, takeBackHours, takeShipmentBack } from '#store/orders/shipments/correction-contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { carrierOptions } from './carrier-options.ts'

type CorrectionsProps = { order: Pick<Order, '_id' | 'number' | 'shipments'>; onChanged: () => Promise<void> }

/** For admins: corrects how a parcel is followed, and takes back one that was not sent. */
export function ParcelCorrections({ order, onChanged }: CorrectionsProps) {
  const [asked, setAsked] = useState<{ shipment: Shipment; isOpen: boolean }>()
  return (
    <>
      {order.shipments.map((shipment) => (
        <details key={shipment._id} className="border-t border-line pt-3">
          <summary className="min-h-6 cursor-pointer font-medium">Correct parcel {shipment.number}</summary>
          <CorrectionForm
            key={`${shipment.carrier} ${shipment.trackingNumber}`}
            orderId={order._id}
            shipment={shipment}
            onChanged={onChanged}
            onTakeBack={() => setAsked({ shipment, isOpen: true })}
          />
        </details>
      ))}
      {asked && (
        <ConfirmDialog
          open={asked.isOpen}
          title={`Take back parcel ${asked.shipment.number} of order ${order.number}?`}
          confirmLabel={`Take back parcel ${asked.shipment.number}`}
          cancelLabel="It was sent"
          busyLabel="Taking back"
          onConfirm={async () => {
            await callApi(takeShipmentBack, { params: { id: order._id, shipment: asked.shipment._id } })
            setAsked({ ...asked, isOpen: false })
            toast(`Parcel ${asked.shipment.number} is taken back`, { detail: 'Its pieces are to be sent again' })
            await onChanged()
          }}
          onCancel={() => setAsked({ ...asked, isOpen: false })}
          signedOutMessage={<SessionEndedNotice />}
          focusAfterClose={() => document.getElementById('sending') ?? document.querySelector<HTMLElement>('h1')}
        >
          <p>
            Only if it has not left the store: its pieces are to be sent again, and the buyer gets a mail that it is not on its way yet.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

type FormProps = { orderId: string; shipment: Shipment; onChanged: () => Promise<void>; onTakeBack: () => void }

function CorrectionForm({ orderId, shipment, onChanged, onTakeBack }: FormProps) {
  const [carrier, setCarrier] = useState<Carrier | null>(shipment.carrier)
  const [trackingNumber, setTrackingNumber] = useState(shipment.trackingNumber ?? '')
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(correctShipment, { params: { id: orderId, shipment: shipment._id }, body: { carrier, trackingNumber } }),
    async onDone() {
      toast(`Parcel ${shipment.number} is corrected`, { detail: 'The buyer gets a mail if something has changed' })
      await onChanged()
    },
  })
  const fieldError = refusal?.errors.trackingNumber ?? refusal?.errors.carrier
  return (
    <form
      noValidate
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <SelectField
        label="Carrier"
        options={carrierOptions('None')}
        value={carrier ?? ''}
        error={refusal?.errors.carrier}
        onChange={({ target }) => setCarrier(carriers.find((each) => each === target.value) ?? null)}
      />
      <Field
        label="Tracking number"
        optional
        autoComplete="off"
        spellCheck={false}
        className="figures"
        value={trackingNumber}
        error={refusal?.errors.trackingNumber}
        hint={trackingNumberWarning({ carrier, trackingNumber: plainTrackingNumber(trackingNumber) })}
        onChange={(event) => setTrackingNumber(event.target.value)}
      />
      {refusal && !fieldError && <RefusalNotice refusal={refusal}>The parcel is as it was.</RefusalNotice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="quiet" busy={busy} busyLabel="Saving">
          Save
        </Button>
        {isYoung(shipment) && (
          <Button variant="quiet" onClick={onTakeBack}>
            It was not sent
          </Button>
        )}
      </div>
    </form>
  )
}

const isYoung = ({ sentAt }: Shipment) => Date.now() - Date.parse(sentAt) < takeBackHours * 3_600_000
