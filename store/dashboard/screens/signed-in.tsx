import { Outlet, redirect, useLocation } from 'react-router'
import { loginFrom } from '#store/identity/screens/way-back.ts'
import { account } from '#web/account.ts'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Page } from '#web/page.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import { token } from '#web/token.ts'
import type { Route } from './+types/signed-in'
import { DashboardFrame } from './dashboard.tsx'

/** Screens for those who are signed in: a visitor goes to /login and comes back. What may be seen there, the server decides. */
const needSignIn: Route.ClientMiddlewareFunction = ({ request }) => {
  if (!token.get() || !account.get()) throw redirect(loginFrom(request.url))
}

export const clientMiddleware = [needSignIn]

/** The server renders frames only, the same for everybody. */
export const headers = () => ({ 'x-shows': 'shelves' })

// Without a loader React Router would show the screen before it has asked the guard.
export const clientLoader = () => null

/** The sign-in is being checked, and the screen asks for what it shows: its frame is there, and grey bars where it will stand. */
export function HydrateFallback() {
  const inDashboard = useLocation().pathname.startsWith('/dashboard')
  const waiting = (
    <Page title="One moment" wide={inDashboard}>
      <Loading>Checking your sign-in</Loading>
      <Skeleton rows={6} />
      <NeedsScript />
    </Page>
  )
  return inDashboard ? <DashboardFrame waiting>{waiting}</DashboardFrame> : <div className="min-h-dvh">{waiting}</div>
}

export default Outlet
