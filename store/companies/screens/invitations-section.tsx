import { zodResolver } from '@hookform/resolvers/zod'
import { type CompanyInvitation, InvitationBody, invitationDays, inviteToCompany, takeBackInvitation } from '#store/companies/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'

type InvitationsSectionProps = {
  invitations: CompanyInvitation[]
  /** whether the manager has verified their e-mail */
  isVerified: boolean
  onChanged: () => Promise<void>
}

/** Whom managers have invited, and a form to invite others. */
export function InvitationsSection({ invitations, isVerified, onChanged }: InvitationsSectionProps) {
  return (
    <section aria-labelledby="invitations" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="invitations" className="text-xl">
          Invite others
        </h2>
        <p className="text-soft">
          A mail with a link goes to them. It works once, for {invitationDays} days, and for an account with just that e-mail.
        </p>
      </div>
      {isVerified ? (
        <InvitationForm onChanged={onChanged} />
      ) : (
        <Notice kind="info" title="Verify your e-mail first" action={<ButtonLink to="/dashboard">Go to My Profile</ButtonLink>}>
          Then you can invite others. My Profile sends you the mail for it.
        </Notice>
      )}
      {invitations.length > 0 && (
        <ul aria-label="Open invitations" className="flex max-w-4xl flex-col divide-y divide-line border-y border-line">
          {invitations.map((invitation) => (
            <Invitation key={invitation._id} invitation={invitation} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </section>
  )
}

function InvitationForm({ onChanged }: { onChanged: () => Promise<void> }) {
  const form = useValidatedForm({ resolver: zodResolver(InvitationBody), defaultValues: { email: '' } })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    fields: ['email'],
    send: (body) => callApi(inviteToCompany, { body }),
    async onDone({ email }) {
      toast('Invited', { detail: email })
      form.reset()
      await onChanged()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-form items-start gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <Field
        label="E-mail of a colleague"
        id={emailFieldId}
        type="email"
        autoComplete="off"
        spellCheck={false}
        required
        error={errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" busy={isSubmitting} busyLabel="Inviting" className="sm:mt-7">
        Invite
      </Button>
      {refusal && !refusal.errors.email && (
        <div className="sm:col-span-2">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

const emailFieldId = 'invited-email'

function Invitation({ invitation, onChanged }: { invitation: CompanyInvitation; onChanged: () => Promise<void> }) {
  const { _id, email, invitedBy, expiresAt } = invitation
  const { submit, busy } = useSubmit({
    send: () => callApi(takeBackInvitation, { params: { id: _id } }),
    async onDone() {
      toast('Invitation taken back', { detail: email })
      await onChanged()
      document.getElementById(emailFieldId)?.focus() // the button is gone
    },
    toastDetail: () => email,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <span className="min-w-0 wrap-anywhere">
        <BreakableText>{email}</BreakableText>
        <span className="block text-sm text-soft">
          Invited by {invitedBy}, until <DateTime at={expiresAt} />
        </span>
      </span>
      <Button dense variant="quiet" busy={busy} aria-label={`Take back, ${email}`} onClick={() => submit()}>
        Take back
      </Button>
    </li>
  )
}
