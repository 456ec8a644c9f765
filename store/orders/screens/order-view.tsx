import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet, useRevalidator } from 'react-router'
import { formatCard, type OrderHistoryEntry } from '#store/orders/contract.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { hasEnded, isPaid, isPayable, OrderStatusSummary, wholeOrderAgainUrl } from '#store/orders/screens/order-status-summary.tsx'
import { PayLink } from '#store/orders/screens/pay-link.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CancelPartButton, canCancelPart, useCancellation } from './cancellation.tsx'
import type { DisplayedOrder } from './displayed-order.ts'
import { accountStatusText } from './on-account-text.tsx'
import { useOrderAccess } from './order-access.ts'
import { OrderDetailsItems } from './order-details-items.tsx'
import { OrderDocuments } from './order-documents.tsx'
import { OrderSummary } from './order-summary.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { Parcels } from './parcels.tsx'
import { type Payer, payerOf } from './payer.ts'
import { awaitsTransfer, TransferPanel } from './transfer-panel.tsx'
import { WithdrawalSection } from './withdrawal-section.tsx'

/** Apart, as most orders that are looked at were not sent yet. */
const OrderReturns = lazy(() => import('./returns/order-returns.tsx'))

type OrderViewProps = {
  order: DisplayedOrder
  history: OrderHistoryEntry[]
  details: OrderDetails | null
  breadcrumbs?: ReactNode
  /** below the summary */
  children?: ReactNode
}

/** One order for its buyer: status, actions, timeline and summary. */
export function OrderView({ order: loaded, history, details, breadcrumbs, children }: OrderViewProps) {
  const access = useOrderAccess()
  const cancellation = useCancellation(loaded)
  const { revalidate } = useRevalidator()
  const { order, ask } = cancellation
  const isMailMissing = order.state === 'open' && history.some(({ event, mail }) => event === 'placed' && mail === 'none')

  return (
    <Page title={`Order ${order.number}`} breadcrumbs={breadcrumbs} wide>
      {cancellation.notice}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:block print:space-y-6">
        <div className="flex flex-col gap-6">
          <Panel as="section" variant="raised" aria-label="How it stands" className="flex flex-col items-start gap-3">
            <StatusSummary order={order} />
            <div ref={cancellation.actionsRef} className="mt-1 flex flex-wrap gap-3">
              <OrderActions order={order} onCancel={() => ask(undefined)} />
            </div>
            {isMailMissing && <p className="text-sm text-soft">{access.isByLink ? noMailToGuestText : noMailText}</p>}
          </Panel>
          {awaitsTransfer(order) && <TransferPanel order={order} />}
          <Parcels order={order} />
          {order.shipments.length > 0 && (
            <Suspense>
              <OrderReturns order={order} onChanged={revalidate} />
            </Suspense>
          )}
          <section aria-labelledby="story" className="flex flex-col gap-4">
            <h2 id="story" className="text-xl">
              What happened, and what comes next
            </h2>
            <OrderTimeline order={order} history={history} />
          </section>
        </div>
        <div className="flex flex-col gap-4 print:mt-6">
          <OrderSummary
            order={order}
            details={details}
            lineAction={(line) => (
              <>
                {canCancelPart(order, line) && <CancelPartButton order={order} line={line} onPress={() => ask(line)} />}
                <ReviewLink order={order} line={line} />
              </>
            )}
          >
            <OrderDetailsItems details={details} lines={order.lines} isEnded={hasEnded(order)} awaitsTransfer={awaitsTransfer(order)} />
          </OrderSummary>
          <OrderDocuments order={order} />
          <WithdrawalSection order={order} />
          {children}
          <p className="text-sm text-soft print:hidden">
            Something wrong with it? <TextLink to="/help#contact">Write to us</TextLink> and name order {order.number}. How it comes to you
            and goes back: <TextLink to="/help#delivery">delivery</TextLink>, <TextLink to="/help#returns">returns and refunds</TextLink>.
          </p>
        </div>
      </div>
      {cancellation.dialog}
    </Page>
  )
}

