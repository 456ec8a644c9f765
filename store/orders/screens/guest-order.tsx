import type { confirmGuestEmail } from '#store/orders/bank/contract.ts'
import { showPurchaseHistory } from '#store/orders/contract.ts'
import { orderIdOfToken } from '#store/orders/order-contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import type { EndpointRoute } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Loading } from '#web/loading.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import type { Route } from './+types/guest-order'
import { type DisplayedOrder, loadOrder } from './displayed-order.ts'
import { createLinkAccess, linkEndedTitle, type OrderAccess, OrderAccessContext } from './order-access.ts'
import { loadOrderDetails } from './order-details-items.tsx'
import { OrderView } from './order-view.tsx'
import { loadPayment, PaymentView, paymentTitle } from './payment-view.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.found ? `Order ${loaderData.found.order.number}` : 'Order'} | Nucleus of PC` },
  { name: 'robots', content: 'noindex' },
]

/** The server renders the same for every link. */
export const headers = () => cacheUntilChanged('listings')

/** The order that the link leads to, by the token in its address; with `?pay` its payment. Nothing once the link has ended. */
export async function clientLoader({ params: { id: token }, request }: Route.ClientLoaderArgs) {
  const orderId = orderIdOfToken(token)
  if (!orderId) return { found: undefined }
  const access = createLinkAccess(token)
  const { searchParams } = new URL(request.url)
  const isPaying = searchParams.has('pay')
  const proof = searchParams.get('mail')
  try {
    if (proof) await access.call(confirmCall, { params: { id: orderId }, body: { token: proof } }).catch(ignoreRefusal)
    return { found: await (isPaying ? loadPaymentOf(orderId, access) : loadHistoryOf(orderId, access)) }
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'not_signed_in' || error.code === 'not_found')) return { found: undefined }
    throw error
  }
}

/** Without its schema, which the page need not load. The order is shown whatever it answers. */
const confirmCall: EndpointRoute<typeof confirmGuestEmail> = { method: 'POST', url: '/orders/:id/confirmed-email' }
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof ApiError)) throw error
}

const loadPaymentOf = async (orderId: string, access: OrderAccess) => ({
  ...(await loadPayment(await loadOrder(orderId, access), access)),
  history: undefined,
})

async function loadHistoryOf(orderId: string, access: OrderAccess) {
  const [order, history, details] = await Promise.all([
    loadOrder(orderId, access),
    access.call(showPurchaseHistory, { params: { id: orderId } }),
    loadOrderDetails(orderId, access),
  ])
  return { order, history, details }
}

export function HydrateFallback() {
  return (
    <Page title="Your order" wide>
      <div className="needs-script flex flex-col gap-6">
        <Loading>Opening your order</Loading>
        <Skeleton rows={6} />
      </div>
      <noscript>
        <p>
          To pay by card, and to see how your order stands, this page needs JavaScript: switch it on in your browser, then load the page
          again. The mail about the order says where to transfer to, if you pay by bank transfer. An order that is not paid is held for a
          while. Keep the address of this page: it leads to your order.
        </p>
        {/* The token stands in the address of the page, to which a form without an action is sent. */}
        <form method="post" className="mt-4">
          <Button type="submit" variant="quiet">
            Withdraw from contract
          </Button>
        </form>
      </noscript>
    </Page>
  )
}

/** An order that was placed without an account, for whoever has its link. */
export default function GuestOrder({ loaderData: { found }, params: { id: token } }: Route.ComponentProps) {
  if (!found) return <EndedLink />
  const access = createLinkAccess(token)
  const { order, history, details } = found
  return (
    <OrderAccessContext value={access}>
      {history ? (
        <OrderView order={order} history={history} details={details}>
          <AccountOffer order={order} />
        </OrderView>
      ) : (
        <Page
          title={paymentTitle(order)}
          wide
          breadcrumbs={<Breadcrumbs steps={[{ label: `Order ${order.number}`, to: access.orderUrl(order) }]} />}
        >
          <PaymentView {...found} />
        </Page>
      )}
    </OrderAccessContext>
  )
}

function AccountOffer({ order }: { order: DisplayedOrder }) {
  const email = <BreakableText>{order.buyerEmail}</BreakableText>
  return (
    <Panel as="section" aria-labelledby="account" className="flex flex-col items-start gap-3 print:hidden">
      <h2 id="account" className="text-lg">
        {order.guest ? 'All your orders in one place' : 'This order is in My Orders'}
      </h2>
      <p>
        {order.guest ? (
          <>
            Register with {email} and verify it: this order then stands in My Orders, with all that you ordered with that e-mail before. An
            account that has verified it already shows what is ordered while you are signed in.
          </>
        ) : (
          <>Sign in with {email} to see it there with your other orders.</>
        )}{' '}
        This link goes on working.
      </p>
      <ButtonLink to={`/${order.guest ? 'register' : 'login'}?from=/dashboard/myorder`} variant="quiet">
        {order.guest ? 'Register' : 'Sign in'}
      </ButtonLink>
    </Panel>
  )
}

function EndedLink() {
  return (
    <Page title={linkEndedTitle}>
      <EmptyState
        illustration="nothing-found"
        title="There is no order at this link"
        actions={<ButtonLink to="/help#contact">Write to us</ButtonLink>}
      >
        Links to orders end 90 days after the order was placed. Is a part of it missing? Open it from the mail again.
      </EmptyState>
    </Page>
  )
}
