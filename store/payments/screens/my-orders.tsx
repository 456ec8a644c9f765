import { useMemo, useRef, useState } from 'react'
import { redirect, useRevalidator } from 'react-router'
import { forget } from '#store/identity/screens/session.ts'
import { signedOutOfOrders } from '#store/identity/screens/signed-out.tsx'
import { inFigures } from '#store/in-figures.ts'
import { type ListedOrder, listOrdersOf, type Order } from '#store/orders/contract.ts'
import { canBePaid, hasEnded, OrderAgain, OrderStatus, standingOf, standings } from '#store/orders/screens/order-status.tsx'
import { PartNumber } from '#store/orders/screens/ordered-part.tsx'
import { PayLink } from '#store/orders/screens/pay-link.tsx'
import { account } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Kinds } from '#web/kinds.tsx'
import { LongWord } from '#web/long-word.tsx'
import { Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Refusal } from '#web/refusal.ts'
import { Cell, Row } from '#web/row.tsx'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Table } from '#web/table.tsx'
import { TextLink } from '#web/text-link.tsx'
import { onOtherPages, useListing } from '#web/use-listing.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/my-orders'
import { CancelQuestion } from './cancel-question.tsx'

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

export const shouldRevalidate = onOtherPages

const ways = {
  text: ({ number, productName, brand, buyerAddress, transectionId }: ListedOrder) =>
    `${number} ${productName} ${brand ?? ''} ${buyerAddress} ${transectionId ?? ''}`,
  number: ({ number }: ListedOrder) => number,
  codes: ({ mpn, sku }: ListedOrder) => [mpn ?? '', sku],
  kind: standingOf,
  columns: {},
}

/** As many as are seen at a glance want no search. */
const glance = 5

export default function MyOrders({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const [asked, ask] = useState<{ order: Order; open: boolean }>()
  const [cancelled, setCancelled] = useState<Order>()
  // At once, before the list comes anew; what waits for money stands on top.
  const orders = useMemo(() => {
    const all = loaderData.orders.map((order) => (order._id === cancelled?._id ? { ...order, ...cancelled } : order))
    return [...all.filter(canBePaid), ...all.filter((order) => !canBePaid(order))]
  }, [loaderData.orders, cancelled])
  const waiting = orders.some(canBePaid)
  const listing = useListing(orders, ways)
  const kinds = useMemo(
    () => standings.map((kind) => ({ kind, count: orders.filter((order) => standingOf(order) === kind).length })),
    [orders],
  )
  const table = useRef<HTMLDivElement>(null)
  const row = useRef<HTMLTableRowElement>(null)
  const first = (listing.page - 1) * listing.view.rows

  function askAbout(order: Order, button: HTMLElement) {
    setCancelled(undefined)
    row.current = button.closest('tr')
    ask({ order, open: true })
  }

  return (
    <Page title="My Orders" wide>
      {cancelled && (
        <Notice kind="success" title={`Order ${cancelled.number} is cancelled`}>
          {inFigures(cancelled.productQuantity)} x {cancelled.productName} went back into stock. Nothing was charged.
        </Notice>
      )}
      {orders.length === 0 && (
        <Empty scene="no-orders" title="No orders yet" actions={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
          What you order stands here, to be paid and followed.
        </Empty>
      )}
      {(orders.length > glance || listing.view.q || listing.view.kind) && (
        <>
          <Search listing={listing} label="Search part numbers, products, orders and transactions" things={['order', 'orders']} />
          <Kinds listing={listing} label="Orders by payment status" kinds={kinds} />
        </>
      )}
      {listing.rows.length > 0 && (
        <Table
          ref={table}
          caption={orders.length === 1 ? '1 order' : `${orders.length} orders, ${waiting ? 'to be paid first, then ' : ''}newest first`}
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
          {listing.rows.map((order, place) => (
            <Row key={order._id}>
              <Cell label="No." figures>
                {first + place + 1}
              </Cell>
              <Cell label="Product Name" head className="@3xl:min-w-52">
                {order.productName}
                <PartNumber order={order} />
                <span className="block font-normal text-soft">
                  <TextLink to={`/dashboard/myorder/${order._id}`}>Order {order.number}</TextLink>, <When at={order.placedAt} />
                </span>
              </Cell>
              <Cell label="Product Quantity" figures>
                {inFigures(order.productQuantity)}
              </Cell>
              <Cell label="Product Cost" figures>
                <Dollars amount={order.productCost} />
              </Cell>
              <Cell label="Buyer Name">{order.buyerName}</Cell>
              <Cell label="Buyer Email" className="@3xl:min-w-36 @3xl:wrap-anywhere">
                <LongWord>{order.buyerEmail}</LongWord>
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Pay" className="@3xl:min-w-44 @5xl:min-w-60">
                <Pay order={order} onCancel={(button) => askAbout(order, button)} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {orders.length > 0 && <Paging listing={listing} table={table} />}
      {asked && (
        <CancelQuestion
          {...asked}
          onCancelled={(ended) => {
            setCancelled(ended)
            ask({ ...asked, open: false })
          }}
          onLook={revalidate}
          onKeep={() => ask({ ...asked, open: false })}
          focusAfter={() => row.current?.querySelector<HTMLElement>('td:last-child :is(button, a)') ?? null}
        />
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
          <span className="flex flex-wrap gap-2 @max-3xl:justify-end">
            <PayLink dense order={order} aria-label={`Pay Now, order ${order.number}`}>
              Pay Now
            </PayLink>
            <Button dense look="quiet" aria-label={`Cancel order ${order.number}`} onClick={({ currentTarget }) => onCancel(currentTarget)}>
              Cancel order
            </Button>
          </span>
          <OrderStatus order={order} />
          <span className="text-soft">
            held until <When at={order.holdUntil} />
          </span>
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
