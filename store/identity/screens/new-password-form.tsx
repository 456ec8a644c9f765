import { zodResolver } from '@hookform/resolvers/zod'
import { newPasswordForm } from '#store/identity/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'

type NewPasswordFormProps = {
  /** @throws {ApiError} */
  save: (newPassword: string) => Promise<void>
  texts: {
    button: string
    /** a sentence that says what was not done */
    refused: string
    /** a sentence that says how to get another link */
    another: string
  }
}

/** The form behind an emailed link. `save` sends the new password with the link's token. */
export function NewPasswordForm({ save, texts }: NewPasswordFormProps) {
  const form = useValidatedForm({
    resolver: zodResolver(newPasswordForm),
    defaultValues: { newPassword: '' },
  })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    fields: ['newPassword'],
    clearsWhenInvalid: true,
    send: ({ newPassword }) => save(newPassword),
  })
  const isLinkInvalid = refusal?.code === 'invalid_link'

  return (
    <Panel variant="raised" className="sm:p-8">
      <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          hint="8 characters or more, anything you like"
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        {refusal && !refusal.errors.newPassword && (
          <Notice
            kind="error"
            title={`Error: ${refusal.message}`}
            action={isLinkInvalid && <ButtonLink to="/login">Go to the login</ButtonLink>}
          >
            {texts.refused} {isLinkInvalid ? texts.another : 'What you typed is kept: try again.'}
          </Notice>
        )}
        {!isLinkInvalid && (
          <Button type="submit" busy={isSubmitting} busyLabel="Saving">
            {texts.button}
          </Button>
        )}
      </form>
    </Panel>
  )
}
