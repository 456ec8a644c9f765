import { type ComponentProps, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { createPaymentIntent } from '#store/orders/payments/contract.ts'
import { hasEnded, isPaid, wholeOrderAgainUrl } from '#store/orders/screens/order-status-summary.tsx'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CardForm, OtherAccountNotice } from './card-form.tsx'
import { type DisplayedOrder, formatOrderNumbers, getOnlyLine, loadOrder } from './displayed-order.ts'
import { OrderOnAccount } from './on-account-text.tsx'
import { type OrderAccess, useOrderAccess } from './order-access.ts'
import { loadOrderDetails, OrderDetailsSummary } from './order-details-items.tsx'
import { OrderSummary } from './order-summary.tsx'
import { EndedOrder, PaidOrder } from './paid-or-ended-order.tsx'
import { PaymentBeingChecked } from './payment-being-checked.tsx'
import { awaitsTransfer, TransferPanel } from './transfer-panel.tsx'

/** An order with its payment, if it can be paid now, or why it cannot. */
export type PayableOrder = {
  order: DisplayedOrder
  details: OrderDetails | null
  /** the e-mail of the account that has opened it: the buyer's, or that of another member of their company; null: none has, see `OrderAccess` */
  openedBy: string | null
  intent?: Parameters<typeof CardForm>[0]['intent'] | undefined
  refused?: ApiError | undefined
}

/** Opens the payment of an order that waits for it. */
export async function loadPayment(order: DisplayedOrder, access: OrderAccess): Promise<PayableOrder> {
  const openedBy = access.isByLink ? null : (accountStorage.get()?.email ?? null)
  const [details, payment] = await Promise.all([loadOrderDetails(order._id, access), openPayment(order, access)])
  return { order, details, openedBy, ...payment }
}

async function openPayment(order: DisplayedOrder, access: OrderAccess): Promise<Partial<PayableOrder>> {
  if (order.state !== 'open' || order.checking || awaitsTransfer(order)) return {}
  try {
    return { intent: await access.call(createPaymentIntent, { body: paymentOf(order) }) }
  } catch (refused) {
    if (!(refused instanceof ApiError)) throw refused
    // Paid in another tab, ended, or its payment is being checked: the reloaded order shows that.
    return { order: await loadOrder(order._id, access), refused }
  }
}

const paymentOf = ({ _id: orderId, productCost }: DisplayedOrder) => ({ orderId, productCost })

export function paymentTitle(order: DisplayedOrder): string {
  if (order.paymentMethod === 'on_account') return `Order ${order.number}`
  if (isPaid(order)) return 'Receipt'
  if (awaitsTransfer(order)) return `Transfer for order ${order.number}`
  return hasEnded(order) || order.checking ? `Payment of order ${order.number}` : `Pay for order ${order.number}`
}

/** An order on its way to being paid, its receipt, or how it has ended. */
export function PaymentView(payable: PayableOrder) {
  const { order, details } = payable
  if (order.paymentMethod === 'on_account') return <OrderOnAccount order={order} />
  if (isPaid(order)) return <PaidOrder order={order} details={details} />
  if (hasEnded(order)) return <EndedOrder order={order} details={details} />
  return <UnpaidOrder key={order._id} {...payable} />
}

/** Two columns: the order's summary in the narrower one, the form in the wider one. */
const twoColumnClasses = 'grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-8'

/** An open order: the card form, unless its payment is being checked. */
function UnpaidOrder(payable: PayableOrder) {
  const { order, details, openedBy } = payable
  const { revalidate } = useRevalidator()
  const [confirmed, setConfirmed] = useState<{ transectionId: string; bySomebodyElse: boolean }>()
  const [news, setNews] = useState<News>()

  if (confirmed?.bySomebodyElse)
    return (
      <div className={twoColumnClasses}>
        <OrderSummary order={order} details={details} />
        <OtherAccountNotice openedBy={openedBy ?? order.buyerEmail} transectionId={confirmed.transectionId} />
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
        <OrderSummary order={order} details={details} className="lg:order-first" />
      </div>
    )
  return (
    <OrderToPay
      {...payable}
      news={news}
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
  )
}

/** What has become of the payment that was open before. */
type News = 'not taken' | 'closed'

type OrderToPayProps = PayableOrder &
  Pick<ComponentProps<typeof CardForm>, 'onKnown' | 'onChecking' | 'onClosed'> & { news: News | undefined }

/** The order beside the card form, or beside why it cannot be paid now. */
function OrderToPay({ order, details, openedBy, intent, refused, news, ...results }: OrderToPayProps) {
  const access = useOrderAccess()
  const [byCard, setByCard] = useState<PayableOrder['intent']>() // where a transfer was chosen first
  const shown = intent ?? byCard
  const isOfOwnBasket = details !== null && order.paymentMethod === 'card' && (access.isByLink || openedBy === order.buyerEmail) // other members have baskets of their own
  return (
    <>
      {order.replaces.length > 0 && <ReplacedOrders numbers={order.replaces} />}
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
        <OrderSummary order={order} details={details} showsHold action={<HowToChange order={order} isOfOwnBasket={isOfOwnBasket} />}>
          <OrderDetailsSummary details={details} />
        </OrderSummary>
        {shown ? (
          <CardForm key={shown.clientSecret} order={order} intent={shown} openedBy={openedBy} {...results} />
        ) : awaitsTransfer(order) ? (
          <TransferPanel order={order} onCard={async () => setByCard(await access.call(createPaymentIntent, { body: paymentOf(order) }))} />
        ) : (
          refused && <CannotPayNotice order={order} refused={refused} />
        )}
      </div>
    </>
  )
}

/** How an order that is not paid yet is cancelled or changed. */
function HowToChange({ order, isOfOwnBasket }: { order: DisplayedOrder; isOfOwnBasket: boolean }) {
  const access = useOrderAccess()
  return (
    <p className="text-sm">
      <TextLink to={access.orderUrl(order)}>Cancel the order</TextLink>
      {!getOnlyLine(order) && ', or a part of it, on its page'}.{' '}
      {isOfOwnBasket ? (
        <>
          To change it, go back to{' '}
          <TextLink to="/cart" prefetch="none">
            the basket
          </TextLink>{' '}
          and order again: as long as it asks for one of these products, that replaces this order.
        </>
      ) : (
        'To change it, cancel it and order again.'
      )}
    </p>
  )
}

/** What was cancelled for the order that is paid now. */
function ReplacedOrders({ numbers }: { numbers: number[] }) {
  const isOne = numbers.length === 1
  return (
    <Notice kind="info" title={`This order replaces ${formatOrderNumbers(numbers)}`}>
      {isOne ? 'It was' : 'They were'} not paid and asked for some of the same products, so {isOne ? 'it is' : 'they are'} cancelled:
      nothing is ordered twice, and nothing was charged.
    </Notice>
  )
}

/** Why the card form cannot be shown now, with the next step. */
function CannotPayNotice({ order, refused: { code, message, retryAt } }: { order: DisplayedOrder; refused: ApiError }) {
  const access = useOrderAccess()
  const { revalidate, state } = useRevalidator()
  const isRetryHelpful = useHasCome(code === 'too_many_requests' ? retryAt : undefined)
  const again = access.isByLink ? undefined : wholeOrderAgainUrl(order)
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
            <ButtonLink to={access.orderUrl(order)}>Order {order.number}</ButtonLink>
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
