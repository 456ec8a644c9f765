import { useAccount } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { loginUrlReturningTo } from './return-url.ts'

/** For a form whose session ended while it was filled in. The form stays, and its draft is kept across the sign-in. */
export function SessionEndedNotice() {
  return (
    <Notice kind="error" title={sessionEndedTitle} ref={focusOnMount} action={<SignInAgainLink />}>
      {draftKeptText}
    </Notice>
  )
}

/**
 * The same before anything is submitted, when the user has signed out in another tab. Nothing while they are signed in.
 * @param refusal of the form, which may say already that the session has ended
 */
export function SignedOutElsewhereNotice({ refusal }: { refusal?: ApiError | undefined }) {
  const account = useAccount()
  if (account || refusal?.code === 'not_signed_in') return null
  return (
    <Notice kind="warning" title={sessionEndedTitle} action={<SignInAgainLink />}>
      {draftKeptText}
    </Notice>
  )
}

const sessionEndedTitle = 'Your sign-in has ended'
const draftKeptText = 'Sign in to go on. What you typed is kept.'
const SignInAgainLink = () => <ButtonLink to={loginUrlReturningTo(location.href)}>Sign in and go on</ButtonLink>
