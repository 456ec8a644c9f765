import { zodResolver } from '@hookform/resolvers/zod'
import { useWatch } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type Order, showOrder } from '#store/orders/order-contract.ts'
import { carriers, plainTrackingNumber, trackingNumberWarning } from '#store/orders/shipments/carriers.ts'
import { sendOrder } from '#store/orders/shipments/contract.ts'
import { takeBackHours } from '#store/orders/shipments/correction-contract.ts'
import { parcelAddress } from '#store/orders/shipments/packing.ts'
import { type LineToSend, listOrdersToSend, type OrderToSend } from '#store/orders/shipments/to-send-contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/send-order'
import { carrierOptions } from './carrier-options.ts'
import { forgetIdempotencyKey, idempotencyKeyFor } from './idempotency-key.ts'
import { OrderedPartNumber } from './ordered-product.tsx'
import { ParcelList } from './parcels.tsx'
import { paperUrl } from './print-buttons.tsx'
import { ScanField } from './scan-field.tsx'
import { type SendFormInput, sendFormSchema } from './send-form-schema.ts'
import { blockLabels, blockTexts } from './sending-block-label.ts'

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs) {
  const order = await callApi(showOrder, { params: { id } }).catch(rethrowAsNotFound)
  const { orders } = await callApi(listOrdersToSend, { querystring: { order: [order._id] } })
  return { order, toSend: orders[0] }
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Send order ${loaderData.order.number}` : 'Send'} | Nucleus of PC` },
]

export default function SendOrder({ loaderData: { order, toSend } }: Route.ComponentProps) {
  const steps = [{ label: 'To Send', to: '/dashboard/tosend' }, { label: `Order ${order.number}` }]
  return (
    <Page title={`Send order ${order.number}`} breadcrumbs={<Breadcrumbs steps={steps} />} wide>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-6">
          <WhatToSend toSend={toSend} />
        </div>
        <div className="flex flex-col gap-6">
          {toSend && <WhereTo order={toSend} />}
          <EarlierParcels order={order} />
        </div>
      </div>
    </Page>
  )
}

function WhatToSend({ toSend }: { toSend: OrderToSend | undefined }) {
  if (!toSend)
    return (
      <Notice
        kind="info"
        title="Nothing of this order is left to send"
        action={
          <ButtonLink variant="quiet" to="/dashboard/tosend">
            Back to To Send
          </ButtonLink>
        }
      >
        It is not paid, has ended, or all of it was sent.
      </Notice>
    )
  if (toSend.block)
    return (
      <Notice
        kind="warning"
        title={`${blockLabels[toSend.block]}${toSend.heldBackReason ? `: ${toSend.heldBackReason}` : ''}`}
        action={
          <ButtonLink variant="quiet" to={`/dashboard/order/${toSend._id}`}>
            Order {toSend.number}
          </ButtonLink>
        }
      >
        {blockTexts[toSend.block]}
      </Notice>
    )
  return <SendForm key={formKey(toSend)} order={toSend} />
}

/** Another one once other pieces are left, for which the form begins anew. */
const formKey = ({ lines }: OrderToSend) => lines.map(({ _id, toSend }) => `${_id} ${toSend}`).join()

function WhereTo({ order }: { order: OrderToSend }) {
  return (
    <Panel as="section" aria-labelledby="where-to" className="flex flex-col gap-3">
      <h2 id="where-to" className="text-xl">
        Where to
      </h2>
      <p className="whitespace-pre-line">{parcelAddress(order)}</p>
      <DescriptionList>
        {order.deliveryMethod && <DescriptionItem name="Delivery">{order.deliveryMethod.name}</DescriptionItem>}
        {order.phoneNumber && <DescriptionItem name="Phone">{order.phoneNumber}</DescriptionItem>}
        {order.poNumber && <DescriptionItem name="PO number">{order.poNumber}</DescriptionItem>}
      </DescriptionList>
      <ButtonLink variant="quiet" to={paperUrl('packing-slips', [order._id])} className="self-start">
        Packing slip
      </ButtonLink>
    </Panel>
  )
}

function EarlierParcels({ order }: { order: Order }) {
  if (order.shipments.length === 0) return null
  return (
    <Panel as="section" aria-labelledby="sent-already" className="flex flex-col gap-3">
      <h2 id="sent-already" className="text-xl">
        Sent already
      </h2>
      <ParcelList {...order} />
    </Panel>
  )
}

