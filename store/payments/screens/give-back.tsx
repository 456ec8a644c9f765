import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FigureField } from '#store/catalogue/screens/figure-field.tsx'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import type { Order } from '#store/orders/contract.ts'
import { cancelOrder, refundOrder } from '#store/payments/contract.ts'
import { useAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { inDollars } from '#web/in-dollars.ts'
import { Amount, Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import { asTyped, type Left, type Refund, type TypedRefund, typedCancellation, typedRefund } from './refund-form.ts'

type GiveBackProps = {
  order: Order
  left: Left
  /** where the focus goes on once it is done and told */
  told: RefObject<HTMLDivElement | null>
  /** it is written down: look at the order anew and tell of it */
  onDone: () => Promise<void>
  onRefused: (refusal: Refusal | undefined) => Promise<void>
  refused: Refusal | undefined
}

const reasonHint = 'The buyer reads it in the mail'

/** Part of a paid order's money, or all that is left of it, and pieces with it. */
export function RefundForm({ order, left, told, onDone, onRefused, refused }: GiveBackProps) {
  const account = useAccount()
  const script = useScript()
  const [asked, ask] = useState<{ refund: Refund; open: boolean }>()
  const button = useRef<HTMLButtonElement>(null)
  const draft = `refund ${order._id} ${account?.email}`
  const form = useCheckedForm({
    resolver: zodResolver(typedRefund(left)),
    defaultValues: { amountCents: asTyped(left.cents), restock: '0', reason: '', ...keptDraft<TypedRefund>(draft) },
  })
  useDraft(form, draft)
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'amountCents' })
  const amount = typedRefund(left).shape.amountCents.safeParse(typed).data
  const seen = order.productCost * 100 - left.cents

  async function refund({ amountCents, restock, reason }: Refund) {
    try {
      await send(refundOrder, {
        params: { id: order._id },
        body: { amountCents, restock, refundedCentsSeen: seen, ...(reason && { reason }) },
      })
      forgetDraft(draft)
      toast(`${inDollars(amountCents)} of order ${order.number} asked back`)
      await onDone()
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      for (const field of ['amountCents', 'restock', 'reason'] as const)
        if (refusal.errors[field]) form.setError(field, { message: refusal.errors[field] })
      await onRefused(refusal)
    }
    ask((asked) => asked && { ...asked, open: false })
  }

  const submit = form.handleSubmit(async (typed) => {
    await onRefused(undefined)
    ask({ refund: typed, open: true })
  })

  return (
    <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
      <h2 className="text-xl">Refund</h2>
      <Field
        label="Amount"
        before="$"
        inputMode="decimal"
        autoComplete="off"
        className="figures"
        required
        hint={
          <>
            Required. At most <Amount amountCents={left.cents} /> of <Dollars amount={order.productCost} />
          </>
        }
        error={errors.amountCents?.message}
        {...form.register('amountCents')}
      />
      <FigureField
        label="Pieces back into stock"
        required
        hint={`Required. From 0 to ${left.pieces}`}
        error={errors.restock?.message}
        {...form.register('restock')}
      />
      <Field label="Reason of the refund" optional rows={2} hint={reasonHint} error={errors.reason?.message} {...form.register('reason')} />
      {refused && <NotDone refusal={refused} />}
      <Button ref={button} type="submit" className="self-start">
        {amount === undefined ? 'Refund' : `Refund ${inDollars(amount)}`}
      </Button>
      {asked && (
        <Question
          open={asked.open}
          title={`Refund ${inDollars(asked.refund.amountCents)} of order ${order.number}?`}
          act={`Refund ${inDollars(asked.refund.amountCents)}`}
          keep="Do not refund"
          busyWords="Refunding"
          onAct={() => refund(asked.refund)}
          onKeep={() => ask({ ...asked, open: false })}
          focusAfter={() => told.current ?? button.current}
        >
          <What order={order} />
          <p>
            <Amount amountCents={asked.refund.amountCents} className="font-semibold" /> goes back to the card of {order.buyerName}, and{' '}
            {pieces(asked.refund.restock)} back into stock. This cannot be undone.
          </p>
        </Question>
      )}
    </form>
  )
}

/** The whole order: what was paid goes back, and its pieces go back into stock. */
export function CancelForm({ order, left, told, onDone, onRefused, refused }: GiveBackProps) {
  const account = useAccount()
  const script = useScript()
  const [asked, ask] = useState<{ reason: string; open: boolean }>()
  const button = useRef<HTMLButtonElement>(null)
  const draft = `cancel ${order._id} ${account?.email}`
  const form = useCheckedForm({
    resolver: zodResolver(typedCancellation),
    defaultValues: { reason: '', ...keptDraft<{ reason: string }>(draft) },
  })
  useDraft(form, draft)
  const isOpen = order.state === 'open'

  async function cancel(reason: string) {
    try {
      await send(cancelOrder, { params: { id: order._id }, body: reason ? { reason } : {} })
      forgetDraft(draft)
      toast(isOpen ? `Order ${order.number} is cancelled` : `The money of order ${order.number} was asked back`)
      await onDone()
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      if (refusal.errors.reason) form.setError('reason', { message: refusal.errors.reason })
      await onRefused(refusal)
    }
    ask((asked) => asked && { ...asked, open: false })
  }

  const submit = form.handleSubmit(async ({ reason = '' }) => {
    await onRefused(undefined)
    ask({ reason, open: true })
  })

  const consequence = isOpen ? (
    <>Nothing was charged, and {pieces(left.pieces)} back into stock.</>
  ) : (
    <>
      <Amount amountCents={left.cents} /> goes back to the buyer's card, and {pieces(left.pieces)} back into stock.
    </>
  )
  return (
    <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
      <h2 className="text-xl">Cancel</h2>
      <p>{consequence}</p>
      <Field
        label="Reason of the cancellation"
        optional
        rows={2}
        hint={reasonHint}
        error={form.formState.errors.reason?.message}
        {...form.register('reason')}
      />
      {refused && <NotDone refusal={refused} />}
      <Button ref={button} type="submit" look="quiet" className="self-start">
        Cancel order
      </Button>
      {asked && (
        <Question
          open={asked.open}
          title={`Cancel order ${order.number}?`}
          act={isOpen ? `Cancel order ${order.number}` : `Cancel order ${order.number} and refund ${inDollars(left.cents)}`}
          keep="Keep it"
          busyWords="Cancelling"
          onAct={() => cancel(asked.reason)}
          onKeep={() => ask({ ...asked, open: false })}
          focusAfter={() => told.current ?? button.current}
        >
          <What order={order} />
          <p>{consequence} This cannot be undone.</p>
        </Question>
      )}
    </form>
  )
}

const pieces = (count: number): string => (count === 1 ? '1 piece goes' : `${count === 0 ? 'no' : count} pieces go`)

function What({ order }: { order: Order }): ReactNode {
  return (
    <p className="font-semibold">
      {order.productQuantity} x {order.productName} for <Dollars amount={order.productCost} />, {order.buyerEmail}
    </p>
  )
}

function NotDone({ refusal }: { refusal: Refusal }) {
  if (refusal.status === 401) return <SignInEnded />
  return (
    <Notice kind="error" title={refusal.message} ref={focused}>
      {refusal.leavesInDoubt
        ? 'We do not know whether it was done. What you typed is kept: press again, and it will be done once, not twice.'
        : `Nothing was done by this press, and what you typed is kept.${refusal.status === 409 ? ' The order and its history above and below are new: look at them first.' : ''}`}
    </Notice>
  )
}
