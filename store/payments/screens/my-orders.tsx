import { useRef, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { forget } from '#store/identity/screens/session.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { signedOutOfOrders } from '#store/identity/screens/signed-out.tsx'
import { listOrdersOf, type Order } from '#store/orders/contract.ts'
import { hasEnded, OrderAgain, OrderStatus } from '#store/orders/screens/order-status.tsx'
import { cancelOrder } from '#store/payments/contract.ts'
import { account } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { Cell, Row, Table } from '#web/table.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/my-orders'

export const meta: Route.MetaFunction = () => [{ title: 'My Orders | Nucleus of PC' }]

export async function clientLoader() {
  try {
    return { orders: await send(listOrdersOf, { querystring: { buyerEmail: account.get()?.email ?? '' } }) }
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || (refusal.status !== 401 && refusal.status !== 403)) throw refusal
    forget()
    throw redirect(signedOutOfOrders)
  }
}

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const [asked, ask] = useState<{ order: Order; open: boolean }>()
  const [cancelled, setCancelled] = useState<Order>()
  const orders = loaderData.orders.map((order) => (order._id === cancelled?._id ? cancelled : order)) // at once, before the list comes anew
  const row = useRef<HTMLTableRowElement>(null)

  function askAbout(order: Order, button: HTMLElement) {
    setCancelled(undefined)
    row.current = button.closest('tr')
    ask({ order, open: true })
  }

  async function cancel(order: Order) {
    try {
      const ended = await send(cancelOrder, { params: { id: order._id }, body: {} })
      setCancelled(ended)
      ask({ order, open: false })
      toast(`Order ${order.number} is cancelled`)
    } catch (refusal) {
      // Paid or ended meanwhile, or being checked: the row says so, once the dialog is closed.
      if (refusal instanceof Refusal && (refusal.status === 409 || refusal.status === 503)) await revalidate()
      throw refusal
    }
    await revalidate()
  }

  return (
    <Page title="My Orders" wide>
      {cancelled && (
        <Notice kind="success" title={`Order ${cancelled.number} is cancelled`}>
          {cancelled.productQuantity} x {cancelled.productName} went back into stock. Nothing was charged.
        </Notice>
      )}
      {orders.length === 0 ? (
        <div className="flex flex-col items-start gap-4">
          <img src="/drawings/empty.svg" alt="" width="320" height="200" className="max-w-full" />
          <h2 className="text-xl">No orders yet</h2>
          <p>What you order stands here, to be paid and followed.</p>
          <ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>
        </div>
      ) : (
        <Table
          caption={orders.length === 1 ? '1 order' : `${orders.length} orders, newest first`}
          head={[
            { label: 'No.', figures: true },
            { label: 'Product Name' },
            { label: 'Product Quantity', figures: true },
            { label: 'Product Cost', figures: true },
            { label: 'Buyer Name' },
            { label: 'Buyer Email' },
            { label: 'Buyer Address' },
            { label: 'Pay' },
          ]}
        >
          {orders.map((order, index) => (
            <Row key={order._id}>
              <Cell label="No." figures>
                {index + 1}
              </Cell>
              <Cell label="Product Name" head className="@3xl:min-w-48">
                {order.productName}
                <span className="block text-soft">
                  Order {order.number}, <When at={order.placedAt} />
                </span>
              </Cell>
              <Cell label="Product Quantity" figures>
                {order.productQuantity}
              </Cell>
              <Cell label="Product Cost" figures>
                <Dollars amount={order.productCost} />
              </Cell>
              <Cell label="Buyer Name">{order.buyerName}</Cell>
              <Cell label="Buyer Email" className="@3xl:min-w-36 @3xl:wrap-anywhere">
                {order.buyerEmail}
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Pay" className="@3xl:min-w-56">
                <Pay order={order} onCancel={(button) => askAbout(order, button)} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {asked && (
        <Question
          open={asked.open}
          title={`Cancel order ${asked.order.number}?`}
          act={`Cancel order ${asked.order.number}`}
          keep="Keep it"
          busyWords="Cancelling"
          onAct={() => cancel(asked.order)}
          onKeep={() => ask({ ...asked, open: false })}
          ended={<SignInEnded />}
          focusAfter={() => row.current?.querySelector<HTMLElement>('td:last-child :is(button, a)') ?? null}
        >
          <p className="font-semibold">
            {asked.order.productQuantity} x {asked.order.productName} for <Dollars amount={asked.order.productCost} />
          </p>
          <p>Its pieces go back into stock for others, and it cannot be paid any more. Nothing is charged.</p>
        </Question>
      )}
    </Page>
  )
}

/** What the buyer can do with an order now, and how it stands. */
function Pay({ order, onCancel }: { order: Order; onCancel: (button: HTMLElement) => void }) {
  const payment = `/dashboard/payment/${order._id}`
  if (order.state === 'open' && order.checking)
    return (
      <>
        <OrderStatus order={order} />
        <span className="block">You need not pay again.</span>
      </>
    )
  if (order.state === 'open')
    return (
      order.productCost > 0 && (
        <span className="flex flex-col gap-2 @max-3xl:items-end @3xl:items-start">
          <ButtonLink dense to={payment} aria-label={`Pay Now, order ${order.number}`} className="whitespace-nowrap">
            Pay Now
          </ButtonLink>
          <span>
            held until <When at={order.holdUntil} />
          </span>
          <Button dense look="quiet" aria-label={`Cancel order ${order.number}`} onClick={({ currentTarget }) => onCancel(currentTarget)}>
            Cancel order
          </Button>
        </span>
      )
    )
  return (
    <>
      <OrderStatus order={order} />
      {order.transectionId && (
        <>
          <span className="block">
            Transaction ID: <span className="figures break-all">{order.transectionId}</span>
          </span>
          <span className="block min-h-6">
            <TextLink to={payment} aria-label={`Receipt of order ${order.number}`}>
              Receipt
            </TextLink>
          </span>
        </>
      )}
      {hasEnded(order) && (
        <span className="block min-h-6">
          <OrderAgain order={order} />
        </span>
      )}
    </>
  )
}
