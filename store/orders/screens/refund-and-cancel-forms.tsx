import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import type { ErrorCode } from '#shared/error-codes.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { Purchase } from '#store/orders/contract.ts'
import { cancelOrder } from '#store/orders/order-contract.ts'
import { cancelPurchase, refundPurchase } from '#store/orders/payments/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { clearDraft, loadDraft, useDraft } from '#web/form-draft.ts'
import { MoneyAmount, moneyFieldProps } from '#web/money.tsx'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { cancelledCents, cancelWords } from './cancelled-amounts.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import { CancelConsequence, RefundConsequence } from './refund-and-cancel-consequences.tsx'
import { cancelFormSchema, initialRefund, type RefundFormInput, refundButtonText, refundFormSchema } from './refund-form.ts'

/** An action that the page's dialog asks to confirm. */
export type PendingConfirmation = {
  form: 'refund' | 'cancel'
  title: string
  /** all consequences of the action */
  message: ReactNode
  confirmLabel: string
  cancelLabel: string
  busyLabel: string
  /** gets the focus back when the dialog is cancelled */
  button: HTMLElement | null
  /** performs the action; rejects with an `ApiError` */
  onConfirm: () => Promise<void>
}

export type OrderFormProps = {
  order: Purchase
  /** the order that it is a line of */
  whole: DisplayedOrder
  /** it is a line of an order with others */
  isPart: boolean
  /** what has come by transfer of an order that is still open: it can be cancelled only as a whole */
  receivedCents: number
  onAsk: (act: PendingConfirmation) => void
  /** the error of the last attempt */
  refused: ApiError | undefined
  /** the element that shows it */
  told: RefObject<HTMLDivElement | null>
}

const reasonHint = 'The buyer reads it in the mail'

/** Refunds a line of a paid order, fully or partly, and restocks pieces with it; and the delivery of the order, where that is ticked or is all that is left. */
export function RefundForm(props: OrderFormProps) {
  const { order, whole, isPart, refused, told } = props
  const { refundable } = order
  const { refundableDeliveryCents } = whole
  const isOfDelivery = refundable.cents === 0
  const isHydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  const { form, submit, amount } = useRefundForm(button, props)
  const { errors } = form.formState
  return (
    <form method="post" onSubmit={submit} noValidate={isHydrated} className="flex flex-col gap-4">
      <h2 className="text-xl">{isOfDelivery ? 'Refund the delivery' : isPart ? 'Refund this line' : 'Refund'}</h2>
      {isOfDelivery && <p>Nothing of {isPart ? 'this line' : 'the goods'} can go back any more.</p>}
      {!isOfDelivery && (
        <Field
          label="Amount"
          {...moneyFieldProps()}
          autoComplete="off"
          className="figures"
          required
          hint={
            <>
              Required. At most <MoneyAmount amountCents={refundable.cents} />
              {refundableDeliveryCents > 0 && ', or 0 for the delivery alone'}
            </>
          }
          error={errors.amountCents?.message}
          {...form.register('amountCents')}
        />
      )}
      {refundable.pieces > 0 && (
        <NumberField
          label="Pieces back into stock"
          required
          hint={`Required. From 0 to ${formatNumber(refundable.pieces)}`}
          error={errors.restock?.message}
          {...form.register('restock')}
        />
      )}
      {!isOfDelivery && refundableDeliveryCents > 0 && (
        <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
          <input type="checkbox" className="size-5 shrink-0 accent-leaf" {...form.register('delivery')} />
          <span>
            The delivery too: <MoneyAmount amountCents={refundableDeliveryCents} />
          </span>
        </label>
      )}
      <Field label="Reason of the refund" optional rows={2} hint={reasonHint} error={errors.reason?.message} {...form.register('reason')} />
      {refused && <FailureNotice refusal={refused} noticeRef={told} />}
      <Button ref={button} type="submit" className="self-start">
        {refundButtonText(amount)}
      </Button>
    </form>
  )
}

