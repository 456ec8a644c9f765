import { type ReactNode, useRef, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { inFigures } from '#store/in-figures.ts'
import { cardWords, type HistoryLine, type Order, showHistory, showOrder } from '#store/orders/contract.ts'
import { canBePaid, isPaid, OrderStatus, orderAgain } from '#store/orders/screens/order-status.tsx'
import { PayLink } from '#store/orders/screens/pay-link.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { orNotFound, send } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { Trail } from '#web/trail.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/my-order'
import { CancelQuestion } from './cancel-question.tsx'
import { isOthers } from './is-others.ts'
import { OrderStory } from './order-story.tsx'
import { OrderSummary } from './order-summary.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Order ${loaderData.order.number}` : 'Order'} | Nucleus of PC` },
]

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs): Promise<{ order: Order; history: HistoryLine[] }> {
  const [order, history] = await Promise.all([send(showOrder, { params: { id } }), send(showHistory, { params: { id } })]).catch(orNotFound)
  if (isOthers(order)) throw redirect(`/dashboard/order/${id}`)
  return { order, history }
}

/** One order for its buyer: how it stands and what can be done now, what happened when, and all that was ordered. */
export default function MyOrder({ loaderData: { order: loaded, history } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const [asks, setAsks] = useState(false)
  const [cancelled, setCancelled] = useState<Order>()
  const standing = useRef<HTMLDivElement>(null)
  const order = cancelled && loaded.state === 'open' ? cancelled : loaded // at once, before it comes anew with its history

  return (
    <Page
      title={`Order ${order.number}`}
      trail={<Trail steps={[{ words: 'My Orders', to: '/dashboard/myorder' }, { words: `Order ${order.number}` }]} />}
      wide
    >
      {cancelled && (
        <Notice kind="success" title={`Order ${order.number} is cancelled`}>
          {inFigures(order.productQuantity)} x {order.productName} went back into stock. Nothing was charged.
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:block print:space-y-6">
        <div className="flex flex-col gap-6">
          <Panel as="section" look="raised" aria-label="How it stands" className="flex flex-col items-start gap-3">
            <Standing order={order} />
            <div ref={standing} className="mt-1 flex flex-wrap gap-3">
              <Acts order={order} onCancel={() => setAsks(true)} />
            </div>
          </Panel>
          <section aria-labelledby="story" className="flex flex-col gap-4">
            <h2 id="story" className="text-xl">
              What happened, and what comes next
            </h2>
            <OrderStory order={order} history={history} />
          </section>
        </div>
        <div className="flex flex-col gap-4 print:mt-6">
          <OrderSummary order={order}></OrderSummary>
          <p className="text-sm text-soft print:hidden">
            Something wrong with it? <TextLink to="/help#contact">Write to us</TextLink> and name order {order.number}. How it comes to you
            and goes back: <TextLink to="/help#delivery">delivery</TextLink>, <TextLink to="/help#returns">returns and refunds</TextLink>.
          </p>
        </div>
      </div>
      <CancelQuestion
        order={order}
        open={asks}
        onCancelled={(ended) => {
          setCancelled(ended)
          setAsks(false)
        }}
        onLook={revalidate}
        onKeep={() => setAsks(false)}
        focusAfter={() => standing.current?.querySelector<HTMLElement>(':is(button, a):last-child') ?? null}
      />
    </Page>
  )
}

/** How it stands, in a word and in a sentence. */
function Standing({ order }: { order: Order }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Dollars amount={order.productCost} className="text-2xl font-semibold" />
        <span>
          <OrderStatus order={order} />
        </span>
      </p>
      <p>{wordsFor(order)}</p>
      {order.transectionId && (
        <p className="text-sm text-soft">
          Transaction ID: <span className="figures break-all text-ink select-all">{order.transectionId}</span>
        </p>
      )}
    </>
  )
}

function wordsFor(order: Order): ReactNode {
  if (isPaid(order) && order.paidAt)
    return (
      <>
        Paid <When at={order.paidAt} />
        {order.card && ` with ${cardWords(order.card)}`}.
      </>
    )
  if (order.state === 'open')
    return order.checking ? (
      'We are checking the payment. You need not pay again.'
    ) : (
      <>
        The pieces are held for you until <When at={order.holdUntil} />. Not paid by then, the order ends and nothing is charged.
      </>
    )
  if (order.transectionId) return 'Your money goes back to the card that you paid with. Banks take up to ten days to show it.'
  return order.state === 'expired' ? (
    <>
      It was not paid until <When at={order.holdUntil} />, and its pieces went back into stock. Nothing was charged.
    </>
  ) : (
    'Its pieces went back into stock. Nothing was charged.'
  )
}

function Acts({ order, onCancel }: { order: Order; onCancel: () => void }) {
  const payment = `/dashboard/payment/${order._id}`
  if (canBePaid(order))
    return (
      <>
        <PayLink order={order}>Pay Now</PayLink>
        <Button look="quiet" onClick={onCancel}>
          Cancel order
        </Button>
      </>
    )
  if (order.state === 'open') return null
  return (
    <>
      {order.transectionId && (
        <ButtonLink to={payment} look={isPaid(order) ? 'action' : 'quiet'}>
          Receipt
        </ButtonLink>
      )}
      <ButtonLink to={orderAgain(order)} look="quiet">
        Order again
      </ButtonLink>
    </>
  )
}
