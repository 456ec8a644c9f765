import { useEffect } from 'react'
import { isRouteErrorResponse, useLocation } from 'react-router'
import { account } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { Scene } from '#web/scene.tsx'
import { token } from '#web/token.ts'

/** What a page shows that could not be shown. Trying again loads it anew: what failed may lie in the page itself. */
export function Trouble({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  if (error instanceof Refusal && error.status === 401) return <SignInAgain from={pathname + search} />
  return (
    <>
      <title>This page could not be shown | Nucleus of PC</title>
      <Page title="This page could not be shown">
        <Scene name="trouble" />
        <Notice kind="error" title={whatHappened(error)}>
          Try again. If you were ordering or paying, look at My Orders in the dashboard before you do it a second time.
        </Notice>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.location.assign(pathname + search)}>Try again</Button>
          <ButtonLink to="/" look="quiet" reloadDocument>
            Home
          </ButtonLink>
        </div>
      </Page>
    </>
  )
}

/** The sign-in has ended on the server. Nothing is wrong with the page: after signing in it is there again. */
function SignInAgain({ from }: { from: string }) {
  useEffect(() => {
    token.forget()
    account.forget()
  }, [])
  return (
    <>
      <title>Sign in again | Nucleus of PC</title>
      <Page title="Your sign-in has ended">
        <p>Sign in again, and you are back on this page. Nothing of your orders or payments is lost.</p>
        <ButtonLink to={`/login?${new URLSearchParams({ from })}`} className="self-start">
          Sign in and go on
        </ButtonLink>
      </Page>
    </>
  )
}

function whatHappened(error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (isRouteErrorResponse(error)) {
    // text where the store has refused the data of a page before any screen was asked
    const said: unknown = (typeof error.data === 'string' ? parsed(error.data) : error.data)?.message
    if (typeof said === 'string') return said
    if (error.status < 500) return 'The store did not accept this request.'
  }
  return 'Something went wrong on our side.'
}

function parsed(text: string): { message?: unknown } | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the page of a server in between
  }
}
