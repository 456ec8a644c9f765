import { Outlet, redirect, useLocation } from 'react-router'
import { loginUrlReturningTo } from '#store/identity/screens/return-url.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { accessTokenStorage } from '#web/access-token.ts'
import { accountStorage } from '#web/account.ts'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { Loading } from '#web/loading.tsx'
import { announceOpenTab } from '#web/open-tabs.ts'
import { Page } from '#web/page.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import type { Route } from './+types/signed-in'
import { DashboardFrame } from './dashboard.tsx'

/** Guard for signed-in pages: redirects visitors to /login and back. Authorization is checked by the server. */
const requireSignIn: Route.ClientMiddlewareFunction = ({ request }) => {
  if (!accessTokenStorage.get() || !accountStorage.get())
    throw redirect(productUrlForBasket(new URL(request.url)) ?? loginUrlReturningTo(request.url))
  announceOpenTab()
}

/** A basket is ordered without an account, too: a visitor to the page of a purchase buys at that of its product. */
function productUrlForBasket({ pathname, searchParams }: URL): string | undefined {
  const [, id] = /^\/purchase\/([^/]+)$/.exec(pathname) ?? []
  if (!id || document.documentElement.dataset.sellsByBasket === undefined) return undefined
  const quantity = searchParams.get('quantity')
  return `/products/${id}${quantity ? `?${new URLSearchParams({ quantity })}` : ''}`
}

export const clientMiddleware = [requireSignIn]

/** The server renders only the layout, which is the same for all users. */
export const headers = () => cacheUntilChanged('listings')

// Without a loader React Router would render the page before it runs the middleware.
export const clientLoader = () => null

/** Layout with a skeleton, displayed while the sign-in is checked and the page loads its data. */
export function HydrateFallback() {
  const { pathname } = useLocation()
  const inDashboard = pathname.startsWith('/dashboard') || pathname.startsWith('/company')
  const placeholder = (
    <Page title="One moment" wide={inDashboard}>
      <Loading>Checking your sign-in</Loading>
      <Skeleton rows={6} />
      <JavaScriptRequired />
    </Page>
  )
  return inDashboard ? <DashboardFrame waiting>{placeholder}</DashboardFrame> : <div className="min-h-dvh">{placeholder}</div>
}

export default Outlet
