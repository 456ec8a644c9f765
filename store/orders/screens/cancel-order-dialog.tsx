import type { ReactNode } from 'react'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { ApiError } from '#web/api-error.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { toast } from '#web/toast.tsx'

type CancelOrderDialogProps = {
  number: number
  /** what is cancelled, such as "5 x Drill", and its cost */
  items: string
  amountCents: number
  /** the order goes on with its other lines */
  isPart?: boolean
  /** a part of the money has come by transfer */
  hasTransferred?: boolean
  open: boolean
  /** sends the request */
  cancel: () => Promise<void>
  /** called when the data around the dialog may be outdated */
  onReload: () => Promise<void>
  /** shown instead of that the sign-in has ended */
  signedOutMessage?: ReactNode
  onCancel: () => void
  /** the element to focus when the button that opened the dialog is gone */
  focusAfterClose: () => HTMLElement | null
}

/** Asks a buyer to confirm the cancellation of an open order, or of a line of one, and cancels it. */
export function CancelOrderDialog({
  number,
  items,
  amountCents,
  isPart = false,
  hasTransferred = false,
  open,
  cancel,
  onReload,
  signedOutMessage = <SessionEndedNotice />,
  onCancel,
  focusAfterClose,
}: CancelOrderDialogProps) {
  async function confirm() {
    try {
      await cancel()
      toast(cancelledTitle(number, isPart))
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
      title={isPart ? `Cancel this part of order ${number}?` : `Cancel order ${number}?`}
      confirmLabel={isPart ? 'Cancel this part' : `Cancel order ${number}`}
      cancelLabel="Keep it"
      busyLabel="Cancelling"
      onConfirm={confirm}
      onCancel={onCancel}
      signedOutMessage={signedOutMessage}
      focusAfterClose={focusAfterClose}
    >
      <p className="font-semibold">
        {items} for <MoneyAmount amountCents={amountCents} />
      </p>
      {isPart ? (
        <p>
          Its pieces go back into stock for others, and nothing is charged for it. The rest of order {number} stays, and can still be paid.
        </p>
      ) : (
        <p>
          Its pieces go back into stock for others, and it cannot be paid any more.{' '}
          {hasTransferred ? transferredBackText : 'Nothing is charged.'}
        </p>
      )}
    </ConfirmDialog>
  )
}

export const cancelledTitle = (number: number, isPart = false): string =>
  isPart ? `This part of order ${number} is cancelled` : `Order ${number} is cancelled`

/** What became of the pieces and the money. */
export const cancelledText = (items: string, isPart = false, hasTransferred = false): ReactNode =>
  `${items} went back into stock. ${isPart ? 'Nothing was charged for it, and the rest of the order stays.' : hasTransferred ? transferredBackText : 'Nothing was charged.'}`

const transferredBackText = 'What you have transferred goes back to the account that it came from.'
