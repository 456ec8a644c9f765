import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { Field } from '#web/field.tsx'
import { useScript } from '#web/form.ts'
import { laterRules } from '#web/later-rules.ts'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { send, unreached } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { GoogleButton, useWithGoogle } from './google-button.tsx'
import { MailOnItsWay } from './mail-on-its-way.tsx'
import { wayBack } from './way-back.ts'

const emailNeeded = 'Please Enter your Email on the input field'
const resetSent = 'Reset password Email sent'
const rules = laterRules(async () => (await import('#store/identity/contract.ts')).signInForm)

export function LoginForm() {
  const withGoogle = useWithGoogle()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError, resetField, setFocus, getValues, clearErrors } = useCheckedForm({
    resolver: rules.resolver,
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const script = useScript()
  const [reset, setReset] = useState<'asking' | { sentTo: string } | { refused: string }>()

  const submit = handleSubmit(async (form) => {
    setReset(undefined)
    try {
      const { enter } = await import('./session.ts').catch(unreached)
      await enter(form)
      await navigate(wayBack(search.get('from')), { replace: true })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      if (refusal.status === 401) {
        resetField('password')
        setFocus('password')
      }
      setError('root', { type: `${refusal.status}`, message: refusal.message })
    }
  })

  async function askForReset() {
    clearErrors()
    setReset(undefined)
    if (!getValues('email')) {
      setError('email', { message: emailNeeded }, { shouldFocus: true })
      toast(emailNeeded, { kind: 'warning' })
      return
    }
    setReset('asking')
    try {
      const { requestReset, signInForm } = await import('#store/identity/contract.ts').catch(unreached)
      const asked = signInForm.shape.email.safeParse(getValues('email'))
      if (!asked.success) {
        setReset(undefined)
        setError('email', { message: asked.error.issues[0]?.message }, { shouldFocus: true })
        return
      }
      await send(requestReset, { body: { email: asked.data } })
      setReset({ sentTo: asked.data })
      toast(resetSent)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setReset({ refused: refusal.message })
      toast(refusal.message, { kind: 'error' })
    }
  }

  return (
    <Panel look="raised" className="flex flex-col gap-6 sm:p-8">
      <NeedsScript />
      <form method="post" onFocus={rules.fetch} onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
        <Field label="E-mail" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        {errors.root && (
          <Notice kind="error" title={`Error: ${errors.root.message}`}>
            {errors.root.type === '401' &&
              (withGoogle ? 'Reset the password or use Google if you registered with it' : 'Reset the password if you forgot it')}
          </Notice>
        )}
        {typeof reset === 'object' && 'refused' in reset && <Notice kind="error" title={reset.refused} />}
        {typeof reset === 'object' && 'sentTo' in reset && (
          <MailOnItsWay title={resetSent}>
            If {reset.sentTo} has an account, a link to set a new password is on its way. Look in spam as well; it works once, for 60
            minutes, and so do the links of the mails before it.
          </MailOnItsWay>
        )}
        <Button type="submit" disabled={!script} busy={isSubmitting} busyWords="Signing in">
          Login
        </Button>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p>
            New here?{' '}
            <TextLink to={{ pathname: '/register', search: search.toString() }} className="inline-block py-2">
              Go to Register
            </TextLink>
          </p>
          <Button look="quiet" dense className="needs-script" busy={reset === 'asking'} busyWords="Sending" onClick={askForReset}>
            Reset Password
          </Button>
        </div>
      </form>
      <GoogleButton />
    </Panel>
  )
}
