import { redirect } from 'react-router'
import { forget } from '#store/identity/screens/session.ts'
import { signedOutOfOrders } from '#store/identity/screens/signed-out.tsx'
import { listOrdersOf, type Order } from '#store/orders/contract.ts'
import { account } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { Dollars } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { Cell, Row, Table } from '#web/table.tsx'
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

export default function MyOrders({ loaderData: { orders } }: Route.ComponentProps) {
  return (
    <Page title="My Orders" wide>
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
              <Cell label="Buyer Email">{order.buyerEmail}</Cell>
              <Cell label="Buyer Address">{order.buyerAddress}</Cell>
              <Cell label="Pay">
                <Pay order={order} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Page>
  )
}

function Pay({ order }: { order: Order }) {
  if (!order.paid && order.productCost === 0) return null
  if (!order.paid)
    return (
      <ButtonLink dense to={`/dashboard/payment/${order._id}`} aria-label={`Pay Now, order ${order.number}`} className="whitespace-nowrap">
        Pay Now
      </ButtonLink>
    )
  return (
    <>
      <Status kind="good">Paid</Status>
      <span className="block">
        Transaction ID: <span className="figures break-all">{order.transectionId}</span>
      </span>
    </>
  )
}
