import { useEffect, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { createPaymentIntent } from '#store/orders/payments/contract.ts'
import { hasEnded, isPaid, wholeOrderAgainUrl } from '#store/orders/screens/order-status-summary.tsx'
import type { PurchaseState } from '#store/orders/statuses.ts'
import { ApiError } from '#web/api-error.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Illustration } from '#web/illustration.tsx'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Timeline, TimelineItem } from '#web/timeline.tsx'
import type { Route } from './+types/payment'
import { CardForm, OtherAccountNotice } from './card-form.tsx'
import { isOthersOrder } from './is-others-order.ts'
import { OrderSummary } from './order-summary.tsx'
import { PaymentBeingChecked } from './payment-being-checked.tsx'
import { ReceiptSheet } from './receipt.tsx'
import { type DisplayedOrder, getOnlyLine, linesCountedInTotal, loadOrder } from './shown-order.ts'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? pageTitle(loaderData.order) : 'Payment'} | Nucleus of PC` },
]

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const order = await loadOrder(params.id).catch(rethrowAsNotFound)
  // Nobody but the buyer can pay it; an admin may open the receipt.
  if (isOthersOrder(order) && !order.transectionId) throw redirect(`/dashboard/order/${order._id}`)
  if (order.state !== 'open' || order.checking) return { order }
  try {
    return { order, intent: await callApi(createPaymentIntent, { body: { orderId: order._id, productCost: order.productCost } }) }
  } catch (refused) {
    if (!(refused instanceof ApiError)) throw refused
    // Paid in another tab, ended, or its payment is being checked: the reloaded order shows that.
    return { order: await loadOrder(params.id), refused }
  }
}

function pageTitle(order: DisplayedOrder): string {
  if (isPaid(order)) return 'Receipt'
  return hasEnded(order) || order.checking ? `Payment of order ${order.number}` : `Pay for order ${order.number}`
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData
  return (
    <Page title={pageTitle(order)} wide breadcrumbs={<Breadcrumbs steps={[listBreadcrumb(order), orderBreadcrumb(order)]} />}>
      {isPaid(order) ? (
        <Receipt order={order} />
      ) : hasEnded(order) ? (
        <EndedOrder order={order} />
      ) : (
        <UnpaidOrder key={order._id} order={order} intent={loaderData.intent} refused={loaderData.refused} />
      )}
    </Page>
  )
}

const listBreadcrumb = (order: DisplayedOrder) =>
  isOthersOrder(order) ? { label: 'Manage All Orders', to: '/dashboard/manageallorders' } : { label: 'My Orders', to: '/dashboard/myorder' }
const orderBreadcrumb = (order: DisplayedOrder) => ({
  label: `Order ${order.number}`,
  to: `/dashboard/${isOthersOrder(order) ? 'order' : 'myorder'}/${order._id}`,
})

/** Two columns: the order's summary in the narrower one, the form in the wider one. */
const twoColumnClasses = 'grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-8'

type UnpaidOrderProps = {
  order: DisplayedOrder
  intent?: Parameters<typeof CardForm>[0]['intent'] | undefined
  refused?: ApiError | undefined
}

/** An open order: the card form, unless its payment is being checked. */
function UnpaidOrder({ order, intent, refused }: UnpaidOrderProps) {
  const { revalidate } = useRevalidator()
  const [confirmed, setConfirmed] = useState<{ transectionId: string; bySomebodyElse: boolean }>()
  const [news, setNews] = useState<'not taken' | 'closed'>()

  if (confirmed?.bySomebodyElse)
    return (
      <div className={twoColumnClasses}>
        <OrderSummary order={order} />
        <OtherAccountNotice buyerEmail={order.buyerEmail} transectionId={confirmed.transectionId} />
      </div>
    )
  if (confirmed || order.checking)
    return (
      <div className={twoColumnClasses}>
        <PaymentBeingChecked
          order={order}
          transectionId={confirmed?.transectionId}
          onResult={async (result) => {
            if (result === 'somebody else' && confirmed) return setConfirmed({ ...confirmed, bySomebodyElse: true })
            if (result === 'not taken') setNews(result)
            await revalidate()
            setConfirmed(undefined)
          }}
        />
        <OrderSummary order={order} className="lg:order-first" />
      </div>
    )
  return (
    <>
      {news && intent && (
        <Notice
          kind="warning"
          title={news === 'closed' ? 'The payment that was open here was closed' : 'The payment did not go through'}
          ref={focusOnMount}
        >
          Nothing was charged. The order still stands: you can pay it below.
        </Notice>
      )}
      <div className={twoColumnClasses}>
        <OrderSummary
          order={order}
          showsHold
          action={
            <p className="text-sm">
              <TextLink to={orderBreadcrumb(order).to}>Cancel the order</TextLink>
              {!getOnlyLine(order) && (
                <>
                  , or a part of it in <TextLink to="/dashboard/myorder">My Orders</TextLink>
                </>
              )}
              . To change it, cancel it and order again.
            </p>
          }
        />
        {intent ? (
          <CardForm
            key={intent.clientSecret}
            order={order}
            intent={intent}
            onKnown={revalidate}
            onChecking={(transectionId) => {
              setNews(undefined)
              setConfirmed({ transectionId, bySomebodyElse: false })
            }}
            onClosed={async () => {
              setNews('closed')
              await revalidate()
            }}
          />
        ) : (
          refused && <CannotPayNotice order={order} refused={refused} />
        )}
      </div>
    </>
  )
}

/** Why the card form cannot be shown now, with the next step. */
function CannotPayNotice({ order, refused: { code, message, retryAt } }: { order: DisplayedOrder; refused: ApiError }) {
  const { revalidate, state } = useRevalidator()
  const isRetryHelpful = useHasCome(code === 'too_many_requests' ? retryAt : undefined)
  const again = wholeOrderAgainUrl(order)
  const tryAgain = (
    <Button onClick={revalidate} busy={state === 'loading'} busyLabel="Asking again">
      Try again
    </Button>
  )
  if (code === 'order_not_open')
    return (
      <Notice
        kind="warning"
        title={message}
        action={
          again ? (
            <ButtonLink to={again}>Order again</ButtonLink>
          ) : (
            <ButtonLink to={orderBreadcrumb(order).to}>Order {order.number}</ButtonLink>
          )
        }
      >
        Nothing was charged.
      </Notice>
    )
  return (
    <Notice kind="error" title={message} action={isRetryHelpful && tryAgain}>
      {code === 'too_many_requests' && (
        <>
          {retryAt && !isRetryHelpful && (
            <>
              You can try again at <DateTime at={retryAt} />.{' '}
            </>
          )}
          Nothing was charged, and the order stays as it is.
        </>
      )}
    </Notice>
  )
}

/** Whether the time has come; looked at every second, since a timer of an hour stands still while the computer sleeps. */
function useHasCome(time: Date | undefined): boolean {
  const [now, setNow] = useState(Date.now)
  const hasCome = !time || time.getTime() <= now
  useEffect(() => {
    if (hasCome) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [hasCome])
  return hasCome
}

function Receipt({ order }: { order: DisplayedOrder }) {
  const others = isOthersOrder(order)
  return (
    <>
      <Notice
        kind="success"
        title={others ? `Order ${order.number} is paid` : 'Payment successfully done...'}
        ref={focusOnMount}
        className="max-w-read print:hidden"
      >
        <p>
          {others ? `${order.buyerName} has paid` : 'You have paid'} <MoneyAmount amountCents={order.totalCents} /> for{' '}
          <PaidItems order={order} />.{!others && ' Print or save this receipt; the order stands as paid in My Orders.'}
        </p>
        {order.refundedCents > 0 && (
          <p>
            <MoneyAmount amountCents={order.refundedCents} /> of it goes back to {others ? "the buyer's" : 'your'} card. {refundDelayText}
          </p>
        )}
      </Notice>
      <ReceiptSheet order={order} />
      <div className="flex flex-wrap gap-3">
        <PrintButton />
        <ButtonLink to={orderBreadcrumb(order).to} variant="quiet">
          Order {order.number}
        </ButtonLink>
      </div>
      {!others && <NextSteps order={order} />}
    </>
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
        </TimelineItem>
        <TimelineItem kind="next" title="Your order is packed and sent">
          <TextLink to="/help#delivery">How long delivery takes</TextLink>
        </TimelineItem>
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
  refunded: 'The money of this order goes back to you',
}

/** An expired, cancelled or refunded order, and what happened to its payment. */
function EndedOrder({ order }: { order: DisplayedOrder }) {
  const others = isOthersOrder(order)
  const again = wholeOrderAgainUrl(order)
  return (
    <>
      <Notice
        kind={order.state === 'refunded' ? 'success' : 'info'}
        title={others && order.state === 'refunded' ? 'The money of this order goes back to the buyer' : endedTitles[order.state]}
        ref={focusOnMount}
        className="max-w-read"
      >
        {order.state === 'expired' && (
          <p>
            It was not paid until <DateTime at={order.holdUntil} />, and its pieces went back into stock.
          </p>
        )}
        {order.transectionId ? <RefundText order={order} /> : <p>Nothing was charged.</p>}
      </Notice>
      {order.transectionId ? <ReceiptSheet order={order} /> : <OrderSummary order={order} className="w-full max-w-read" />}
      <div className="flex flex-wrap gap-3">
        {!others && again && <ButtonLink to={again}>Order again</ButtonLink>}
        {order.transectionId && <PrintButton />}
      </div>
    </>
  )
}

function RefundText({ order }: { order: DisplayedOrder }) {
  const others = isOthersOrder(order)
  return (
    <p>
      {order.refundedCents > 0 ? (
        <>
          {others ? 'The' : 'Your'} payment of <MoneyAmount amountCents={order.totalCents} /> goes back to the card that{' '}
          {others ? 'the buyer' : 'you'} paid with.
        </>
      ) : others ? (
        "The payment came after the order had ended. It goes back to the buyer's card by itself."
      ) : (
        'Your payment came after the order had ended. It goes back to your card by itself: you need not do anything.'
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
