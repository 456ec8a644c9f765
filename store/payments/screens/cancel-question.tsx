import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inFigures } from '#store/in-figures.ts'
import type { Order } from '#store/orders/contract.ts'
import { cancelOrder } from '#store/payments/contract.ts'
import { Dollars } from '#web/money.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'

type CancelQuestionProps = {
  order: Order
  open: boolean
  /** with the order as it is then */
  onCancelled: (ended: Order) => void
  /** what is shown around the dialog may be old */
  onLook: () => Promise<void>
  onKeep: () => void
  /** where the focus goes on when the button that asked is gone */
  focusAfter: () => HTMLElement | null
}

/** Asks a buyer once whether they want to cancel their open order, and cancels it. */
export function CancelQuestion({ order, open, onCancelled, onLook, onKeep, focusAfter }: CancelQuestionProps) {
  async function cancel() {
    try {
      onCancelled(await send(cancelOrder, { params: { id: order._id }, body: {} }))
      toast(`Order ${order.number} is cancelled`)
    } catch (refusal) {
      // Paid or ended meanwhile, or being checked: the page says so, once the dialog is closed.
      if (refusal instanceof Refusal && (refusal.status === 409 || refusal.status === 503)) await onLook()
      throw refusal
    }
    await onLook()
  }

  return (
    <Question
      open={open}
      title={`Cancel order ${order.number}?`}
      act={`Cancel order ${order.number}`}
      keep="Keep it"
      busyWords="Cancelling"
      onAct={cancel}
      onKeep={onKeep}
      ended={<SignInEnded />}
      focusAfter={focusAfter}
    >
      <p className="font-semibold">
        {inFigures(order.productQuantity)} x {order.productName} for <Dollars amount={order.productCost} />
      </p>
      <p>Its pieces go back into stock for others, and it cannot be paid any more. Nothing is charged.</p>
    </Question>
  )
}
