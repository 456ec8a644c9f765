import { zodResolver } from '@hookform/resolvers/zod'
import { useRevalidator } from 'react-router'
import { formatCents } from '#shared/money.ts'
import { shopDay } from '#shared/shop-day.ts'
import { formatPlainCents } from '#shared/typed-amount.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { bookPayback, bookPayment, type OpenInvoice, type OpenOrder } from '#store/orders/on-account/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { moneyFieldProps } from '#web/money.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import {
  type BookingFormInput,
  type BookingKind,
  bookingFormSchema,
  centsOfOrder,
  invoicedCents,
  proposedCents,
  toBookingForm,
} from './receivables-form-schemas.ts'

const words = {
  payment: { title: 'Money that has come', amount: 'Amount', button: 'Record the payment', owes: 'owes' },
  payback: { title: 'Money that was transferred back', amount: 'Amount', button: 'Record the transfer', owes: 'is to get' },
}

type BookingFormProps = { kind: BookingKind; orders: OpenOrder[]; invoices: OpenInvoice[] }

/** Money of orders on account, as it stands at the bank. */
export function BookingForm({ kind, orders, invoices }: BookingFormProps) {
  const { form, submit, refusal, chooseOrder } = useBookingForm({ kind, orders, invoices })
  const { errors, isSubmitting } = form.formState
  const { title, amount, button, owes } = words[kind]
  const invoicedText = (order: OpenOrder) => {
    const cents = invoicedCents(order, invoices)
    return kind === 'payment' && cents < order.owedCents ? `, ${cents === 0 ? 'nothing' : formatCents(cents)} of it invoiced` : ''
  }
  const options = orders.map((order) => ({
    value: order._id,
    label: `Order ${order.number} ${owes} ${formatCents(centsOfOrder(kind, order))}${invoicedText(order)}`,
  }))
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <h2 className="text-xl">{title}</h2>
      <SelectField
        label="Order"
        options={orders.length > 1 ? [{ value: '', label: 'Choose an order' }, ...options] : options}
        error={errors.orderId?.message}
        {...form.register('orderId', { onChange: ({ target }) => chooseOrder(target.value) })}
      />
      <Field
        label={amount}
        autoComplete="off"
        error={errors.amountCents?.message}
        {...moneyFieldProps()}
        {...form.register('amountCents')}
      />
      <Field label="Day at the bank" type="date" error={errors.on?.message} {...form.register('on')} />
      <Field label="Reference" optional autoComplete="off" error={errors.note?.message} {...form.register('note')} />
      {refusal && !fieldNames.some((name) => refusal.errors[name]) && <RefusalNotice refusal={refusal} />}
      <div>
        <Button type="submit" busy={isSubmitting} busyLabel="Saving">
          {button}
        </Button>
      </div>
    </form>
  )
}

const fieldNames = ['orderId', 'amountCents', 'on', 'note'] as const

function useBookingForm({ kind, orders, invoices }: BookingFormProps) {
  const { revalidate } = useRevalidator()
  const draft = `${kind} on account ${orders.map(({ number }) => number).join()} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(bookingFormSchema),
    defaultValues: { ...toBookingForm({ kind, orders, invoices }, shopDay(new Date())), ...loadDraft<BookingFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: fieldNames,
    send({ orderId, ...body }) {
      const order = orders.find(({ _id }) => _id === orderId)
      const seen = order && { owedCentsSeen: centsOfOrder(kind, order) }
      return callApi(kind === 'payment' ? bookPayment : bookPayback, { params: { id: orderId }, body: { ...body, ...seen } })
    },
    async onDone({ number, owedCents }) {
      toast('Saved', {
        detail: kind === 'payment' && owedCents > 0 ? `Order ${number} still owes ${formatCents(owedCents)}` : `Order ${number}`,
      })
      await revalidate()
    },
    onRefused: () => revalidate(),
  })
  function chooseOrder(orderId: string) {
    const order = orders.find(({ _id }) => _id === orderId)
    if (order) form.setValue('amountCents', formatPlainCents(proposedCents(kind, order, invoices)), { shouldDirty: true })
  }
  return { form, submit, refusal, chooseOrder }
}
