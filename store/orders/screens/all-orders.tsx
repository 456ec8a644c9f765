import { listAllOrders } from '#store/orders/contract.ts'
import { Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { Cell, Row, Table } from '#web/table.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/all-orders'

export const meta: Route.MetaFunction = () => [{ title: 'Manage All Orders | Nucleus of PC' }]

export const clientLoader = async () => ({ orders: await send(listAllOrders, {}) })

export default function AllOrders({ loaderData: { orders } }: Route.ComponentProps) {
  return (
    <Page title="Manage All Orders" wide>
      {orders.length === 0 ? (
        <Notice kind="info" title="No orders yet">
          What customers order stands here as soon as it is placed.
        </Notice>
      ) : (
        <Table
          caption={orders.length === 1 ? '1 order' : `${orders.length} orders, newest first`}
          head={[
            { label: 'Buyer Name' },
            { label: 'Buyer Email' },
            { label: 'Buyer Address' },
            { label: 'Product Name' },
            { label: 'Product Quantity', figures: true },
            { label: 'Total Cost', figures: true },
            { label: 'Payment Status' },
          ]}
        >
          {orders.map((order) => (
            <Row key={order._id}>
              <Cell label="Buyer Name" head className="@3xl:min-w-40">
                {order.buyerName}
                <span className="block font-normal text-soft">
                  Order {order.number}, <When at={order.placedAt} />
                </span>
              </Cell>
              <Cell label="Buyer Email">{order.buyerEmail}</Cell>
              <Cell label="Buyer Address">{order.buyerAddress}</Cell>
              <Cell label="Product Name">{order.productName}</Cell>
              <Cell label="Product Quantity" figures>
                {order.productQuantity}
              </Cell>
              <Cell label="Total Cost" figures>
                <Dollars amount={order.productCost} />
              </Cell>
              <Cell label="Payment Status">
                {order.paid ? <Status kind="good">Paid</Status> : <Status kind="bad">Not paid yet</Status>}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Page>
  )
}
