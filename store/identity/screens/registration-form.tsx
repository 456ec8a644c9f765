import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '#web/button.tsx'
import { throwNetworkError } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { JavaScriptRequired } from '#web/javascript-required.tsx'
import { lazyZodResolver } from '#web/lazy-resolver.ts'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { GoogleButton } from './google-button.tsx'
import { safeReturnUrl } from './return-url.ts'

const lazyRules = lazyZodResolver(async () => (await import('#store/identity/contract.ts')).registrationForm)

export function RegistrationForm() {
  const [search] = useSearchParams()
  const isHydrated = useHydrated()
  const { form, submit, refusal } = useRegistrationForm(search.get('from'))
  const { errors, isSubmitting } = form.formState
  const { register } = form

  return (
    <Panel variant="raised" className="flex flex-col gap-6 sm:p-8">
      <JavaScriptRequired />
      <form method="post" onFocus={lazyRules.preload} onSubmit={submit} noValidate={isHydrated} className="flex flex-col gap-4">
        <Field label="Full name" autoComplete="name" required error={errors.name?.message} {...register('name')} />
        <Field
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          hint="We send a link to verify it, so that nobody else orders in your name. You can buy meanwhile"
          error={errors.email?.message}
          {...register('email')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          hint="8 characters or more, anything you like"
          error={errors.password?.message}
          {...register('password')}
        />
        {refusal && (
          <Notice kind="error" title={`Error: ${refusal.message}`}>
            Nothing was registered, and what you typed is kept.
          </Notice>
        )}
        <Button type="submit" disabled={!isHydrated} busy={isSubmitting} busyLabel="Registering">
          Register
        </Button>
        <p>
          Registered already?{' '}
          <TextLink to={{ pathname: '/login', search: search.toString() }} className="inline-block py-2">
            Go to Login
          </TextLink>
        </p>
      </form>
      <GoogleButton />
    </Panel>
  )
}

function useRegistrationForm(returnUrl: string | null) {
  const navigate = useNavigate()
  const form = useValidatedForm({
    resolver: lazyRules.resolver,
    defaultValues: { name: '', email: '', password: '' },
  })

  const { submit, refusal } = useFormSubmit(form, {
    clearsWhenInvalid: true,
    async send(registration) {
      const { registerAndSignIn } = await import('./session.ts').catch(throwNetworkError)
      await registerAndSignIn(registration)
    },
    async onDone(_, { email }) {
      toast('Verify your e-mail when you have a minute', {
        kind: 'info',
        detail: `A link is on its way to ${email}. You can order meanwhile.`,
      })
      await navigate(safeReturnUrl(returnUrl), { replace: true })
    },
  })

  return { form, submit, refusal }
}