/** `submit` asks to confirm the refund. `amount`: of the refund as it is typed, in cents; undefined where it cannot be read. */
function useRefundForm(button: RefObject<HTMLButtonElement | null>, { order, whole, isPart, onAsk, refused }: OrderFormProps) {
  const { refundable } = order
  const account = useAccountAtOpening()
  const draft = `refund ${order._id} ${account?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(refundFormSchema(refundable)),
    defaultValues: { ...initialRefund(refundable), ...(refundable.cents > 0 && loadDraft<RefundFormInput>(draft)) },
  })
  useDraft(form, draft)
  const { setError, control } = form
  useEffect(() => {
    for (const field of ['amountCents', 'restock', 'reason'] as const)
      if (refused?.errors[field]) setError(field, { message: refused.errors[field] })
  }, [refused, setError])
  const [typed, isTicked] = useWatch({ control, name: ['amountCents', 'delivery'] })
  const parsed = refundFormSchema(refundable).shape.amountCents.safeParse(typed).data
  const withDelivery = (amountCents: number, delivery: boolean) => amountCents + (delivery ? whole.refundableDeliveryCents : 0)
  const amount = parsed === undefined ? undefined : withDelivery(parsed, isTicked === true)

  const submit = form.handleSubmit((refund) => {
    const { amountCents, restock, delivery, reason } = refund
    const sum = formatCents(withDelivery(amountCents, delivery))
    return onAsk({
      form: 'refund',
      title: `Refund ${sum} of ${isPart && !delivery ? 'this line of ' : ''}order ${order.number}?`,
      message: <RefundConsequence {...{ refund, order, whole, sum }} />,
      confirmLabel: `Refund ${sum}`,
      cancelLabel: 'Do not refund',
      busyLabel: 'Refunding',
      button: button.current,
      async onConfirm() {
        const refundedCentsSeen = order.refundedCents
        await callApi(refundPurchase, {
          params: { id: order._id },
          body: { amountCents, restock, delivery, refundedCentsSeen, ...(reason && { reason }) },
        })
        clearDraft(draft)
      },
    })
  })
  return { form, submit, amount }
}

/** Cancels a line, and with the last one its order: refunds what is left of its payment and restocks its pieces. */
export function CancelForm(props: OrderFormProps) {
  const { order, whole, isPart, receivedCents, refused, told } = props
  const isHydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  const { form, submit } = useCancelForm(button, props)
  const words = cancelWords(order, whole, isPart && receivedCents === 0)
  return (
    <form method="post" onSubmit={submit} noValidate={isHydrated} className="flex flex-col gap-4">
      <h2 className="text-xl">{words.heading}</h2>
      <p>
        <CancelConsequence {...{ order, whole, receivedCents }} />
      </p>
      <Field
        label="Reason of the cancellation"
        optional
        rows={2}
        hint={reasonHint}
        error={form.formState.errors.reason?.message}
        {...form.register('reason')}
      />
      {refused && <FailureNotice refusal={refused} noticeRef={told} />}
      <Button ref={button} type="submit" variant="quiet" className="self-start">
        {words.button}
      </Button>
    </form>
  )
}

/** `submit` asks to confirm the cancellation. */
function useCancelForm(button: RefObject<HTMLButtonElement | null>, { order, whole, isPart, receivedCents, onAsk }: OrderFormProps) {
  const account = useAccountAtOpening()
  const draft = `cancel ${order._id} ${account?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(cancelFormSchema),
    defaultValues: { reason: '', ...loadDraft<{ reason: string }>(draft) },
  })
  useDraft(form, draft)
  const words = cancelWords(order, whole, isPart && receivedCents === 0)
  const whatToCancel = words.button === 'Cancel order' ? `Cancel order ${order.number}` : words.button
  const { back } = order.state === 'open' ? { back: 0 } : cancelledCents(order, whole)

  const submit = form.handleSubmit(({ reason }) =>
    onAsk({
      form: 'cancel',
      title: words.question,
      message: (
        <p>
          <CancelConsequence {...{ order, whole, receivedCents }} /> This cannot be undone.
        </p>
      ),
      confirmLabel: back === 0 ? whatToCancel : `${whatToCancel} and refund ${formatCents(back)}`,
      cancelLabel: 'Keep it',
      busyLabel: 'Cancelling',
      button: button.current,
      async onConfirm() {
        const body = reason ? { reason } : {}
        if (receivedCents > 0) await callApi(cancelOrder, { params: { id: whole._id }, body })
        else await callApi(cancelPurchase, { params: { id: order._id }, body })
        clearDraft(draft)
      },
    }),
  )
  return { form, submit }
}

/** The order is no longer as this page shows it; a refused refund is in its history. */
export const isOrderChangedError = ({ code }: ApiError) => orderChangedCodes.has(code)
const orderChangedCodes: ReadonlySet<ErrorCode | undefined> = new Set([
  'order_not_open',
  'order_not_paid',
  'order_shipped',
  'nothing_to_refund',
  'refunds_changed',
  'provider_refused',
])

function FailureNotice({ refusal, noticeRef }: { refusal: ApiError; noticeRef: RefObject<HTMLDivElement | null> }) {
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="We do not know whether it was done. What you typed is kept: press again, and it will be done once, not twice."
      ref={noticeRef}
    >
      Nothing was done by this press, and what you typed is kept.
      {isOrderChangedError(refusal) && ' The figures on this page are new: look at them first.'}
    </RefusalNotice>
  )
}
