import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
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
import { storeCurrency } from '#shared/currency.ts'
import { noFurtherCharges, sellsByBasketOnly } from '#shared/sale-terms.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { applyVisitorToNavigation } from '#web/account.ts'
import { type AddToCart, AddToCartContext, addToCartFormId, addToCartUrl } from '#web/add-to-cart.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { loadScriptsAfterPaint } from '#web/deferred-scripts.ts'
import sans from '#web/fonts/geist.woff2?url'
import mono from '#web/fonts/geist-mono.woff2?url'
import { InlineScript } from '#web/inline-script.tsx'
import { recordPreHydrationEvents, replayPreHydrationEvents } from '#web/pre-hydration-events.ts'
import { SaleTermsContext } from '#web/sale-terms.ts'
import { shopConfigContext } from '#web/shop-config.ts'
import { applyTheme } from '#web/theme.ts'
import { Toasts } from '#web/toast.tsx'
import '#web/styles.css'
import type { Route } from './+types/root'
import { ErrorPage } from './pages/screens/error-page.tsx'
import { Footer } from './pages/screens/footer.tsx'
import { Header } from './pages/screens/header.tsx'
import { NotFound } from './pages/screens/not-found.tsx'
import { listCategories } from './search/contract.ts'

export async function loader({ context }: Route.LoaderArgs) {
  // Without the categories the header and footer are still usable.
  const categories = await context
    .get(apiCallerContext)(listCategories, {})
    .catch(() => [])
  const { currency: _, timeZone: __, ...shopConfig } = context.get(shopConfigContext) // the browser has them from <html>
  return {
    ...shopConfig,
    categories: categories.slice(0, maxHeaderCategories).map(({ key, label }) => ({ key, label })),
  }
}

/** As many as fit into the header of a wide window. */
const maxHeaderCategories = 6

export const meta: Route.MetaFunction = () => [{ title: 'Nucleus of PC' }]

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
  { rel: 'prefetch', href: '/drawings/trouble.svg' }, // of the error page, which may be shown without a connection
  ...[sans, mono].map((href) => ({ rel: 'preload', href, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' }) as const),
]

/** The layout of every page, including error pages, for which the loader data may be missing. */
export function Layout({ children }: { children: ReactNode }) {
  const shopData = useRouteLoaderData<typeof loader>('root')
  const { pathname, hash } = useLocation()
  useFocusOnTitle(pathname, hash)
  useEffect(replayPreHydrationEvents, [])
  // The error page has a layout of its own. On the way to it and back React creates the attributes of <html> anew, without these.
  useLayoutEffect(() => {
    applyTheme()
    applyVisitorToNavigation()
  }, [])

  return (
    <html
      lang="en"
      {...(import.meta.env.SSR && {
        'data-currency': JSON.stringify(storeCurrency()),
        'data-time-zone': storeTimeZone(),
        'data-sells-by-basket': shopData && sellsByBasketOnly(shopData.saleTerms) ? '' : undefined,
      })}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* `--board` of styles.css: theme-color does not support CSS variables */}
        <meta name="theme-color" content="#0b3b2e" />
        {/* Blocks rendering until the whole page has arrived. A partially rendered page is laid out three times on a slow phone. */}
        <link rel="expect" href="#end" blocking="render" />
        <InlineScript run={applyTheme} />
        <InlineScript run={import.meta.env.SSR ? recordPreHydrationEvents : undefined} />
        <Meta />
        <Links />
      </head>
      <body>
        <SkipLink to="main">Skip to the content</SkipLink>
        {/* about sixty filters precede the products */}
        {pathname === '/allproducts' && <SkipLink to="products">Skip to the products</SkipLink>}
        <NavigationProgress />
        {shopData?.testMode && <TestModeBar />}
        <Header categories={shopData?.categories ?? []} />
        <Toasts />
        <SaleTermsContext value={shopData?.saleTerms ?? noFurtherCharges}>
          <AddToCartContext value={addToCart}>
            <div className="flex-1">{children}</div>
          </AddToCartContext>
          <form id={addToCartFormId} method="post" action={addToCartUrl} />
          <Footer sinceYear={shopData?.sinceYear} categories={shopData?.categories ?? []} />
        </SaleTermsContext>
        <ScrollRestoration />
        <Scripts />
        <InlineScript run={import.meta.env.SSR ? loadScriptsAfterPaint : undefined} />
        <template id="end" />
      </body>
    </html>
  )
}

/** Loads what puts products into the basket with the first press. */
const addToCart: AddToCart = async (line) => (await import('./cart/screens/add-to-cart.ts')).addToCart(line)

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
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage error={error} />
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

/** Progress line at the top edge while the next page loads, displayed after 0.3 s. */
function NavigationProgress() {
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

/** Focuses the title after a navigation, for screen reader and keyboard users. On the first page the browser decides. */
function useFocusOnTitle(pathname: string, hash: string) {
  const focusedPath = useRef(pathname)
  useEffect(() => {
    if (focusedPath.current === pathname) return
    focusedPath.current = pathname
    if (hash) return
    const title = document.querySelector('h1')
    title?.setAttribute('tabindex', '-1')
    title?.focus({ preventScroll: true })
  }, [pathname, hash])
}
