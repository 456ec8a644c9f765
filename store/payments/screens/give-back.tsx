import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { FigureField } from '#store/catalogue/screens/figure-field.tsx'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'
import type { Order } from '#store/orders/contract.ts'
import { cancelOrder, refundOrder } from '#store/payments/contract.ts'
import { useFormAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Field } from '#web/field.tsx'
import { useScript } from '#web/form.ts'
import { Amount, Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import type { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { asTyped, type TypedRefund, typedCancellation, typedRefund } from './refund-form.ts'

/** What is asked before it is done, in the dialog of the page. */
export type Act = {
  of: 'refund' | 'cancel'
  title: string
  /** what it means, in full */
  words: ReactNode
  act: string
  keep: string
  busyWords: string
  /** where the focus goes back to when it is kept */
  button: HTMLElement | null
  /** does it; throws a Refusal */
  onAct: () => Promise<void>
}

type GiveBackProps = {
  order: Order
  onAsk: (act: Act) => void
  /** why the last try was refused */
  refused: Refusal | undefined
  /** where that is told */
  told: RefObject<HTMLDivElement | null>
}

const reasonHint = 'The buyer reads it in the mail'

/** Part of a paid order's money, or all that is left of it, and pieces with it. */
export function RefundForm({ order, onAsk, refused, told }: GiveBackProps) {
  const { refundable } = order
  const account = useFormAccount()
  const script = useScript()
  const button = useRef<HTMLButtonElement>(null)
  const draft = `refund ${order._id} ${account?.email}`
  const form = useCheckedForm({
    resolver: zodResolver(typedRefund(refundable)),
    defaultValues: { amountCents: asTyped(refundable.cents), restock: '0', reason: '', ...keptDraft<TypedRefund>(draft) },
  })
  useDraft(form, draft)
  const { setError, formState, control } = form
  const { errors } = formState
  useEffect(() => {
    for (const field of ['amountCents', 'restock', 'reason'] as const)
      if (refused?.errors[field]) setError(field, { message: refused.errors[field] })
  }, [refused, setError])
  const typed = useWatch({ control, name: 'amountCents' })
  const amount = typedRefund(refundable).shape.amountCents.safeParse(typed).data

  const submit = form.handleSubmit(({ amountCents, restock, reason }) =>
    onAsk({
      of: 'refund',
      title: `Refund ${inDollars(amountCents)} of order ${order.number}?`,
      words: (
        <p>
          <Amount amountCents={amountCents} className="font-semibold" /> goes back to the card of {order.buyerName}, and {pieces(restock)}{' '}
          back into stock. This cannot be undone.
        </p>
      ),
      act: `Refund ${inDollars(amountCents)}`,
      keep: 'Do not refund',
      busyWords: 'Refunding',
      button: button.current,
      async onAct() {
        const refundedCentsSeen = order.refundedCents
        await send(refundOrder, { params: { id: order._id }, body: { amountCents, restock, refundedCentsSeen, ...(reason && { reason }) } })
        forgetDraft(draft)
      },
    }),
  )

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
            Required. At most <Amount amountCents={refundable.cents} /> of <Dollars amount={order.productCost} />
          </>
        }
        error={errors.amountCents?.message}
        {...form.register('amountCents')}
      />
      <FigureField
        label="Pieces back into stock"
        required
        hint={`Required. From 0 to ${inFigures(refundable.pieces)}`}
        error={errors.restock?.message}
        {...form.register('restock')}
      />
      <Field label="Reason of the refund" optional rows={2} hint={reasonHint} error={errors.reason?.message} {...form.register('reason')} />
      {refused && <NotDone refusal={refused} told={told} />}
      <Button ref={button} type="submit" className="self-start">
        {amount === undefined ? 'Refund' : `Refund ${inDollars(amount)}`}
      </Button>
    </form>
  )
}

/** The whole order: what was paid goes back, and its pieces go back into stock. */
export function CancelForm({ order, onAsk, refused, told }: GiveBackProps) {
  const { refundable } = order
  const account = useFormAccount()
  const script = useScript()
  const button = useRef<HTMLButtonElement>(null)
  const draft = `cancel ${order._id} ${account?.email}`
  const form = useCheckedForm({
    resolver: zodResolver(typedCancellation),
    defaultValues: { reason: '', ...keptDraft<{ reason: string }>(draft) },
  })
  useDraft(form, draft)
  const isOpen = order.state === 'open'
  const consequence = isOpen ? (
    <>Nothing was charged, and {pieces(order.productQuantity)} back into stock.</>
  ) : (
    <>
      <Amount amountCents={refundable.cents} /> goes back to the buyer's card, and {pieces(refundable.pieces)} back into stock.
    </>
  )

  const submit = form.handleSubmit(({ reason }) =>
    onAsk({
      of: 'cancel',
      title: `Cancel order ${order.number}?`,
      words: <p>{consequence} This cannot be undone.</p>,
      act: isOpen ? `Cancel order ${order.number}` : `Cancel order ${order.number} and refund ${inDollars(refundable.cents)}`,
      keep: 'Keep it',
      busyWords: 'Cancelling',
      button: button.current,
      async onAct() {
        await send(cancelOrder, { params: { id: order._id }, body: reason ? { reason } : {} })
        forgetDraft(draft)
      },
    }),
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
      {refused && <NotDone refusal={refused} told={told} />}
      <Button ref={button} type="submit" look="quiet" className="self-start">
        Cancel order
      </Button>
    </form>
  )
}

const pieces = (count: number): string => (count === 1 ? '1 piece goes' : `${count === 0 ? 'no' : inFigures(count)} pieces go`)

function NotDone({ refusal, told }: { refusal: Refusal; told: RefObject<HTMLDivElement | null> }) {
  if (refusal.status === 401) return <SignInEnded />
  return (
    <Notice kind="error" title={refusal.message} ref={told}>
      {refusal.leavesInDoubt
        ? 'We do not know whether it was done. What you typed is kept: press again, and it will be done once, not twice.'
        : `Nothing was done by this press, and what you typed is kept.${refusal.status === 409 ? ' The figures on this page are new: look at them first.' : ''}`}
    </Notice>
  )
}
