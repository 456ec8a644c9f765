import { redirect, useSearchParams } from 'react-router'
import { cacheUntilChanged } from '#store/topics.ts'
import { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { Loading } from '#web/loading.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/google-callback'
import { safeReturnUrl } from './return-url.ts'
import { completeGoogleSignIn } from './session.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Sign in with Google | Nucleus of PC' }]
export const headers = () => cacheUntilChanged('listings')

/** The page after Google's redirect: the server knows the user from its session cookie. The query parameter `error` is set on failure. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  if (searchParams.has('error')) return failWith(searchParams.get('error') ?? '')
  try {
    await completeGoogleSignIn()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'not_signed_in' ? failWith('unknown') : failWith('', error.message)
  }
  throw redirect(safeReturnUrl(searchParams.get('from')))
}

/** @param errorCode of the sign-in provider */
function failWith(errorCode: string, message = errorMessages[errorCode] ?? errorMessages.unknown) {
  toast(message, { kind: 'error' })
  return { message, nextStep: nextStepsByErrorCode[errorCode] ?? 'Nothing was changed. Try again, or sign in with your e-mail.' }
}

/** Anybody can put any code into the URL, so only these codes have a message of their own. */
const errorMessages = {
  unknown: 'The sign-in with Google did not work: try again',
  account_not_linked: 'Verify your e-mail first',
  email_not_verified: 'Google has not verified this e-mail: use another account, or register with a password',
  access_denied: 'You cancelled the sign-in with Google',
  state_mismatch: 'This sign-in took too long, or began in another window: try again',
  INVALID_EMAIL_OR_PASSWORD: 'This account is closed',
} as Record<string, string> & { unknown: string }

/** What to do next, where it differs from trying again. */
const nextStepsByErrorCode: Record<string, string> = {
  account_not_linked:
    'This e-mail is registered here with a password and was never verified. If you registered it, sign in with the password and verify it on My Profile. If not, press Reset Password. Then Google works as well.',
}

export function HydrateFallback() {
  return (
    <Page narrow title="Sign in with Google">
      <Loading>Finishing the sign-in</Loading>
      <JavaScriptRequired />
    </Page>
  )
}

export default function GoogleCallback({ loaderData: { message, nextStep } }: Route.ComponentProps) {
  const from = useSearchParams()[0].get('from')
  return (
    <Page narrow title="Sign in with Google">
      <Notice
        kind="error"
        title={message}
        action={<ButtonLink to={`/login${from ? `?${new URLSearchParams({ from })}` : ''}`}>Back to the login</ButtonLink>}
      >
        {nextStep}
      </Notice>
    </Page>
  )
}
