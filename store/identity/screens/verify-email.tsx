import { useState } from 'react'
import { showVerificationStatus, verifyEmail } from '#store/identity/contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { Loading } from '#web/loading.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import type { Route } from './+types/verify-email'
import { useGoogleSignInEnabled } from './google-button.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { clearSession } from './session.ts'
import { useLinkInOpenTab } from './use-link-in-open-tab.ts'
import { findVerificationOrigin } from './verification-origin.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Verify your e-mail | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]
export const headers = () => cacheUntilChanged('listings')

/** The verified address, the error message, or the token when it requires a new password. */
type VerificationResult = { email: string } | { refused: string } | { unusedToken: string }

/** The token is in the URL fragment, which browsers do not send, so it appears in no server log. */
export async function clientLoader(): Promise<VerificationResult> {
  const token = window.location.hash.slice(1)
  try {
    return await callApi(verifyEmail, { body: { token } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'password_required') return { unusedToken: token }
    return (await checkAlreadyVerified()) ?? { refused: error.message }
  }
}

/** Opening a used link or reloading the page shows success if the address of the signed-in account is verified. */
async function checkAlreadyVerified(): Promise<{ email: string } | undefined> {
  const signedIn = accountStorage.get()
  if (!signedIn) return undefined
  const { verified } = await callApi(showVerificationStatus, {}).catch(() => ({ verified: false }))
  return verified ? { email: signedIn.email } : undefined
}

export function HydrateFallback() {
  return (
    <Page narrow title="Verify your e-mail">
      <Loading>Verifying your e-mail</Loading>
      <JavaScriptRequired />
    </Page>
  )
}

export default function VerifyEmail({ loaderData }: Route.ComponentProps) {
  const withGoogle = useGoogleSignInEnabled()
  useLinkInOpenTab()
  return (
    <Page narrow title="Verify your e-mail">
      {'unusedToken' in loaderData ? (
        <VerifyWithPassword token={loaderData.unusedToken} withGoogle={withGoogle} />
      ) : 'refused' in loaderData ? (
        <Notice kind="error" title={loaderData.refused} action={<ButtonLink to="/dashboard">Go to My Profile</ButtonLink>}>
          A link works once, for 60 minutes. If you have opened it before, your e-mail is verified already; My Profile tells, and sends
          another link.
        </Notice>
      ) : (
        <Notice kind="success" title="Your e-mail is verified" action={<WayOn email={loaderData.email} />}>
          {loaderData.email} belongs to your account now{withGoogle && ', and Google sign-in works with it too'}.
        </Notice>
      )}
    </Page>
  )
}

/** Back to the page that has asked for the verification, such as that of an invitation. */
function WayOn({ email }: { email: string }) {
  const origin = findVerificationOrigin(email)
  return origin ? <ButtonLink to={origin}>Go on where you were</ButtonLink> : <ButtonLink to="/home">Go to the store</ButtonLink>
}

/** For a visitor who is not signed in to the link's account: its current password may have been set by somebody else. */
function VerifyWithPassword({ token, withGoogle }: { token: string; withGoogle: boolean }) {
  const [email, setEmail] = useState<string>()

  async function save(newPassword: string) {
    const verified = await callApi(verifyEmail, { body: { token, newPassword } })
    if (accountStorage.get()?.email === verified.email) clearSession()
    setEmail(verified.email)
  }

  if (email) {
    const origin = findVerificationOrigin(email)
    return (
      <Notice
        kind="success"
        title="Your e-mail is verified, and your new password is set"
        ref={focusOnMount}
        action={<ButtonLink to={origin ? `/login?${new URLSearchParams({ from: origin })}` : '/login'}>Go to the login</ButtonLink>}
      >
        {email} belongs to your account now. Sign in with the new password{withGoogle && '; Google sign-in works too'}.
      </Notice>
    )
  }
  return (
    <>
      <p>
        You are not signed in here to the account of this e-mail. Choose a new password for it: your e-mail is verified with it, and every
        earlier sign-in of the account ends. So nobody who typed your address keeps a way into your account.
      </p>
      <NewPasswordForm
        save={save}
        texts={{
          button: 'Verify and set the password',
          refused: 'Your e-mail was not verified, and the password not changed.',
          another: 'Reset Password on the login page sends another link, which verifies your e-mail too.',
        }}
      />
      <p className="text-soft">Signed in on another device? Open the link there, and your password stays as it is.</p>
    </>
  )
}
