import { useEffect, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { createPaymentIntent } from '#store/orders/payments/contract.ts'
import { hasEnded, isPaid, wholeOrderAgainUrl } from '#store/orders/screens/order-status-summary.tsx'
import { ApiError } from '#web/api-error.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/payment'
import { CardForm, OtherAccountNotice } from './card-form.tsx'
import { type DisplayedOrder, getOnlyLine, loadOrder } from './displayed-order.ts'
import { isOthersOrder } from './is-others-order.ts'
import { OrderSummary } from './order-summary.tsx'
import { EndedOrder, PaidOrder } from './paid-or-ended-order.tsx'
import { PaymentBeingChecked } from './payment-being-checked.tsx'

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
        <PaidOrder order={order} orderUrl={orderBreadcrumb(order).to} />
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
