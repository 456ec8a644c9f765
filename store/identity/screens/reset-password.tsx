import { useState } from 'react'
import { resetPassword } from '#store/identity/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/reset-password'
import { NewPassword } from './new-password.tsx'
import { forget } from './session.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Set a new password | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]
export const headers = () => ({ 'x-shows': 'shelves' })

/** The mail's token stands behind the #, which no server and no log sees. */
export const clientLoader = () => ({ token: window.location.hash.slice(1) })

export function HydrateFallback() {
  return (
    <Page doorstep title="Set a new password">
      <Loading />
      <NeedsScript />
    </Page>
  )
}

export default function ResetPassword({ loaderData: { token } }: Route.ComponentProps) {
  const [done, setDone] = useState(false)

  async function save(newPassword: string) {
    await send(resetPassword, { body: { newPassword, token } })
    forget()
    toast('Your new password is set')
    setDone(true)
  }

  return (
    <Page doorstep title="Set a new password" lead="With it, every sign-in of your account ends, on all devices.">
      {!token ? (
        <Notice kind="error" title="This link is not whole" action={<ButtonLink to="/login">Go to the login</ButtonLink>}>
          Open it once more from the mail, or press Reset Password on the login page for a new one.
        </Notice>
      ) : done ? (
        <Notice kind="success" title="Your new password is set" ref={focused} action={<ButtonLink to="/login">Go to the login</ButtonLink>}>
          Sign in with it. A mail tells you of the change.
        </Notice>
      ) : (
        <NewPassword
          save={save}
          words={{
            button: 'Set the new password',
            refused: 'Your password was not changed.',
            another: 'Reset Password on the login page sends a new link.',
          }}
        />
      )}
    </Page>
  )
}
