import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { type Order, type OrderState, showOrder } from '#store/orders/contract.ts'
import { hasEnded, isPaid, orderAgain } from '#store/orders/screens/order-status.tsx'
import { createPaymentIntent } from '#store/payments/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Amount, Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { Scene } from '#web/scene.tsx'
import { orNotFound, send } from '#web/send.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/payment'
import { BeingChecked } from './being-checked.tsx'
import { CardForm, SomebodyElse } from './card-form.tsx'
import { OrderSummary } from './order-summary.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [{ title: `${loaderData ? titleOf(loaderData.order) : 'Payment'} | Nucleus of PC` }]

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const order = await send(showOrder, { params }).catch(orNotFound)
  if (order.state !== 'open' || order.checking) return { order }
  try {
    return { order, intent: await send(createPaymentIntent, { body: { orderId: order._id, productCost: order.productCost } }) }
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused
    // Paid in another tab, ended, or in question: then the order says so.
    return { order: await send(showOrder, { params }), refused }
  }
}

function titleOf(order: Order): string {
  if (isPaid(order)) return 'Receipt'
  if (hasEnded(order)) return `Order ${order.number}`
  return order.checking ? `Payment of order ${order.number}` : `Pay for order ${order.number}`
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData
  return (
    <Page title={titleOf(order)}>
      {isPaid(order) ? (
        <Receipt order={order} />
      ) : hasEnded(order) ? (
        <Ended order={order} />
      ) : (
        <Open key={order._id} order={order} intent={loaderData.intent} refused={loaderData.refused} />
      )}
    </Page>
  )
}

type OpenProps = { order: Order; intent?: Parameters<typeof CardForm>[0]['intent'] | undefined; refused?: Refusal | undefined }

/** An order that is still to be paid, as far as the store knows: the card form, unless this browser or the store waits for an answer. */
function Open({ order, intent, refused }: OpenProps) {
  const { revalidate } = useRevalidator()
  const [confirmed, setConfirmed] = useState<{ transectionId: string; bySomebodyElse: boolean }>()
  const [news, setNews] = useState<'not taken' | 'closed'>()

  if (confirmed?.bySomebodyElse)
    return (
      <>
        <OrderSummary order={order} />
        <SomebodyElse buyerEmail={order.buyerEmail} transectionId={confirmed.transectionId} />
      </>
    )
  if (confirmed || order.checking)
    return (
      <>
        <BeingChecked
          order={order}
          transectionId={confirmed?.transectionId}
          onAnswer={async (answer) => {
            if (answer === 'somebody else' && confirmed) return setConfirmed({ ...confirmed, bySomebodyElse: true })
            if (answer === 'not taken') setNews(answer)
            await revalidate()
            setConfirmed(undefined)
          }}
        />
        <OrderSummary order={order} />
      </>
    )
  return (
    <>
      {news && intent && (
        <Notice
          kind="warning"
          title={news === 'closed' ? 'The payment that was open here was closed' : 'The payment did not go through'}
          ref={focused}
        >
          Nothing was charged. The order still stands: you can pay it below.
        </Notice>
      )}
      <OrderSummary order={order} held />
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
        refused && <NotNow order={order} refused={refused} />
      )}
    </>
  )
}

/** Why the card form does not open now, and how to go on. */
function NotNow({ order, refused: { status, message } }: { order: Order; refused: Refusal }) {
  const { revalidate, state } = useRevalidator()
  const tryAgain = (
    <Button onClick={revalidate} busy={state === 'loading'} busyWords="Asking again">
      Try again
    </Button>
  )
  if (status === 409)
    return (
      <Notice kind="warning" title={message} action={<GoOn order={order} />}>
        Nothing was charged.
      </Notice>
    )
  return (
    <Notice kind="error" title={message} action={tryAgain}>
      {status === 429 && 'Nothing was charged, and the order stays as it is.'}
    </Notice>
  )
}

function Receipt({ order }: { order: Order }) {
  return (
    <>
      <Scene name="paid" className="print:hidden" />
      <Notice kind="success" title="Payment successfully done..." ref={focused}>
        <TransectionId order={order} />
        <p>
          You have paid <Dollars amount={order.productCost} /> for <GroupedDigits number={order.productQuantity} /> x {order.productName}.
          Print or save this receipt; the order stands as paid in My Orders.
        </p>
        {order.refundedCents > 0 && (
          <p>
            <Amount amountCents={order.refundedCents} /> of it goes back to your card. {patience}
          </p>
        )}
      </Notice>
      <OrderSummary order={order} />
      <div className="flex flex-wrap gap-3 print:hidden">
        <ButtonLink to="/dashboard/myorder">My Orders</ButtonLink>
        <PrintOrSave />
      </div>
    </>
  )
}

const patience = 'Banks take up to ten days to show it.'

const endedWords: Partial<Record<OrderState, string>> = {
  expired: 'This order has expired',
  cancelled: 'This order is cancelled',
  refunded: 'The money of this order goes back to you',
}

/** What happened to an order that nobody can pay any more, and what became of its money. */
function Ended({ order }: { order: Order }) {
  return (
    <>
      <Notice kind={order.state === 'refunded' ? 'success' : 'info'} title={endedWords[order.state]} ref={focused}>
        {order.state === 'expired' && (
          <p>
            It was not paid until <When at={order.holdUntil} />, and its pieces went back into stock.
          </p>
        )}
        {order.transectionId ? <MoneyBack order={order} /> : <p>Nothing was charged.</p>}
      </Notice>
      <OrderSummary order={order} />
      <div className="flex flex-wrap gap-3 print:hidden">
        <GoOn order={order} />
        {order.transectionId && <PrintOrSave />}
      </div>
    </>
  )
}

function MoneyBack({ order }: { order: Order }) {
  return (
    <>
      <p>
        {order.refundedCents > 0 ? (
          <>
            Your payment of <Dollars amount={order.productCost} /> goes back to the card that you paid with.
          </>
        ) : (
          'Your payment came after the order had ended. It goes back to your card by itself: you need not do anything.'
        )}{' '}
        {patience}
      </p>
      <TransectionId order={order} />
    </>
  )
}

const TransectionId = ({ order }: { order: Order }) => (
  <p>
    TransectionID: <span className="figures break-all">{order.transectionId}</span>
  </p>
)

function GoOn({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap gap-3">
      <ButtonLink to={orderAgain(order)}>Order again</ButtonLink>
      <ButtonLink look="quiet" to="/dashboard/myorder">
        My Orders
      </ButtonLink>
    </div>
  )
}

function PrintOrSave() {
  return (
    <Button look="quiet" onClick={() => window.print()}>
      Print or save
    </Button>
  )
}
