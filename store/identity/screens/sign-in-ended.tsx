import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { loginFrom } from './way-back.ts'

/** Said within a form whose session ended while it was filled in: the form stays, its draft outlives the sign-in. */
export function SignInEnded() {
  return (
    <Notice kind="error" title={title} ref={focused} action={<SignInAndGoOn />}>
      {kept}
    </Notice>
  )
}

/** The same, said before anything is sent, to whoever has signed out in another tab. */
export function SignedOutElsewhere() {
  return (
    <Notice kind="warning" title={title} action={<SignInAndGoOn />}>
      {kept}
    </Notice>
  )
}

const title = 'Your sign-in has ended'
const kept = 'Sign in to go on. What you typed is kept.'
const SignInAndGoOn = () => <ButtonLink to={loginFrom(location.href)}>Sign in and go on</ButtonLink>
