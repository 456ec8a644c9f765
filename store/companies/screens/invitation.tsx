import { useNavigate } from 'react-router'
import {
  acceptCompanyInvitation,
  type InvitationPreview,
  invalidInvitationMessage,
  showCompanyInvitation,
} from '#store/companies/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { ResendVerificationEmail } from '#store/identity/screens/resend-verification-email.tsx'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/invitation'

export const meta: Route.MetaFunction = () => [{ title: 'Invitation | Nucleus of PC' }, { name: 'robots', content: 'noindex' }]

type LoadedInvitation = { token: string } & ({ invitation: InvitationPreview } | { refused: 'invalid' | 'other e-mail' | 'unverified' })

export async function clientLoader({ params: { id: token } }: Route.ClientLoaderArgs): Promise<LoadedInvitation> {
  try {
    return { token, invitation: await callApi(showCompanyInvitation, { params: { token } }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'other_email') return { token, refused: 'other e-mail' }
    if (error.code === 'email_not_verified') return { token, refused: 'unverified' }
    if (error.code === 'invalid_link' || error.code === 'invalid_request') return { token, refused: 'invalid' }
    throw error
  }
}

export default function Invitation({ loaderData }: Route.ComponentProps) {
  const { token } = loaderData
  return (
    <Page title="Invitation to a company">
      {'invitation' in loaderData ? <Accept token={token} invitation={loaderData.invitation} /> : <Refused why={loaderData.refused} />}
    </Page>
  )
}

function Accept({ token, invitation }: { token: string; invitation: InvitationPreview }) {
  const navigate = useNavigate()
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(acceptCompanyInvitation, { params: { token } }),
    async onDone({ name }) {
      toast('You are a member now', { detail: name })
      await navigate('/company')
    },
  })
  return (
    <>
      <p className="text-lg">
        {invitation.invitedBy} invites you to <strong className="font-semibold wrap-anywhere">{invitation.company}</strong>, until{' '}
        <DateTime at={invitation.expiresAt} />.
      </p>
      <p className="text-soft">
        Its members see the orders of the company, with who has placed them, and share its addresses. What you have ordered so far stays
        yours alone; what you order from then on, all of them see, and can pay and cancel. You can leave at any time.
      </p>
      {refusal && (
        <RefusalNotice
          refusal={refusal}
          action={refusal.code === 'already_in_company' && <ButtonLink to="/company">Go to your company</ButtonLink>}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} busyLabel="Joining" onClick={() => submit()} className="whitespace-normal wrap-anywhere">
          Join {invitation.company}
        </Button>
        <ButtonLink to="/dashboard" variant="quiet">
          Not now
        </ButtonLink>
      </div>
    </>
  )
}

function Refused({ why }: { why: 'invalid' | 'other e-mail' | 'unverified' }) {
  const email = accountStorage.get()?.email ?? ''
  if (why === 'unverified')
    return (
      <ResendVerificationEmail email={email}>
        The invitation is for {email}. Verify it, then open the link of the invitation again.
      </ResendVerificationEmail>
    )
  if (why === 'other e-mail')
    return (
      <Notice kind="error" title="This invitation was sent to another e-mail">
        You are signed in as {email}. Sign out, sign in with the e-mail that the invitation came to, and open its link again.
      </Notice>
    )
  return (
    <Notice kind="error" title={invalidInvitationMessage} action={<ButtonLink to="/company">Go to My Company</ButtonLink>}>
      Ask whoever has invited you for another one. If you have accepted it before, you are a member already.
    </Notice>
  )
}
