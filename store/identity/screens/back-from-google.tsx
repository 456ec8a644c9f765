import { redirect, useSearchParams } from 'react-router'
import { ButtonLink } from '#web/button.tsx'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/back-from-google'
import { enterFromGoogle } from './session.ts'
import { wayBack } from './way-back.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Sign in with Google | Nucleus of PC' }]
export const headers = () => ({ 'x-shows': 'shelves' })

/** Google was here: the server knows who it is, and `error` says why it did not work. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  if (searchParams.has('error')) return refused(words[searchParams.get('error') ?? ''] ?? words.unknown)
  try {
    await enterFromGoogle()
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    return refused(refusal.status === 401 ? words.unknown : refusal.message)
  }
  throw redirect(wayBack(searchParams.get('from')))
}

function refused(message: string) {
  toast(message, { kind: 'error' })
  return { message }
}

/** The address may say any code, so only these become words. */
const words = {
  unknown: 'The sign-in with Google did not work: try again',
  account_not_linked: 'Verify your e-mail first',
  email_not_verified: 'Google has not verified this e-mail: use another account, or register with a password',
  access_denied: 'You cancelled the sign-in with Google',
  state_mismatch: 'This sign-in took too long, or began in another window: try again',
  INVALID_EMAIL_OR_PASSWORD: 'This account is closed',
} as Record<string, string> & { unknown: string }

/** What to do next, where it differs from trying again. */
const nextStep: Record<string, string> = {
  'Verify your e-mail first':
    'This e-mail is registered here with a password and was never verified. If you registered it, sign in with the password and verify it on My Profile. If not, press Reset Password. Then Google works as well.',
}

export function HydrateFallback() {
  return (
    <Page doorstep title="Sign in with Google">
      <Loading>Finishing the sign-in</Loading>
      <NeedsScript />
    </Page>
  )
}

export default function BackFromGoogle({ loaderData: { message } }: Route.ComponentProps) {
  const from = useSearchParams()[0].get('from')
  return (
    <Page doorstep title="Sign in with Google">
      <Notice
        kind="error"
        title={message}
        action={<ButtonLink to={`/login${from ? `?${new URLSearchParams({ from })}` : ''}`}>Back to the login</ButtonLink>}
      >
        {nextStep[message] ?? 'Nothing was changed. Try again, or sign in with your e-mail.'}
      </Notice>
    </Page>
  )
}
