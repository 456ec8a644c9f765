import { useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { listAllOrders, type Order } from '#store/orders/contract.ts'
import { Empty } from '#web/empty.tsx'
import { Kinds } from '#web/kinds.tsx'
import { Dollars } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Cell, Row, Table } from '#web/table.tsx'
import { TextLink } from '#web/text-link.tsx'
import { onOtherPages, useListing } from '#web/use-listing.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/all-orders'
import { OrderStatus, standingOf, standings } from './order-status.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Manage All Orders | Nucleus of PC' }]

export const clientLoader = async () => ({ orders: await send(listAllOrders, {}) })

export const shouldRevalidate = onOtherPages

const ways = {
  text: ({ number, buyerName, buyerEmail, buyerAddress, productName, brand, transectionId }: Order) =>
    `${number} ${buyerName} ${buyerEmail} ${buyerAddress} ${productName} ${brand ?? ''} ${transectionId ?? ''}`,
  code: ({ mpn }: Order) => mpn ?? '',
  kind: standingOf,
  columns: {
    name: ({ buyerName }: Order) => buyerName,
    email: ({ buyerEmail }: Order) => buyerEmail,
    product: ({ productName }: Order) => productName,
    quantity: ({ productQuantity }: Order) => productQuantity,
    cost: ({ productCost }: Order) => productCost,
    status: standingOf,
  },
}

export default function AllOrders({ loaderData: { orders } }: Route.ComponentProps) {
  const { search } = useLocation()
  const table = useRef<HTMLDivElement>(null)
  const listing = useListing(orders, ways)
  const kinds = useMemo(
    () => standings.map((kind) => ({ kind, count: orders.filter((order) => standingOf(order) === kind).length })),
    [orders],
  )

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
      <Search listing={listing} label="Search orders, buyers, products and transactions" things={['order', 'orders']} />
      <Kinds listing={listing} label="Orders by payment status" kinds={kinds} />
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
                {order.buyerEmail}
              </Cell>
              <Cell label="Buyer Address" className="@3xl:min-w-28">
                {order.buyerAddress}
              </Cell>
              <Cell label="Product Name">{order.productName}</Cell>
              <Cell label="Product Quantity" figures>
                {order.productQuantity}
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
