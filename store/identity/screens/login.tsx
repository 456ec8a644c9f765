import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { signInForm } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { useScript } from '#web/form.ts'
import { NeedsScript } from '#web/needs-script.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/login'
import { enter } from './session.ts'
import { wayBack } from './way-back.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Sign in | Nucleus of PC' }]
export const headers = () => ({ 'x-shows': 'nothing' })

export default function Login() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError, resetField, setFocus } = useForm({
    resolver: zodResolver(signInForm),
    mode: 'onBlur',
  })
  const { errors, isSubmitting } = formState
  const script = useScript()

  const submit = handleSubmit(async (form) => {
    try {
      await enter(form)
      await navigate(wayBack(search.get('from')), { replace: true })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      resetField('password')
      setFocus('password')
      setError('root', { message: refusal.message })
    }
  })

  return (
    <Page
      title="Nucleus of PC"
      lead={search.has('from') ? 'Sign in to go on. You return to where you were.' : 'Sign in to order and to follow your orders.'}
    >
      <NeedsScript />
      <form method="post" onSubmit={submit} noValidate={script} className="flex max-w-md flex-col gap-4">
        <Field label="E-mail" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        {errors.root && <Notice kind="error" title={`Error: ${errors.root.message}`} />}
        <Button type="submit" busy={isSubmitting} busyWords="Signing in">
          Login
        </Button>
        <p>
          New here? <TextLink to={{ pathname: '/register', search: search.toString() }}>Go to Register</TextLink>
        </p>
      </form>
    </Page>
  )
}
