import { useRevalidator } from 'react-router'
import { type Order, showOrder } from '#store/orders/contract.ts'
import { createPaymentIntent } from '#store/payments/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { orNotFound, send } from '#web/send.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/payment'
import { CardForm } from './card-form.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [{ title: `${loaderData?.order.paid ? 'Receipt' : 'Payment'} | Nucleus of PC` }]

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const order = await send(showOrder, { params }).catch(orNotFound)
  if (order.paid) return { order }
  try {
    return { order, intent: await send(createPaymentIntent, { body: { orderId: order._id, productCost: order.productCost } }) }
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    // Paid in another tab, or just found to be paid: then the order says so.
    return { order: await send(showOrder, { params }), refused: refusal.message }
  }
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData
  const { revalidate, state } = useRevalidator()
  return (
    <Page title={order.paid ? 'Receipt' : `Pay for order ${order.number}`}>
      {order.paid && (
        <Notice kind="success" title="Payment successfully done..." ref={focused}>
          <p>
            TransectionID: <span className="figures break-all">{order.transectionId}</span>
          </p>
          <p>
            You have paid <Dollars amount={order.productCost} /> for <GroupedDigits number={order.productQuantity} /> x {order.productName}.
            Print or save this receipt; the order stands as paid in My Orders.
          </p>
        </Notice>
      )}
      <Summary order={order} />
      {order.paid ? (
        <WhatNow />
      ) : loaderData.intent ? (
        <CardForm key={loaderData.intent.clientSecret} order={order} intent={loaderData.intent} onPaid={revalidate} />
      ) : (
        <Notice
          kind="error"
          title={loaderData.refused}
          action={
            <Button onClick={revalidate} busy={state === 'loading'}>
              Try again
            </Button>
          }
        />
      )}
    </Page>
  )
}

function Summary({ order }: { order: Order }) {
  const lines = [
    ['Order', `${order.number}`],
    ['Buyer', `${order.buyerName}, ${order.buyerEmail}`],
    ['Delivered to', order.buyerAddress],
    ['Product', order.productName],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded border border-line bg-panel p-4">
      {lines.map(([name, value]) => (
        <Line key={name} name={name ?? ''}>
          {value}
        </Line>
      ))}
      <Line name="Ordered">
        <When at={order.placedAt} />
      </Line>
      <Line name="Quantity">
        <GroupedDigits number={order.productQuantity} /> x <Dollars amount={order.productCost / order.productQuantity} />
      </Line>
      <Line name="Total">
        <Dollars amount={order.productCost} className="text-xl font-semibold" />
      </Line>
    </dl>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function WhatNow() {
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <ButtonLink to="/dashboard/myorder">My Orders</ButtonLink>
      <Button look="quiet" onClick={() => window.print()}>
        Print or save
      </Button>
    </div>
  )
}
