import { showVerification, verifyEmail } from '#store/identity/contract.ts'
import { account } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import type { Route } from './+types/verify-email'

export const meta: Route.MetaFunction = () => [{ title: 'Verify your e-mail | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]

/** The mail's token stands behind the #, which no server and no log sees. */
export async function clientLoader() {
  try {
    return await send(verifyEmail, { body: { token: window.location.hash.slice(1) } })
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
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
  return (
    <Page doorstep title="Verify your e-mail">
      {'refused' in loaderData ? (
        <Notice kind="error" title={loaderData.refused} action={<ButtonLink to="/dashboard">Go to My Profile</ButtonLink>}>
          A link works once, for 60 minutes. If you have opened it before, your e-mail is verified already; My Profile tells, and sends
          another link.
        </Notice>
      ) : (
        <Notice kind="success" title="Your e-mail is verified" action={<ButtonLink to="/home">Go to the store</ButtonLink>}>
          {loaderData.email} belongs to your account now, and Google sign-in works with it too.
        </Notice>
      )}
    </Page>
  )
}
