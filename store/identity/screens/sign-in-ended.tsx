import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { loginFrom } from './way-back.ts'

/** Said beside a form whose draft is kept: after signing in the visitor is back in it. */
export function SignInEnded() {
  return (
    <Notice kind="error" title="Your sign-in has ended" action={<ButtonLink to={loginFrom(location.href)}>Sign in and go on</ButtonLink>}>
      What you typed is kept.
    </Notice>
  )
}