function useSendForm(order: OrderToSend) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { _id, number, lines } = order
  const draft = `send ${_id} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(sendFormSchema(lines)),
    defaultValues: initialInput(order, loadDraft<SendFormInput>(draft)),
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    send({ quantities, carrier, trackingNumber }) {
      const sent = lines.map((line, index) => ({ _id: line._id, quantity: quantities[index] ?? 0 })).filter(({ quantity }) => quantity > 0)
      const body = { lines: sent, ...(carrier && { carrier }), ...(trackingNumber && { trackingNumber }) }
      return callApi(sendOrder, {
        params: { id: _id },
        body,
        idempotencyKey: idempotencyKeyFor(draft, { body, shipments: order.shipments }),
      })
    },
    async onDone(shipment) {
      forgetIdempotencyKey(draft)
      toast(`Parcel ${shipment.number} of order ${number} is sent`, { detail: 'The buyer gets a mail' })
      await navigate('/dashboard/tosend')
    },
    onRefused: () => revalidate(),
  })
  return { form, submit, refusal }
}

/** All that is left, with the carrier that the buyer has chosen. Of a draft the quantities are not kept: other pieces may be left now. */
const initialInput = ({ lines, deliveryMethod }: OrderToSend, draft: Partial<SendFormInput> = {}): SendFormInput => ({
  quantities: lines.map(({ toSend }) => ({ typed: `${toSend}` })),
  carrier: draft.carrier || (carriers.find((carrier) => carrier.toLowerCase() === deliveryMethod?.carrier?.toLowerCase()) ?? ''),
  trackingNumber: draft.trackingNumber ?? '',
})

function SendForm({ order }: { order: OrderToSend }) {
  const { lines } = order
  const { form, submit, refusal } = useSendForm(order)
  const { errors, isSubmitting } = form.formState
  const typed = useWatch({ control: form.control, name: 'quantities' })
  const [carrier, trackingNumber] = useWatch({ control: form.control, name: ['carrier', 'trackingNumber'] })
  const pieces = typed.reduce((sum, { typed }) => sum + (parseWholeNumber(typed) || 0), 0)
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <PackedLines lines={lines} form={form} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField label="Carrier" options={carrierOptions('None')} error={errors.carrier?.message} {...form.register('carrier')} />
        <Field
          label="Tracking number"
          optional
          autoComplete="off"
          spellCheck={false}
          className="figures"
          error={errors.trackingNumber?.message}
          hint={trackingNumberWarning({ carrier, trackingNumber: plainTrackingNumber(trackingNumber) })}
          {...form.register('trackingNumber')}
        />
      </div>
      {refusal && (
        <RefusalNotice refusal={refusal} outcomeUnknown="We do not know whether it was sent. Press again: it is sent once, not twice.">
          Nothing was sent by this press. What is left is shown as it is now.
        </RefusalNotice>
      )}
      <div>
        <Button type="submit" busy={isSubmitting} busyLabel="Sending">
          {pieces === 1 ? 'Send 1 piece' : `Send ${formatNumber(pieces)} pieces`}
        </Button>
        <p className="mt-2 text-sm text-soft">
          The buyer gets a mail at once. A parcel that was not sent after all is taken back on the page of the order, for {takeBackHours}{' '}
          hours.
        </p>
      </div>
    </form>
  )
}

type PackedLinesProps = { lines: LineToSend[]; form: ReturnType<typeof useSendForm>['form'] }

/** How many pieces of each line are in the parcel, as they are scanned or typed. */
function PackedLines({ lines, form }: PackedLinesProps) {
  const { errors } = form.formState
  const setPacked = (packed: number[]) => {
    form.setValue(
      'quantities',
      packed.map((quantity) => ({ typed: `${quantity}` })),
    )
    form.clearErrors('quantities') // they were about the quantities before
  }
  return (
    <Panel variant="raised" className="flex flex-col gap-4">
      <ScanField
        lines={lines}
        readPacked={() => form.getValues('quantities').map(({ typed }) => parseWholeNumber(typed) || 0)}
        onPacked={setPacked}
      />
      <ul aria-label="Lines to send" className="flex flex-col divide-y divide-line">
        {lines.map((line, index) => (
          <li key={line._id} className="grid items-start gap-x-6 gap-y-2 py-3 last:pb-0 sm:grid-cols-[minmax(0,1fr)_9rem]">
            <LineText line={line} />
            <NumberField
              label="In this parcel"
              aria-label={`Pieces of ${line.productName} in this parcel`}
              hint={`${formatNumber(line.toSend)} left`}
              error={errors.quantities?.[index]?.typed?.message}
              {...form.register(`quantities.${index}.typed`)}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" dense onClick={() => setPacked(lines.map(({ toSend }) => toSend))}>
          All that is left
        </Button>
        <Button variant="quiet" dense onClick={() => setPacked(lines.map(() => 0))}>
          None
        </Button>
      </div>
    </Panel>
  )
}

function LineText({ line }: { line: LineToSend }) {
  return (
    <div className="min-w-0 break-words">
      <p className="font-semibold">{line.productName}</p>
      <OrderedPartNumber order={line} />
      {line.sku && <p className="figures text-sm text-soft">SKU {line.sku}</p>}
      {line.gtin && <p className="figures text-sm text-soft">GTIN {line.gtin}</p>}
      {line.toSend < line.quantity && (
        <p className="text-sm text-soft">
          {formatNumber(line.quantity)} ordered{line.sent > 0 && `, ${formatNumber(line.sent)} sent`}
        </p>
      )}
    </div>
  )
}
