import { useState } from 'react'
import { resetPassword } from '#store/identity/contract.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { Loading } from '#web/loading.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import type { Route } from './+types/reset-password'
import { NewPasswordForm } from './new-password-form.tsx'
import { clearSession } from './session.ts'
import { useLinkInOpenTab } from './use-link-in-open-tab.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Set a new password | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]
export const headers = () => cacheUntilChanged('listings')

/** The token is in the URL fragment, which browsers do not send, so it appears in no server log. */
export const clientLoader = () => ({ token: window.location.hash.slice(1) })

export function HydrateFallback() {
  return (
    <Page narrow title="Set a new password">
      <Loading />
      <JavaScriptRequired />
    </Page>
  )
}

export default function ResetPassword({ loaderData: { token } }: Route.ComponentProps) {
  const [done, setDone] = useState(false)
  useLinkInOpenTab()

  async function save(newPassword: string) {
    await callApi(resetPassword, { body: { newPassword, token } })
    clearSession()
    setDone(true)
  }

  return (
    <Page narrow title="Set a new password" lead="With it, every sign-in of your account ends, on all devices.">
      {!token ? (
        <Notice kind="error" title="This link is not whole" action={<ButtonLink to="/login">Go to the login</ButtonLink>}>
          Open it once more from the mail, or press Reset Password on the login page for a new one.
        </Notice>
      ) : done ? (
        <Notice
          kind="success"
          title="Your new password is set"
          ref={focusOnMount}
          action={<ButtonLink to="/login">Go to the login</ButtonLink>}
        >
          Sign in with it. A mail tells you of the change.
        </Notice>
      ) : (
        <NewPasswordForm
          save={save}
          texts={{
            button: 'Set the new password',
            refused: 'Your password was not changed.',
            another: 'Reset Password on the login page sends a new link.',
          }}
        />
      )}
    </Page>
  )
}
