import { useEffect } from 'react'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { wholeOrderAgainUrl } from '#store/orders/screens/order-status-summary.tsx'
import type { PurchaseState } from '#store/orders/statuses.ts'
import { applyVisitorToNavigation } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Illustration } from '#web/illustration.tsx'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Timeline, TimelineItem } from '#web/timeline.tsx'
import { type DisplayedOrder, linesCountedInTotal } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'
import { OrderDocuments } from './order-documents.tsx'
import { OrderSummary } from './order-summary.tsx'
import { ToBeSent } from './order-timeline.tsx'
import { type Payer, payerOf } from './payer.ts'
import { ReceiptSheet } from './receipt.tsx'

type OrderWithDetails = { order: DisplayedOrder; details: OrderDetails | null }

/** A paid order: its receipt, and what happens next. */
export function PaidOrder({ order, details }: OrderWithDetails) {
  const access = useOrderAccess()
  const others = access.isOthers(order)
  const payer = payerOf(order, access)
  useEffect(applyVisitorToNavigation, []) // paying has taken its pieces out of the basket
  return (
    <>
      <Notice
        kind="success"
        title={others ? `Order ${order.number} is paid` : 'Payment successfully done...'}
        ref={focusOnMount}
        className="max-w-read print:hidden"
      >
        <p>
          <PaidAmount order={order} payer={payer} /> for <PaidItems order={order} />.
          {!others && ` Print or save this receipt${access.isByLink ? '' : '; the order stands as paid in My Orders'}.`}
        </p>
        {order.refundedCents > 0 && (
          <p>
            <MoneyAmount amountCents={order.refundedCents} /> of it goes back to {payer.card}. {refundDelayText}
          </p>
        )}
      </Notice>
      <ReceiptSheet order={order} details={details} />
      <div className="w-full max-w-read empty:hidden">
        <OrderDocuments order={order} />
      </div>
      <div className="flex flex-wrap gap-3">
        <PrintButton />
        <ButtonLink to={access.orderUrl(order)} variant="quiet">
          Order {order.number}
        </ButtonLink>
      </div>
      {!others && <NextSteps order={order} />}
    </>
  )
}

function PaidAmount({ order, payer }: { order: DisplayedOrder; payer: Payer }) {
  const amount = <MoneyAmount amountCents={order.totalCents} />
  if (payer.isViewer) return <>You have paid {amount}</>
  return payer.name ? (
    <>
      {payer.name} has paid {amount}
    </>
  ) : (
    <>{amount} was paid</>
  )
}

/** "5 x Drill", or "3 products", which the receipt below lists. */
function PaidItems({ order }: { order: DisplayedOrder }) {
  const lines = linesCountedInTotal(order)
  const [line] = lines
  if (!line || lines.length > 1) return `${lines.length} products`
  return (
    <>
      <GroupedDigits number={line.quantity} /> x {line.productName}
    </>
  )
}

function NextSteps({ order }: { order: DisplayedOrder }) {
  return (
    <section aria-labelledby="next" className="flex max-w-read flex-col gap-4 print:hidden">
      <div className="flex items-end justify-between gap-6">
        <h2 id="next" className="text-xl">
          What happens next
        </h2>
        <Illustration name="paid" className="w-36 max-sm:hidden" />
      </div>
      <Timeline label="What happens next">
        {order.paidAt && <TimelineItem title="Paid" at={order.paidAt} />}
        <TimelineItem kind="next" title="This receipt comes by mail">
          To {order.buyerEmail}
          {order.paidBy && ` and ${order.paidBy.email}`}
        </TimelineItem>
        <ToBeSent order={order} />
      </Timeline>
      <p className="text-sm text-soft">
        Something wrong? <TextLink to="/help#contact">Write to us</TextLink> and name order {order.number}.{' '}
        <TextLink to="/help#returns">Returns and refunds</TextLink>
      </p>
    </section>
  )
}

const refundDelayText = 'Banks take up to ten days to show it.'

const endedTitles: Partial<Record<PurchaseState, string>> = {
  expired: 'This order has expired',
  cancelled: 'This order is cancelled',
}

const refundedTitle = ({ isViewer, name }: Payer): string =>
  `The money of this order goes back${isViewer ? ' to you' : name ? ` to ${name}` : ''}`

/** An expired, cancelled or refunded order, and what happened to its payment. */
export function EndedOrder({ order, details }: OrderWithDetails) {
  const access = useOrderAccess()
  const others = access.isOthers(order)
  const payer = payerOf(order, access)
  const again = access.isByLink ? undefined : wholeOrderAgainUrl(order) // the form is for accounts
  return (
    <>
      <Notice
        kind={order.state === 'refunded' ? 'success' : 'info'}
        title={order.state === 'refunded' ? refundedTitle(payer) : endedTitles[order.state]}
        ref={focusOnMount}
        className="max-w-read"
      >
        {order.state === 'expired' && (
          <p>
            It was not paid by <DateTime at={order.holdUntil} />, and its pieces went back into stock.
          </p>
        )}
        {order.transectionId ? <RefundText order={order} payer={payer} /> : <p>Nothing was charged.</p>}
      </Notice>
      {order.transectionId ? (
        <ReceiptSheet order={order} details={details} />
      ) : (
        <OrderSummary order={order} details={details} className="w-full max-w-read" />
      )}
      <div className="flex flex-wrap gap-3">
        {!others && again && <ButtonLink to={again}>Order again</ButtonLink>}
        {order.transectionId && <PrintButton />}
      </div>
    </>
  )
}

function RefundText({ order, payer }: { order: DisplayedOrder; payer: Payer }) {
  const whose = payer.isViewer ? 'Your' : 'The'
  return (
    <p>
      {order.refundedCents > 0 ? (
        <>
          {whose} payment of <MoneyAmount amountCents={order.totalCents} /> goes back to {payer.card}.
        </>
      ) : (
        `${whose} payment came after the order had ended. It goes back to ${payer.card} by itself${payer.isViewer ? ': you need not do anything' : ''}.`
      )}{' '}
      {refundDelayText}
    </p>
  )
}

function PrintButton() {
  return (
    <Button variant="quiet" onClick={() => window.print()}>
      Print or save
    </Button>
  )
}
