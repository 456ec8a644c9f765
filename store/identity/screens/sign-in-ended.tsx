import { useAccount } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { loginFrom } from './way-back.ts'

/** Said within a form whose session ended while it was filled in: the form stays, its draft outlives the sign-in. */
export function SignInEnded() {
  return (
    <Notice
      kind="error"
      title="Your sign-in has ended"
      ref={focused}
      action={<ButtonLink to={loginFrom(location.href)}>Sign in and go on</ButtonLink>}
    >
      What you typed is kept.
    </Notice>
  )
}

/** Said within a form whose account was signed out in another tab, before anything is sent. */
export function SignedOutElsewhere() {
  if (useAccount()) return null
  return (
    <Notice kind="warning" title="You were signed out" action={<ButtonLink to={loginFrom(location.href)}>Sign in and go on</ButtonLink>}>
      Sign in to go on. What you typed is kept.
    </Notice>
  )
}
