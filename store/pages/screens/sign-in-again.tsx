import { useEffect } from 'react'
import { accessTokenStorage } from '#web/access-token.ts'
import { accountStorage } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { Page } from '#web/page.tsx'

/** When the session has ended on the server. Links to the sign-in, which returns to this page. */
export function SignInAgain({ from }: { from: string }) {
  useEffect(() => {
    accessTokenStorage.clear()
    accountStorage.clear()
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
