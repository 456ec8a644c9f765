import { lazy, Suspense } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate } from 'react-router'
import { ApiError, isNetworkFailure, serverUnreachableMessage } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Illustration } from '#web/illustration.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'

/** Loaded lazily: every page has this error page, and few visitors see it. */
const SignInAgain = lazy(async () => ({ default: (await import('./sign-in-again.tsx')).SignInAgain }))

/**
 * Displayed when a page fails. "Try again" reloads the document, since the loaded script itself may be at fault, but not without a
 * connection: the browser would show its own page instead.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  if (error instanceof ApiError && error.code === 'not_signed_in')
    return (
      <Suspense>
        <SignInAgain from={pathname + search} />
      </Suspense>
    )
  const tryAgain = () => (navigator.onLine ? window.location.assign(pathname + search) : navigate(pathname + search, { replace: true }))
  return (
    <>
      <title>This page could not be shown | Nucleus of PC</title>
      <Page title="This page could not be shown">
        <Illustration name="trouble" />
        <Notice kind="error" title={errorText(error)}>
          If you were ordering or paying, look at My Orders in the dashboard before you do it a second time.
        </Notice>
        <div className="flex flex-wrap gap-3">
          <Button onClick={tryAgain}>Try again</Button>
          <ButtonLink to="/" variant="quiet" reloadDocument>
            Home
          </ButtonLink>
        </div>
      </Page>
    </>
  )
}

function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (isNetworkFailure(error)) return serverUnreachableMessage
  if (isRouteErrorResponse(error)) {
    // a string if the server rejected the data request before React Router handled it
    const message: unknown = (typeof error.data === 'string' ? tryParseJson(error.data) : error.data)?.message
    if (typeof message === 'string') return message
    if (error.status < 500) return 'The store did not accept this request.'
  }
  return 'Something went wrong on our side.'
}

function tryParseJson(text: string): { message?: unknown } | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the HTML error page of a proxy
  }
}
