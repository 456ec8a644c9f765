import { lazy, Suspense, useEffect, useState } from 'react'
import type { Cart } from '#store/cart/contract.ts'
import { useLineCountInNavigation } from '#store/cart/screens/line-count.ts'
import type { CheckoutDefaults, LastOrder } from '#store/checkout/contract.ts'
import { type Account, accountStorage, applyVisitorToNavigation, useAccountAtOpening } from '#web/account.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Loading } from '#web/loading.tsx'
import { Page } from '#web/page.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import { useHydrated } from '#web/use-hydrated.ts'
import type { Route } from './+types/checkout'
import { cartCall, countriesCall, defaultsCall, formCall, joinCall, lastOrderCall } from './checkout-calls.ts'

// Not with the page: the list of all pages, which every page loads, would name its thirty parts.
const loadOrderForm = async () => ({ default: (await import('./order-form.tsx')).OrderForm })
const OrderForm = lazy(loadOrderForm)

// In the server's bundle alone: a browser that runs scripts shows nothing of it.
const PlainForm = import.meta.env.SSR ? (await import('./plain-form.tsx')).PlainForm : () => null

export async function loader({ request, context }: Route.LoaderArgs) {
  const call = context.get(apiCallerContext)
  const [cart, { countries }, form, { order: lastOrder, others: otherUnpaid }] = await Promise.all([
    call(cartCall, {}),
    call(countriesCall, {}),
    call(formCall, {}),
    call(lastOrderCall, {}),
  ])
  const refused = new URL(request.url).searchParams.get('refused')
  return { cart, countries, form, refused, lastOrder, otherUnpaid, idempotencyKey: crypto.randomUUID() }
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.refused && loaderData.form.refusal ? 'Error: ' : ''}Check out | Nucleus of PC` },
  { name: 'robots', content: 'noindex' },
]

/** Rendered for one visitor, whether they have an account or not: what is known of an account comes once the page is in their browser. */
export default function Checkout({ loaderData }: Route.ComponentProps) {
  const { countries, form, lastOrder, otherUnpaid } = loaderData
  const isHydrated = useHydrated()
  const account = useAccountAtOpening()
  const { cart, isJoining } = useJoinedCart(loaderData.cart)
  const known = useDefaults(account?.email)
  useLineCountInNavigation(cart.lines.length)
  useEffect(() => void loadOrderForm().catch(() => {}), []) // while the account's details are looked up
  return (
    <Page
      wide
      title="Check out"
      breadcrumbs={<Breadcrumbs steps={[{ label: 'Basket', to: '/cart', prefetch: 'none' }, { label: 'Check out' }]} />}
    >
      {cart.lines.length === 0 && !isJoining ? (
        <EmptyBasket lastOrder={lastOrder} account={account} />
      ) : isHydrated && known && !isJoining ? (
        <Suspense fallback={<Preparing />}>
          <OrderForm
            key={account?.email ?? ''}
            {...{ account, cart, countries, lastOrder, otherUnpaid }}
            defaults={known.defaults}
            typedBefore={form.typed}
          />
        </Suspense>
      ) : (
        <>
          <Preparing />
          <noscript>
            <PlainForm {...loaderData} />
          </noscript>
        </>
      )}
    </Page>
  )
}

const Preparing = () => (
  <div className="needs-script flex flex-col gap-6">
    <Loading>Looking up your details</Loading>
    <Skeleton rows={8} />
  </div>
)

/** Also for whoever comes back after paying. */
function EmptyBasket({ lastOrder, account }: { lastOrder: LastOrder | null; account: Account | null }) {
  const paid = lastOrder?.isPaid && lastOrder.orderUrl ? { number: lastOrder.number, url: lastOrder.orderUrl } : undefined
  return (
    <EmptyState
      illustration="no-orders"
      title={paid ? `Order ${paid.number} is paid` : 'Your basket is empty'}
      actions={
        <>
          {paid && <ButtonLink to={paid.url}>Order {paid.number}</ButtonLink>}
          <ButtonLink to="/allproducts" variant={paid ? 'quiet' : 'action'}>
            All tools
          </ButtonLink>
          {!paid && account && (
            <ButtonLink to="/dashboard/myorder" variant="quiet">
              My Orders
            </ButtonLink>
          )}
        </>
      }
    >
      {paid
        ? 'Your basket is empty now, and there is nothing more to pay.'
        : account
          ? 'What you have paid is in your orders.'
          : 'The mail about an order has a link that leads to it.'}
    </EmptyState>
  )
}

/**
 * The basket of the page, looked up again when the visitor comes back to it from another tab; where this browser did not know that of the account
 * yet, the two of them joined.
 */
function useJoinedCart(loaded: Cart) {
  const [joined, setJoined] = useState<{ loaded: Cart; cart: Cart }>()
  useEffect(() => {
    const lookAgain = () =>
      callApi(cartCall, {}).then(
        (cart) => {
          setJoined({ loaded, cart })
          applyVisitorToNavigation()
        },
        () => {}, // what the page shows stays, and ordering it says what is wrong
      )
    window.addEventListener('focus', lookAgain)
    return () => window.removeEventListener('focus', lookAgain)
  }, [loaded])
  const isHydrated = useHydrated()
  const isToJoin = isHydrated && accountStorage.get() !== null && !loaded.isOfAccount && joined?.loaded !== loaded
  useEffect(() => {
    if (!isToJoin) return
    callApi(joinCall, {}).then(
      (cart) => {
        setJoined({ loaded, cart })
        applyVisitorToNavigation()
      },
      () => setJoined({ loaded, cart: loaded }), // the session has ended: the form says so
    )
  }, [isToJoin, loaded])
  return { cart: joined?.loaded === loaded ? joined.cart : loaded, isJoining: isToJoin }
}

/** What the account has typed last. Undefined until it is known; without an account, or where it cannot be read, there is nothing. */
function useDefaults(email: string | undefined): { defaults: CheckoutDefaults | undefined } | undefined {
  const [known, setKnown] = useState<{ email: string; defaults: CheckoutDefaults | undefined }>()
  useEffect(() => {
    if (email === undefined) return
    callApi(defaultsCall, {})
      .catch((error) => {
        if (!(error instanceof ApiError)) throw error
        return undefined
      })
      .then((defaults) => setKnown({ email, defaults }))
  }, [email])
  if (email === undefined) return nothingKnown
  return known?.email === email ? known : undefined
}

const nothingKnown = { defaults: undefined }
