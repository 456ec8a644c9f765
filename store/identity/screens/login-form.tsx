import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi, throwNetworkError } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { lazyZodResolver } from '#web/lazy-resolver.ts'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { EmailSentNotice } from './email-sent-notice.tsx'
import { GoogleButton, useGoogleSignInEnabled } from './google-button.tsx'
import { safeReturnUrl } from './return-url.ts'

const emailRequiredMessage = 'Please Enter your Email on the input field'
const resetEmailSentMessage = 'Reset password Email sent'
const lazyRules = lazyZodResolver(async () => (await import('#store/identity/contract.ts')).signInForm)

export function LoginForm() {
  const [search] = useSearchParams()
  const isHydrated = useHydrated()
  const { form, submit, refusal, reset, requestReset, resetSentTo } = useLoginForm(search.get('from'))
  const { errors, isSubmitting } = form.formState
  const { register } = form

  return (
    <Panel variant="raised" className="flex flex-col gap-6 sm:p-8">
      <JavaScriptRequired />
      <form method="post" onFocus={lazyRules.preload} onSubmit={submit} noValidate={isHydrated} className="flex flex-col gap-4">
        <Field label="E-mail" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        {refusal && <SignInRefusedNotice refusal={refusal} />}
        {reset.refusal && <Notice kind="error" title={reset.refusal.message} />}
        {resetSentTo && <ResetEmailSentNotice email={resetSentTo} />}
        <Button type="submit" disabled={!isHydrated} busy={isSubmitting} busyLabel="Signing in">
          Login
        </Button>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p>
            New here?{' '}
            <TextLink to={{ pathname: '/register', search: search.toString() }} className="inline-block py-2">
              Go to Register
            </TextLink>
          </p>
          <Button variant="quiet" dense className="needs-script" busy={reset.busy} busyLabel="Sending" onClick={requestReset}>
            Reset Password
          </Button>
        </div>
      </form>
      <GoogleButton />
    </Panel>
  )
}

/** Signing in, and asking for a mail to set a new password: each removes what the other has said. */
function useLoginForm(returnUrl: string | null) {
  const navigate = useNavigate()
  const form = useValidatedForm({
    resolver: lazyRules.resolver,
    defaultValues: { email: '', password: '' },
  })
  const { setError, resetField, setFocus, getValues, clearErrors } = form
  const [resetSentTo, setResetSentTo] = useState<string>()

  const { submit, refusal, setRefusal } = useFormSubmit(form, {
    clearsWhenInvalid: true,
    async send(credentials) {
      clearResetMessages()
      const { signInWithPassword } = await import('./session.ts').catch(throwNetworkError)
      await signInWithPassword(credentials)
    },
    onDone: async () => navigate(safeReturnUrl(returnUrl), { replace: true }),
    onRefused({ code }) {
      if (code !== 'invalid_credentials') return
      resetField('password')
      setFocus('password')
    },
  })

  const reset = useSubmit({
    async send() {
      const { requestPasswordReset, signInForm } = await import('#store/identity/contract.ts').catch(throwNetworkError)
      const email = signInForm.shape.email.safeParse(getValues('email'))
      if (!email.success) {
        setError('email', { message: email.error.issues[0]?.message }, { shouldFocus: true })
        return
      }
      await callApi(requestPasswordReset, { body: { email: email.data } })
      setResetSentTo(email.data)
      toast(resetEmailSentMessage)
    },
  })

  function clearResetMessages() {
    setResetSentTo(undefined)
    reset.setRefusal(undefined)
  }

  async function requestReset() {
    clearErrors()
    setRefusal(undefined)
    clearResetMessages()
    if (!getValues('email')) {
      setError('email', { message: emailRequiredMessage }, { shouldFocus: true })
      toast(emailRequiredMessage, { kind: 'warning' })
      return
    }
    await reset.submit()
  }

  return { form, submit, refusal, reset, requestReset, resetSentTo }
}

function SignInRefusedNotice({ refusal }: { refusal: ApiError }) {
  const withGoogle = useGoogleSignInEnabled()
  return (
    <Notice kind="error" title={`Error: ${refusal.message}`}>
      {refusal.code === 'invalid_credentials' &&
        (withGoogle ? 'Reset the password or use Google if you registered with it' : 'Reset the password if you forgot it')}
    </Notice>
  )
}

function ResetEmailSentNotice({ email }: { email: string }) {
  return (
    <EmailSentNotice title={resetEmailSentMessage}>
      If {email} has an account, a link to set a new password is on its way. Look in spam as well; it works once, for as long as the mail
      says, and so do the links of the mails before it.
    </EmailSentNotice>
  )
}
