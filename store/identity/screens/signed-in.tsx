import { Outlet, redirect } from 'react-router'
import { account } from '#web/account.ts'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Page } from '#web/page.tsx'
import { token } from '#web/token.ts'
import type { Route } from './+types/signed-in'
import { loginFrom } from './way-back.ts'

/** Screens for those who are signed in: a visitor goes to /login and comes back. What may be seen there, the server decides. */
const needSignIn: Route.ClientMiddlewareFunction = ({ request }) => {
  if (!token.get() || !account.get()) throw redirect(loginFrom(request.url))
}

export const clientMiddleware = [needSignIn]

// Without a loader React Router would show the screen before it has asked the guard.
export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <Page title="One moment">
      <Loading>Checking your sign-in</Loading>
      <NeedsScript />
    </Page>
  )
}

export default Outlet
