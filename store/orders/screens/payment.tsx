import { redirect } from 'react-router'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { rethrowAsNotFound } from '#web/call-api.ts'
import { Page } from '#web/page.tsx'
import type { Route } from './+types/payment'
import { type DisplayedOrder, loadOrder } from './displayed-order.ts'
import { isOthersOrder } from './is-others-order.ts'
import { accountAccess } from './order-access.ts'
import { loadPayment, PaymentView, paymentTitle } from './payment-view.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? paymentTitle(loaderData.order) : 'Payment'} | Nucleus of PC` },
]

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const order = await loadOrder(params.id).catch(rethrowAsNotFound)
  // Nobody but the buyer can pay it; an admin may open the receipt.
  if (isOthersOrder(order) && !order.transectionId) throw redirect(`/dashboard/order/${order._id}`)
  return loadPayment(order, accountAccess)
}

export default function Payment({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData
  return (
    <Page title={paymentTitle(order)} wide breadcrumbs={<Breadcrumbs steps={[listBreadcrumb(order), orderBreadcrumb(order)]} />}>
      <PaymentView {...loaderData} />
    </Page>
  )
}

const listBreadcrumb = (order: DisplayedOrder) =>
  isOthersOrder(order) ? { label: 'Manage All Orders', to: '/dashboard/manageallorders' } : { label: 'My Orders', to: '/dashboard/myorder' }
const orderBreadcrumb = (order: DisplayedOrder) => ({ label: `Order ${order.number}`, to: accountAccess.orderUrl(order) })
