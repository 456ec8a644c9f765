import { type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { formatItem } from '#store/orders/order-contract.ts'
import { listReturns, sendReturn } from '#store/orders/returns/admin-contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { carriers } from '#store/orders/shipments/carriers.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { Panel } from '#web/panel.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { forgetIdempotencyKey, idempotencyKeyFor } from '../idempotency-key.ts'
import type { ReturnFormProps } from './receive-form.tsx'

const carrierOptions = [
  { value: '', label: 'None' },
  ...carriers.map((carrier) => ({ value: carrier, label: carrier === 'other' ? 'Another one' : carrier })),
]

function useResend({ asked, onChanged }: ReturnFormProps) {
  const [carrier, setCarrier] = useState('')
  const [trackingNumber, setTrackingNumber] = useState('')
  const lines = asked.lines.filter(({ toResend }) => toResend > 0)
  const draft = `send return ${asked._id}`
  const submission = useSubmit({
    async send() {
      const body = {
        lines: lines.map(({ _id, toResend }) => ({ _id, quantity: toResend })),
        ...(carrier && { carrier: carriers.find((known) => known === carrier) }),
        ...(trackingNumber && { trackingNumber }),
      }
      const sent = asked.lines.reduce((sum, { resent }) => sum + resent, 0)
      await callApi(sendReturn, { params: { id: asked._id }, body, idempotencyKey: idempotencyKeyFor(draft, { body, sent }) })
      return (await callApi(listReturns, { querystring: { q: formatReturnNumber(asked.number) } })).returns[0]
    },
    onDone(seen) {
      forgetIdempotencyKey(draft)
      toast('It is sent', { detail: 'The buyer gets a mail' })
      if (seen) onChanged(seen)
    },
  })
  return { lines, carrier, setCarrier, trackingNumber, setTrackingNumber, ...submission }
}

/** Sends to the buyer again what is replaced, repaired or refused, all that is left of it in one parcel. */
export function ResendForm(props: ReturnFormProps) {
  const { lines, carrier, setCarrier, trackingNumber, setTrackingNumber, submit, busy, refusal } = useResend(props)
  if (lines.length === 0) return null
  const pieces = lines.reduce((sum, { toResend }) => sum + toResend, 0)
  return (
    <Panel as="section" variant="raised" aria-labelledby="send-again">
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
        className="flex flex-col gap-4"
      >
        <h2 id="send-again" className="text-xl">
          To be sent to the buyer again
        </h2>
        <ul aria-label="Pieces to send again">
          {lines.map(({ _id, productName, toResend }) => (
            <li key={_id}>{formatItem({ productName, quantity: toResend })}</li>
          ))}
        </ul>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <SelectField
            label="Carrier"
            options={carrierOptions}
            value={carrier}
            error={refusal?.errors.carrier}
            onChange={({ target }) => setCarrier(target.value)}
          />
          <Field
            label="Tracking number"
            optional
            autoComplete="off"
            spellCheck={false}
            className="figures"
            value={trackingNumber}
            error={refusal?.errors.trackingNumber}
            onChange={({ target }) => setTrackingNumber(target.value)}
          />
        </div>
        {refusal && (
          <RefusalNotice refusal={refusal} outcomeUnknown="We do not know whether it was sent. Press again: it is sent once, not twice.">
            Nothing was sent by this press.
          </RefusalNotice>
        )}
        <Button type="submit" busy={busy} busyLabel="Sending" className="self-start">
          {pieces === 1 ? 'Send 1 piece' : `Send ${formatNumber(pieces)} pieces`}
        </Button>
      </form>
    </Panel>
  )
}
