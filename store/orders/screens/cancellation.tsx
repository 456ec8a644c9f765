import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { cancelOrder, formatItem, formatItems, type OrderLine } from '#store/orders/order-contract.ts'
import { cancelPurchase } from '#store/orders/payments/contract.ts'
import { Button } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { CancelOrderDialog, cancelledText, cancelledTitle } from './cancel-order-dialog.tsx'
import { type DisplayedOrder, linesCountedInTotal, toDisplayedOrder } from './displayed-order.ts'
import { linkEndedTitle, useOrderAccess } from './order-access.ts'
import { isPayable } from './order-status-summary.tsx'

/** Whether its buyer can cancel this line, and the order goes on without it. */
export const canCancelPart = (order: DisplayedOrder, line: OrderLine): boolean =>
  isPayable(order) && line.inTotal && linesCountedInTotal(order).length > 1

type CancelPartButtonProps = { order: DisplayedOrder; line: OrderLine; onPress: () => void }

export const CancelPartButton = ({ order, line, onPress }: CancelPartButtonProps) => (
  <Button
    dense
    variant="quiet"
    className="mt-1 print:hidden"
    aria-label={`Cancel this part of order ${order.number}, ${line.productName}`}
    onClick={onPress}
  >
    Cancel this part
  </Button>
)

type Cancellation = {
  /** the order, as it is after it was cancelled */
  order: DisplayedOrder
  /** asks whether to cancel this line, or without one the whole order */
  ask: (line: OrderLine | undefined) => void
  /** what was cancelled */
  notice: ReactNode
  dialog: ReactNode
  /** of what contains the buttons of the whole order */
  actionsRef: RefObject<HTMLDivElement | null>
}

/** Cancels an order, or a line of it, for its buyer, once they have confirmed it. */
export function useCancellation(loaded: DisplayedOrder): Cancellation {
  const access = useOrderAccess()
  const { revalidate } = useRevalidator()
  const [asked, setAsked] = useState<{ line: OrderLine | undefined; isOpen: boolean }>()
  const [cancelled, setCancelled] = useState<{ items: string; isPart: boolean; order?: DisplayedOrder }>()
  const actionsRef = useRef<HTMLDivElement>(null)
  const order = cancelled?.order && loaded.state === 'open' ? cancelled.order : loaded // shown at once, until it is reloaded with its history
  const line = asked?.line
  const hasTransferred = order.transectionId !== null || order.paymentStatus === 'partly_paid' // the first once it is cancelled
  const items = line ? formatItem(line) : formatItems(linesCountedInTotal(order))

  async function cancel() {
    if (line) {
      await access.call(cancelPurchase, { params: { id: line._id }, body: {} })
      setCancelled({ items, isPart: true })
    } else {
      const ended = toDisplayedOrder(await access.call(cancelOrder, { params: { id: order._id }, body: {} }))
      setCancelled({ items, isPart: false, order: ended })
    }
    setAsked({ line, isOpen: false })
  }

  return {
    order,
    ask(line) {
      setCancelled(undefined)
      setAsked({ line, isOpen: true })
    },
    notice: cancelled && (
      <Notice kind="success" title={cancelledTitle(order.number, cancelled.isPart)}>
        {cancelledText(cancelled.items, cancelled.isPart, hasTransferred)}
      </Notice>
    ),
    dialog: asked && (
      <CancelOrderDialog
        number={order.number}
        items={items}
        amountCents={line ? line.chargedCents : order.totalCents}
        isPart={line !== undefined}
        hasTransferred={hasTransferred}
        open={asked.isOpen}
        cancel={cancel}
        onReload={revalidate}
        signedOutMessage={access.isByLink ? <Notice kind="error" title={linkEndedTitle} /> : undefined}
        onCancel={() => setAsked({ line, isOpen: false })}
        focusAfterClose={() =>
          (line ? null : actionsRef.current?.querySelector<HTMLElement>(':is(button, a):last-child')) ??
          document.querySelector<HTMLElement>('h1')
        }
      />
    ),
    actionsRef,
  }
}
