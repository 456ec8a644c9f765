import { zodResolver } from '@hookform/resolvers/zod'
import { brokenLink, newPasswordForm } from '#store/identity/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'

type Props = {
  /** @throws {Refusal} */
  save: (newPassword: string) => Promise<void>
  words: {
    button: string
    /** what did not happen, as a sentence */
    refused: string
    /** where another link comes from, as a sentence */
    another: string
  }
}

/** The form that a link in a mail opens: a new password, saved with the link's token. */
export function NewPassword({ save, words }: Props) {
  const { register, handleSubmit, formState, setError } = useCheckedForm({
    resolver: zodResolver(newPasswordForm),
    defaultValues: { newPassword: '' },
  })
  const { errors, isSubmitting } = formState
  const useless = errors.root?.message === brokenLink

  const submit = handleSubmit(async ({ newPassword }) => {
    try {
      await save(newPassword)
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
            {words.refused} {useless ? words.another : 'What you typed is kept: try again.'}
          </Notice>
        )}
        {!useless && (
          <Button type="submit" busy={isSubmitting} busyWords="Saving">
            {words.button}
          </Button>
        )}
      </form>
    </Panel>
  )
}
