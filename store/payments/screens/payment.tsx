import { useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
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
import { TextLink } from '#web/text-link.tsx'
import { Happening, Timeline } from '#web/timeline.tsx'
import { Trail } from '#web/trail.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/payment'
import { BeingChecked } from './being-checked.tsx'
import { CardForm, SomebodyElse } from './card-form.tsx'
import { isOthers } from './is-others.ts'
import { OrderSummary } from './order-summary.tsx'
import { ReceiptSheet } from './receipt.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [{ title: `${loaderData ? titleOf(loaderData.order) : 'Payment'} | Nucleus of PC` }]

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const order = await send(showOrder, { params }).catch(orNotFound)
  // Nobody but the buyer can pay it; an admin may open the receipt.
  if (isOthers(order) && !order.transectionId) throw redirect(`/dashboard/order/${order._id}`)
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
  return hasEnded(order) || order.checking ? `Payment of order ${order.number}` : `Pay for order ${order.number}`
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData
  return (
    <Page title={titleOf(order)} wide trail={<Trail steps={[listStep(order), orderStep(order)]} />}>
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

const listStep = (order: Order) =>
  isOthers(order) ? { words: 'Manage All Orders', to: '/dashboard/manageallorders' } : { words: 'My Orders', to: '/dashboard/myorder' }
const orderStep = (order: Order) => ({
  words: `Order ${order.number}`,
  to: `/dashboard/${isOthers(order) ? 'order' : 'myorder'}/${order._id}`,
})

/** What it is about beside what is to be done: the first is read once, the second used. */
const sideBySide = 'grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-8'

type OpenProps = { order: Order; intent?: Parameters<typeof CardForm>[0]['intent'] | undefined; refused?: Refusal | undefined }

/** An order that is still to be paid, as far as the store knows: the card form, unless this browser or the store waits for an answer. */
function Open({ order, intent, refused }: OpenProps) {
  const { revalidate } = useRevalidator()
  const [confirmed, setConfirmed] = useState<{ transectionId: string; bySomebodyElse: boolean }>()
  const [news, setNews] = useState<'not taken' | 'closed'>()

  if (confirmed?.bySomebodyElse)
    return (
      <div className={sideBySide}>
        <OrderSummary order={order} />
        <SomebodyElse buyerEmail={order.buyerEmail} transectionId={confirmed.transectionId} />
      </div>
    )
  if (confirmed || order.checking)
    return (
      <div className={sideBySide}>
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
        <OrderSummary order={order} className="lg:order-first" />
      </div>
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
      <div className={sideBySide}>
        <OrderSummary
          order={order}
          held
          action={
            <p className="text-sm">
              <TextLink to={orderStep(order).to}>Cancel the order</TextLink>. To change it, cancel it and order again.
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
          refused && <NotNow order={order} refused={refused} />
        )}
      </div>
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
      <Notice kind="warning" title={message} action={<ButtonLink to={orderAgain(order)}>Order again</ButtonLink>}>
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
  const others = isOthers(order)
  return (
    <>
      <Notice
        kind="success"
        title={others ? `Order ${order.number} is paid` : 'Payment successfully done...'}
        ref={focused}
        className="max-w-read print:hidden"
      >
        <p>
          {others ? `${order.buyerName} has paid` : 'You have paid'} <Dollars amount={order.productCost} /> for{' '}
          <GroupedDigits number={order.productQuantity} /> x {order.productName}.
          {!others && ' Print or save this receipt; the order stands as paid in My Orders.'}
        </p>
        {order.refundedCents > 0 && (
          <p>
            <Amount amountCents={order.refundedCents} /> of it goes back to {others ? "the buyer's" : 'your'} card. {patience}
          </p>
        )}
      </Notice>
      <ReceiptSheet order={order} />
      <div className="flex flex-wrap gap-3">
        <PrintOrSave />
        <ButtonLink to={orderStep(order).to} look="quiet">
          Order {order.number}
        </ButtonLink>
      </div>
      {!others && <Next order={order} />}
    </>
  )
}

function Next({ order }: { order: Order }) {
  return (
    <section aria-labelledby="next" className="flex max-w-read flex-col gap-4 print:hidden">
      <div className="flex items-end justify-between gap-6">
        <h2 id="next" className="text-xl">
          What happens next
        </h2>
        <Scene name="paid" className="w-36 max-sm:hidden" />
      </div>
      <Timeline label="What happens next">
        {order.paidAt && <Happening title="Paid" at={order.paidAt} />}
        <Happening kind="next" title="This receipt comes by mail">
          To {order.buyerEmail}
        </Happening>
        <Happening kind="next" title="Your order is packed and sent">
          <TextLink to="/help#delivery">How long delivery takes</TextLink>
        </Happening>
      </Timeline>
      <p className="text-sm text-soft">
        Something wrong? <TextLink to="/help#contact">Write to us</TextLink> and name order {order.number}.{' '}
        <TextLink to="/help#returns">Returns and refunds</TextLink>
      </p>
    </section>
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
  const others = isOthers(order)
  return (
    <>
      <Notice
        kind={order.state === 'refunded' ? 'success' : 'info'}
        title={others && order.state === 'refunded' ? 'The money of this order goes back to the buyer' : endedWords[order.state]}
        ref={focused}
        className="max-w-read"
      >
        {order.state === 'expired' && (
          <p>
            It was not paid until <When at={order.holdUntil} />, and its pieces went back into stock.
          </p>
        )}
        {order.transectionId ? <MoneyBack order={order} /> : <p>Nothing was charged.</p>}
      </Notice>
      {order.transectionId ? <ReceiptSheet order={order} /> : <OrderSummary order={order} className="w-full max-w-read" />}
      <div className="flex flex-wrap gap-3">
        {!others && <ButtonLink to={orderAgain(order)}>Order again</ButtonLink>}
        {order.transectionId && <PrintOrSave />}
      </div>
    </>
  )
}

function MoneyBack({ order }: { order: Order }) {
  const others = isOthers(order)
  return (
    <p>
      {order.refundedCents > 0 ? (
        <>
          {others ? 'The' : 'Your'} payment of <Dollars amount={order.productCost} /> goes back to the card that{' '}
          {others ? 'the buyer' : 'you'} paid with.
        </>
      ) : others ? (
        "The payment came after the order had ended. It goes back to the buyer's card by itself."
      ) : (
        'Your payment came after the order had ended. It goes back to your card by itself: you need not do anything.'
      )}{' '}
      {patience}
    </p>
  )
}

function PrintOrSave() {
  return (
    <Button look="quiet" onClick={() => window.print()}>
      Print or save
    </Button>
  )
}
