import { redirect } from 'react-router'
import { type OrderHistoryEntry, showPurchaseHistory } from '#store/orders/contract.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import type { Route } from './+types/my-order'
import { type DisplayedOrder, loadOrder } from './displayed-order.ts'
import { isOthersOrder } from './is-others-order.ts'
import { accountAccess } from './order-access.ts'
import { loadOrderDetails } from './order-details-items.tsx'
import { OrderView } from './order-view.tsx'
import { loadVerified, UnverifiedBuyer } from './unverified-buyer.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Order ${loaderData.order.number}` : 'Order'} | Nucleus of PC` },
]

type LoadedOrder = { order: DisplayedOrder; history: OrderHistoryEntry[]; details: OrderDetails | null; verified: boolean }

export async function clientLoader({ params: { id } }: Route.ClientLoaderArgs): Promise<LoadedOrder> {
  const [order, history, details, verified] = await Promise.all([
    loadOrder(id),
    callApi(showPurchaseHistory, { params: { id } }),
    loadOrderDetails(id, accountAccess),
    loadVerified(),
  ]).catch(rethrowAsNotFound)
  if (isOthersOrder(order)) throw redirect(`/dashboard/order/${id}`)
  return { order, history, details, verified }
}

export default function MyOrder({ loaderData: { order, history, details, verified } }: Route.ComponentProps) {
  const steps = [{ label: 'My Orders', to: '/dashboard/myorder' }, { label: `Order ${order.number}` }]
  return (
    <OrderView order={order} history={history} details={details} breadcrumbs={<Breadcrumbs steps={steps} />}>
      {!verified && order.state === 'open' && <UnverifiedBuyer email={order.buyerEmail} />}
    </OrderView>
  )
}