/** To the review of the product of a line that its buyer has paid for. A guest has no account to write it from. */
function ReviewLink({ order, line }: { order: DisplayedOrder; line: OrderLine }) {
  const { isByLink, isViewer } = useOrderAccess()
  const stands = line.inTotal && line.cancelled < line.quantity && line.refundedCents < line.chargedCents
  if (!isPaid(order) || !stands || isByLink || !isViewer(order.buyerEmail)) return null
  return (
    <TextLink to={`/dashboard/review/${line.productId}`} aria-label={`Your review of ${line.productName}`} className="print:hidden">
      Your review
    </TextLink>
  )
}

const noMailText =
  'No mail was sent about this order: an address that is not verified gets one about its first order, and the receipt once an order is paid.'
const noMailToGuestText =
  'No mail was sent about this order: keep the address of this page, which leads to it. The receipt comes by mail once it is paid.'

function StatusSummary({ order }: { order: DisplayedOrder }) {
  const payer = payerOf(order, useOrderAccess())
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <MoneyAmount amountCents={order.totalCents} className="text-2xl font-semibold" />
        <span>
          <OrderStatusSummary order={order} />
        </span>
        {isPaid(order) && order.fulfilmentStatus === 'partly_sent' && <StatusBadge kind="neutral">Partly sent</StatusBadge>}
      </p>
      <p>{statusText(order, payer)}</p>
      {order.transectionId && (
        <p className="text-sm text-soft">
          Transaction ID: <span className="figures break-all text-ink select-all">{order.transectionId}</span>
        </p>
      )}
    </>
  )
}

function statusText(order: DisplayedOrder, payer: Payer): ReactNode {
  if (order.paymentMethod === 'on_account') return accountStatusText(order)
  if (isPaid(order) && order.paidAt)
    return (
      <>
        Paid <DateTime at={order.paidAt} />
        {order.paymentMethod === 'bank_transfer' && ' by bank transfer'}
        {order.card && ` with ${formatCard(order.card)}`}
        {payer.name && ` by ${payer.name}`}.
      </>
    )
  if (order.state === 'open')
    return order.checking ? (
      'We are checking the payment. You need not pay again.'
    ) : (
      <>
        {order.paymentMethod === 'bank_transfer' && 'We wait for your transfer. '}The pieces are held for you until{' '}
        <DateTime at={order.holdUntil} />. Not paid by then, the order ends{order.paymentStatus === 'unpaid' && ' and nothing is charged'}.
      </>
    )
  if (order.transectionId)
    return `${payer.isViewer ? 'Your' : 'The'} money goes back to ${payer.card}. Banks take up to ten days to show it.`
  return order.state === 'expired' ? (
    <>
      It was not paid by <DateTime at={order.holdUntil} />, and its pieces went back into stock. Nothing was charged.
    </>
  ) : (
    'Its pieces went back into stock. Nothing was charged.'
  )
}

function OrderActions({ order, onCancel }: { order: DisplayedOrder; onCancel: () => void }) {
  const access = useOrderAccess()
  const again = access.isByLink ? undefined : wholeOrderAgainUrl(order) // the form is for accounts
  if (isPayable(order))
    return (
      <>
        <PayLink order={order}>Pay Now</PayLink>
        <Button variant="quiet" onClick={onCancel}>
          Cancel order
        </Button>
      </>
    )
  if (order.state === 'open') return null
  return (
    <>
      {order.transectionId && (
        <ButtonLink to={access.paymentUrl(order)} variant={isPaid(order) ? 'action' : 'quiet'}>
          Receipt
        </ButtonLink>
      )}
      <Outlet context={order} />
      {again && (
        <ButtonLink to={again} variant="quiet">
          Order again
        </ButtonLink>
      )}
    </>
  )
}
