import { type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { Order } from '#store/orders/order-contract.ts'
import { holdOrderBack, releaseOrder } from '#store/orders/shipments/contract.ts'
import { listOrdersToSend, type OrderToSend } from '#store/orders/shipments/to-send-contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { DeliveredForm } from './delivered-form.tsx'
import { ParcelCorrections } from './parcel-corrections.tsx'
import { ParcelList } from './parcels.tsx'
import { paperUrl } from './print-buttons.tsx'
import { blockLabels, blockTexts } from './sending-block-label.ts'

/** What is left to send of an order; undefined where nothing is. */
export const loadOrderToSend = async ({ _id }: Pick<Order, '_id'>): Promise<OrderToSend | undefined> =>
  (await callApi(listOrdersToSend, { querystring: { order: [_id] } })).orders[0]

type SendingSectionProps = { order: Order; toSend: OrderToSend | undefined; onChanged: () => Promise<void> }

/** For admins: what of the order was sent, what is left, and whether it is held back. */
export function SendingSection({ order, toSend, onChanged }: SendingSectionProps) {
  if (!toSend && order.shipments.length === 0) return null
  return (
    <Panel as="section" aria-labelledby="sending" className="flex max-w-read flex-col gap-4 print:hidden">
      <h2 id="sending" tabIndex={-1} className="text-xl">
        Sending
      </h2>
      {order.shipments.length > 0 && (
        <>
          <ParcelList {...order} action={(shipment) => <DeliveredForm order={order} shipment={shipment} onChanged={onChanged} />} />
          <p className="flex flex-wrap gap-x-4">
            {order.shipments.map(({ number }) => (
              <TextLink key={number} to={paperUrl('packing-slips', [order._id], { parcel: `${number}` })}>
                Packing slip of parcel {number}
              </TextLink>
            ))}
          </p>
          <ParcelCorrections order={order} onChanged={onChanged} />
        </>
      )}
      {toSend && <LeftToSend toSend={toSend} onChanged={onChanged} />}
    </Panel>
  )
}

function LeftToSend({ toSend, onChanged }: { toSend: OrderToSend; onChanged: () => Promise<void> }) {
  const { _id, block, heldBackReason } = toSend
  const pieces = toSend.lines.reduce((sum, line) => sum + line.toSend, 0)
  return (
    <>
      {block && (
        <Notice kind="warning" title={`${blockLabels[block]}${heldBackReason ? `: ${heldBackReason}` : ''}`}>
          {blockTexts[block]}
        </Notice>
      )}
      {!block && (
        <ButtonLink to={`/dashboard/send/${_id}`} className="self-start">
          {pieces === 1 ? 'Send 1 piece' : `Send ${formatNumber(pieces)} pieces`}
        </ButtonLink>
      )}
      {heldBackReason === null ? <HoldBackForm id={_id} onChanged={onChanged} /> : <ReleaseButton id={_id} onChanged={onChanged} />}
    </>
  )
}

type HoldBackProps = { id: string; onChanged: () => Promise<void> }

function HoldBackForm({ id, onChanged }: HoldBackProps) {
  const [reason, setReason] = useState('')
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(holdOrderBack, { params: { id }, body: { reason } }),
    async onDone() {
      toast('The order is held back')
      await onChanged()
    },
  })
  return (
    <details className="border-t border-line pt-3">
      <summary className="min-h-6 cursor-pointer font-medium">Hold it back from being sent</summary>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
        className="mt-3 flex flex-col gap-3"
      >
        <Field
          label="Why"
          required
          maxLength={200}
          autoComplete="off"
          hint="Buyers do not see it"
          value={reason}
          error={refusal?.errors.reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {refusal && !refusal.errors.reason && <RefusalNotice refusal={refusal}>It is not held back.</RefusalNotice>}
        <Button type="submit" variant="quiet" busy={busy} busyLabel="Holding back" className="self-start">
          Hold back
        </Button>
      </form>
    </details>
  )
}

function ReleaseButton({ id, onChanged }: HoldBackProps) {
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(releaseOrder, { params: { id } }),
    async onDone() {
      toast('The order can be sent')
      await onChanged()
    },
  })
  return (
    <>
      <Button variant="quiet" onClick={() => submit()} busy={busy} busyLabel="Releasing" className="self-start">
        Release it
      </Button>
      {refusal && <RefusalNotice refusal={refusal}>It is still held back.</RefusalNotice>}
    </>
  )
}
