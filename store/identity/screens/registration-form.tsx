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
import { unreached } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { GoogleButton } from './google-button.tsx'
import { wayBack } from './way-back.ts'

const rules = laterRules(async () => (await import('#store/identity/contract.ts')).registrationForm)

export function RegistrationForm() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError } = useCheckedForm({
    resolver: rules.resolver,
    defaultValues: { name: '', email: '', password: '' },
  })
  const { errors, isSubmitting } = formState
  const script = useScript()

  const submit = handleSubmit(async (form) => {
    try {
      const { enterAsNew } = await import('./session.ts').catch(unreached)
      await enterAsNew(form)
      toast('Verify your e-mail when you have a minute', {
        kind: 'info',
        detail: `A link is on its way to ${form.email}. You can order meanwhile.`,
      })
      await navigate(wayBack(search.get('from')), { replace: true })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setError('root', { message: refusal.message })
    }
  })

  return (
    <Panel look="raised" className="flex flex-col gap-6 sm:p-8">
      <NeedsScript />
      <form method="post" onFocus={rules.fetch} onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
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
        {errors.root && (
          <Notice kind="error" title={`Error: ${errors.root.message}`}>
            Nothing was registered, and what you typed is kept.
          </Notice>
        )}
        <Button type="submit" disabled={!script} busy={isSubmitting} busyWords="Registering">
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
