import { formatNumber } from '#shared/format-number.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { Purchase } from '#store/orders/contract.ts'
import { cancelPurchase } from '#store/orders/payments/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { WholeDollars } from '#web/money.tsx'
import { toast } from '#web/toast.tsx'

type CancelOrderDialogProps = {
  order: Purchase
  open: boolean
  /** called with the cancelled order */
  onCancelled: (ended: Purchase) => void
  /** called when the data around the dialog may be outdated */
  onReload: () => Promise<void>
  onCancel: () => void
  /** the element to focus when the button that opened the dialog is gone */
  focusAfterClose: () => HTMLElement | null
}

/** Asks a buyer to confirm the cancellation of an open order, and cancels it. */
export function CancelOrderDialog({ order, open, onCancelled, onReload, onCancel, focusAfterClose }: CancelOrderDialogProps) {
  async function cancel() {
    try {
      onCancelled(await callApi(cancelPurchase, { params: { id: order._id }, body: {} }))
      toast(`Order ${order.number} is cancelled`)
    } catch (error) {
      // Paid or ended, also by this request, or its payment is being checked: the reloaded page shows that, once the dialog is closed.
      if (error instanceof ApiError && (error.code === 'order_not_open' || error.status === 503)) await onReload()
      throw error
    }
    await onReload()
  }

  return (
    <ConfirmDialog
      open={open}
      title={`Cancel order ${order.number}?`}
      confirmLabel={`Cancel order ${order.number}`}
      cancelLabel="Keep it"
      busyLabel="Cancelling"
      onConfirm={cancel}
      onCancel={onCancel}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={focusAfterClose}
    >
      <p className="font-semibold">
        {formatNumber(order.productQuantity)} x {order.productName} for <WholeDollars amount={order.productCost} />
      </p>
      <p>Its pieces go back into stock for others, and it cannot be paid any more. Nothing is charged.</p>
    </ConfirmDialog>
  )
}
