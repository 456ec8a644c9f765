import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { registrationForm } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { useScript } from '#web/form.ts'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/register'
import { enterAsNew } from './session.ts'
import { wayBack } from './way-back.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Register | Nucleus of PC' }]
export const headers = () => ({ 'x-shows': 'nothing' })

export default function Register() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError } = useForm({ resolver: zodResolver(registrationForm), mode: 'onBlur' })
  const { errors, isSubmitting } = formState
  const script = useScript()

  const submit = handleSubmit(async (form) => {
    try {
      await enterAsNew(form)
      await navigate(wayBack(search.get('from')), { replace: true })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setError('root', { message: refusal.message })
    }
  })

  return (
    <Page title="Register" lead="Three fields, and you can order. Your name and e-mail will stand on your orders.">
      <NeedsScript />
      <form method="post" onSubmit={submit} noValidate={script} className="flex max-w-md flex-col gap-4">
        <Field label="Full name" autoComplete="name" required error={errors.name?.message} {...register('name')} />
        <Field label="E-mail" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          hint="8 characters or more, anything you like"
          error={errors.password?.message}
          {...register('password')}
        />
        {errors.root && <Notice kind="error" title={`Error: ${errors.root.message}`} />}
        <Button type="submit" busy={isSubmitting} busyWords="Registering">
          Register
        </Button>
        <p>
          Registered already? <TextLink to={{ pathname: '/login', search: search.toString() }}>Go to Login</TextLink>
        </p>
      </form>
    </Page>
  )
}
