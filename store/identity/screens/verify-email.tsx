import { useState } from 'react'
import { showVerification, verifyEmail } from '#store/identity/contract.ts'
import { account } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/verify-email'
import { useWithGoogle } from './google-button.tsx'
import { NewPassword } from './new-password.tsx'
import { forget } from './session.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Verify your e-mail | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]
export const headers = () => ({ 'x-shows': 'shelves' })

/** What the link has done, or the token that still takes a new password. */
type Opened = { email: string } | { refused: string } | { unusedToken: string }

/** The mail's token stands behind the #, which no server and no log sees. */
export async function clientLoader(): Promise<Opened> {
  const token = window.location.hash.slice(1)
  try {
    return await send(verifyEmail, { body: { token } })
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    if (refusal.errors.newPassword) return { unusedToken: token }
    return (await verifiedBefore()) ?? { refused: refusal.message }
  }
}

/** Who opens a link once more, or loads this page again, hears that all is well. */
async function verifiedBefore(): Promise<{ email: string } | undefined> {
  const signedIn = account.get()
  if (!signedIn) return undefined
  const { verified } = await send(showVerification, {}).catch(() => ({ verified: false }))
  return verified ? { email: signedIn.email } : undefined
}

export function HydrateFallback() {
  return (
    <Page doorstep title="Verify your e-mail">
      <Loading>Verifying your e-mail</Loading>
      <NeedsScript />
    </Page>
  )
}

export default function VerifyEmail({ loaderData }: Route.ComponentProps) {
  const withGoogle = useWithGoogle()
  return (
    <Page doorstep title="Verify your e-mail">
      {'unusedToken' in loaderData ? (
        <WithPassword token={loaderData.unusedToken} withGoogle={withGoogle} />
      ) : 'refused' in loaderData ? (
        <Notice kind="error" title={loaderData.refused} action={<ButtonLink to="/dashboard">Go to My Profile</ButtonLink>}>
          A link works once, for 60 minutes. If you have opened it before, your e-mail is verified already; My Profile tells, and sends
          another link.
        </Notice>
      ) : (
        <Notice kind="success" title="Your e-mail is verified" action={<ButtonLink to="/home">Go to the store</ButtonLink>}>
          {loaderData.email} belongs to your account now{withGoogle && ', and Google sign-in works with it too'}.
        </Notice>
      )}
    </Page>
  )
}

/** For who is not signed in to the account of the link: the password of the account may be somebody else's. */
function WithPassword({ token, withGoogle }: { token: string; withGoogle: boolean }) {
  const [email, setEmail] = useState<string>()

  async function save(newPassword: string) {
    const verified = await send(verifyEmail, { body: { token, newPassword } })
    if (account.get()?.email === verified.email) forget()
    toast('Your e-mail is verified')
    setEmail(verified.email)
  }

  if (email)
    return (
      <Notice
        kind="success"
        title="Your e-mail is verified, and your new password is set"
        ref={focused}
        action={<ButtonLink to="/login">Go to the login</ButtonLink>}
      >
        {email} belongs to your account now. Sign in with the new password{withGoogle && '; Google sign-in works too'}.
      </Notice>
    )
  return (
    <>
      <p>
        You are not signed in here to the account of this e-mail. Choose a new password for it: your e-mail is verified with it, and every
        earlier sign-in of the account ends. So nobody who typed your address keeps a way into your account.
      </p>
      <NewPassword
        save={save}
        words={{
          button: 'Verify and set the password',
          refused: 'Your e-mail was not verified, and the password not changed.',
          another: 'Reset Password on the login page sends another link, which verifies your e-mail too.',
        }}
      />
      <p className="text-soft">Signed in on another device? Open the link there, and your password stays as it is.</p>
    </>
  )
}
