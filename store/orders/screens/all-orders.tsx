import { useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { inFigures } from '#store/in-figures.ts'
import { attentions, type Booking, bookingTimes, listAllOrders } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Kinds } from '#web/kinds.tsx'
import { findWithin } from '#web/listing.ts'
import { LongWord } from '#web/long-word.tsx'
import { Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Cell, Row } from '#web/row.tsx'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Table } from '#web/table.tsx'
import { TextLink } from '#web/text-link.tsx'
import { onOtherPages, useListing } from '#web/use-listing.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/all-orders'
import { OrderDays, Together } from './order-days.tsx'
import { attentionWords } from './order-lists.ts'
import { OrderStatus, standingOf, standings } from './order-status.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Manage All Orders | Nucleus of PC' }]

export const clientLoader = async () => ({ orders: await send(listAllOrders, {}) })

export const shouldRevalidate = onOtherPages

const ways = {
  text: ({ number, buyerName, buyerEmail, buyerAddress, productName, brand, transectionId }: Booking) =>
    `${number} ${buyerName} ${buyerEmail} ${buyerAddress} ${productName} ${brand ?? ''} ${transectionId ?? ''}`,
  number: ({ number }: Booking) => number,
  codes: ({ mpn, sku }: Booking) => [mpn ?? '', sku],
  phone: ({ phone_number }: Booking) => phone_number ?? '',
  kind: (order: Booking) => [standingOf(order), ...order.attention.map(attentionWords)],
  times: bookingTimes,
  columns: {
    name: ({ buyerName }: Booking) => buyerName,
    email: ({ buyerEmail }: Booking) => buyerEmail,
    product: ({ productName }: Booking) => productName,
    quantity: ({ productQuantity }: Booking) => productQuantity,
    cost: ({ productCost }: Booking) => productCost,
    status: standingOf,
  },
}

export default function AllOrders({ loaderData: { orders } }: Route.ComponentProps) {
  const { search } = useLocation()
  const table = useRef<HTMLDivElement>(null)
  const listing = useListing(orders, ways)
  const { time, from, to } = listing.view
  const ofDays = useMemo(() => findWithin(orders, { time, from, to }, bookingTimes), [orders, time, from, to])
  const counted = (kinds: string[]) =>
    kinds.map((kind) => ({ kind, count: ofDays.filter((order) => ways.kind(order).includes(kind)).length }))

  if (orders.length === 0)
    return (
      <Page title="Manage All Orders" wide>
        <Empty scene="no-orders" title="No orders yet">
          What customers order stands here as soon as it is placed.
        </Empty>
      </Page>
    )
  return (
    <Page title="Manage All Orders" wide>
      <Search
        listing={listing}
        label="Search order, phone and part numbers, buyers, products and transactions"
        things={['order', 'orders']}
      />
      <div className="flex flex-col gap-2">
        <Kinds listing={listing} label="Orders by payment status" kinds={counted(standings)} all={ofDays.length} />
        <Kinds listing={listing} label="Orders that ask for attention" kinds={counted(attentions.map(attentionWords))} />
      </div>
      <OrderDays listing={listing} />
      <Together listing={listing} />
      {listing.total === 0 && !listing.view.q && (
        <Notice
          kind="info"
          title="No order is in this list now"
          action={
            <ButtonLink look="quiet" to={{ search: '' }} defaultShouldRevalidate={false}>
              Show all orders
            </ButtonLink>
          }
        >
          Orders leave it as soon as they are paid, end or are looked at.
        </Notice>
      )}
      {listing.rows.length > 0 && (
        <Table
          ref={table}
          caption="Orders of all buyers"
          head={[
            { label: 'Buyer Name', sortBy: 'name' },
            { label: 'Buyer Email', sortBy: 'email' },
            { label: 'Buyer Address' },
            { label: 'Product Name', sortBy: 'product' },
            { label: 'Product Quantity', figures: true, sortBy: 'quantity' },
            { label: 'Total Cost', figures: true, sortBy: 'cost' },
            { label: 'Payment Status', sortBy: 'status' },
          ]}
          sorting={{ by: listing.view.sort, onSort: (sort) => listing.look({ sort }), unsorted: 'Newest first' }}
        >
          {listing.rows.map((order) => (
            <Row key={order._id}>
              <Cell label="Buyer Name" head className="@3xl:min-w-40">
                {order.buyerName}
                <span className="block font-normal text-soft">
                  <TextLink to={`/dashboard/order/${order._id}`} state={{ list: search }}>
                    Order {order.number}
                  </TextLink>
                  , <When at={order.placedAt} />
                </span>
              </Cell>
              <Cell label="Buyer Email" className="@3xl:min-w-36 @3xl:wrap-anywhere">
                <LongWord>{order.buyerEmail}</LongWord>
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Product Name">{order.productName}</Cell>
              <Cell label="Product Quantity" figures>
                {inFigures(order.productQuantity)}
              </Cell>
              <Cell label="Total Cost" figures>
                <Dollars amount={order.productCost} />
              </Cell>
              <Cell label="Payment Status" className="@3xl:min-w-56">
                <OrderStatus order={order} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Paging listing={listing} table={table} />
    </Page>
  )
}
