import { type ReactNode, useEffect, useRef } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteLoaderData,
} from 'react-router'
import { door } from '#web/door.ts'
import { noteEarlyActs, repeatEarlyActs } from '#web/early-acts.ts'
import sans from '#web/fonts/geist.woff2?url'
import mono from '#web/fonts/geist-mono.woff2?url'
import { InlineScript } from '#web/inline-script.tsx'
import { fetchScripts } from '#web/scripts-after-paint.ts'
import { send } from '#web/send.ts'
import { shop } from '#web/shop.ts'
import { applyTheme } from '#web/theme.ts'
import { Toasts } from '#web/toast.tsx'
import '#web/styles.css'
import type { Route } from './+types/root'
import { listCategories } from './catalogue/contract.ts'
import { Footer } from './pages/screens/footer.tsx'
import { Header } from './pages/screens/header.tsx'
import { NotFound } from './pages/screens/not-found.tsx'
import { Trouble } from './pages/screens/trouble.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  // A frame without its categories is a frame all the same.
  const categories = await send(listCategories, {}, context.get(door)).catch(() => [])
  return { ...context.get(shop), categories: categories.slice(0, mostCategories).map(({ key, label }) => ({ key, label })) }
}

/** So many have room in the bar of a wide window. */
const mostCategories = 6

export const meta: Route.MetaFunction = () => [{ title: 'Nucleus of PC' }]

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
  ...[sans, mono].map((href) => ({ rel: 'preload', href, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' }) as const),
]

/** The frame of every page, of those that went wrong too: then the loader's data may be missing. */
export function Layout({ children }: { children: ReactNode }) {
  const about = useRouteLoaderData<typeof loader>('root')
  const { pathname, hash } = useLocation()
  useFocusOnTitle(pathname, hash)
  useEffect(repeatEarlyActs, [])

  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* the board's green of styles.css: a browser's bar reads no variables */}
        <meta name="theme-color" content="#0b3b2e" />
        {/* The page comes in one piece, so it is laid out and painted in one piece: shown half, a slow phone lays it out three times. */}
        <link rel="expect" href="#end" blocking="render" />
        <InlineScript run={applyTheme} />
        <InlineScript run={import.meta.env.SSR ? noteEarlyActs : undefined} />
        <Meta />
        <Links />
      </head>
      <body>
        <SkipLink to="main">Skip to the content</SkipLink>
        {/* before the products stand some sixty filters */}
        {pathname === '/allproducts' && <SkipLink to="products">Skip to the products</SkipLink>}
        <Underway />
        {about?.testMode && <TestModeBar />}
        <Header categories={about?.categories ?? []} />
        <Toasts />
        <div className="flex-1">{children}</div>
        <Footer sinceYear={about?.sinceYear} categories={about?.categories ?? []} />
        <ScrollRestoration />
        <Scripts />
        <InlineScript run={import.meta.env.SSR ? fetchScripts : undefined} />
        <template id="end" />
      </body>
    </html>
  )
}

function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      className="sr-only z-50 rounded bg-panel px-4 py-3 font-semibold text-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {children}
    </a>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <Trouble error={error} />
  return (
    <>
      <title>Page not found | Nucleus of PC</title>
      <NotFound />
    </>
  )
}

function TestModeBar() {
  return (
    <aside aria-label="Test mode" className="bg-warn-tint px-4 py-1.5 text-center text-sm text-balance text-warn print:hidden">
      <strong>Test mode: no real money.</strong> Pay with card <span className="figures whitespace-nowrap">4242 4242 4242 4242</span>, any
      future date, any code.
    </aside>
  )
}

/** A line of copper at the top edge while the next page is fetched, if that takes longer than a glance. */
function Underway() {
  const busy = useNavigation().state !== 'idle'
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50">
      {busy && (
        <div className="h-1 animate-late bg-copper">
          <span className="sr-only">Loading</span>
        </div>
      )}
    </div>
  )
}

/** A new page begins at its title, for those who hear the page and those who move by keyboard. The first page begins where the browser says. */
function useFocusOnTitle(pathname: string, hash: string) {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (hash) return
    const title = document.querySelector('h1')
    title?.setAttribute('tabindex', '-1')
    title?.focus({ preventScroll: true })
  }, [pathname, hash])
}
