import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { brokenLink, newPasswordForm, resetPassword } from '#store/identity/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { Loading } from '#web/loading.tsx'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/reset-password'
import { forget } from './session.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Set a new password | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]

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
        <NewPassword token={token} onDone={() => setDone(true)} />
      )}
    </Page>
  )
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const { register, handleSubmit, formState, setError } = useCheckedForm({
    resolver: zodResolver(newPasswordForm),
    defaultValues: { newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const useless = errors.root?.message === brokenLink

  const submit = handleSubmit(async ({ newPassword }) => {
    try {
      await send(resetPassword, { body: { newPassword, token } })
      forget()
      toast('Your new password is set')
      onDone()
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      if (refusal.errors.newPassword) setError('newPassword', { message: refusal.errors.newPassword })
      else setError('root', { message: refusal.message })
    }
  })

  return (
    <Panel look="raised" className="sm:p-8">
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          hint="8 characters or more, anything you like"
          error={errors.newPassword?.message}
          {...register('newPassword')}
        />
        {errors.root && (
          <Notice
            kind="error"
            title={`Error: ${errors.root.message}`}
            action={useless && <ButtonLink to="/login">Go to the login</ButtonLink>}
          >
            Your password was not changed.{' '}
            {useless ? 'Reset Password on the login page sends a new link.' : 'What you typed is kept: try again.'}
          </Notice>
        )}
        {!useless && (
          <Button type="submit" busy={isSubmitting} busyWords="Saving">
            Set the new password
          </Button>
        )}
      </form>
    </Panel>
  )
}
