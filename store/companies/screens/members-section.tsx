import { useState } from 'react'
import { type Company, type CompanyMember, changeCompanyRole, removeCompanyMember } from '#store/companies/contract.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Tag } from '#web/tag.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'

type MembersSectionProps = { company: Company; members: CompanyMember[]; onChanged: () => Promise<void> }

/** Who is in the company, and what its managers do about that. */
export function MembersSection({ company, members, onChanged }: MembersSectionProps) {
  const isManager = company.role === 'manager'
  const isOnlyManager = members.filter(({ role }) => role === 'manager').length === 1
  const [leaving, setLeaving] = useState<{ member: CompanyMember; isOpen: boolean }>()
  return (
    <section aria-labelledby="members" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="members" tabIndex={-1} className="text-xl">
          Members
        </h2>
        <p className="text-soft">Managers invite others, remove members and make members managers.</p>
      </div>
      <ul aria-label="Members of the company" className="flex max-w-4xl flex-col divide-y divide-line border-y border-line">
        {members.map((member) => (
          <Member
            key={member._id}
            member={member}
            isManager={isManager}
            hasOtherManagers={!isOnlyManager}
            onChanged={onChanged}
            onRemove={() => setLeaving({ member, isOpen: true })}
          />
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          open={leaving.isOpen}
          title={leaving.member.isSelf ? `Leave ${company.name}?` : `Remove ${leaving.member.name} from ${company.name}?`}
          confirmLabel={leaving.member.isSelf ? `Leave ${company.name}` : `Remove ${leaving.member.name}`}
          cancelLabel={leaving.member.isSelf ? 'Stay' : 'Keep'}
          busyLabel="Removing"
          onConfirm={async () => {
            await callApi(removeCompanyMember, { params: { id: leaving.member._id } })
            setLeaving({ ...leaving, isOpen: false })
            toast(leaving.member.isSelf ? 'You have left the company' : 'Member removed', { detail: leaving.member.name })
            await onChanged()
          }}
          onCancel={() => setLeaving({ ...leaving, isOpen: false })}
          signedOutMessage={<SessionEndedNotice />}
          focusAfterClose={() => document.getElementById('members') ?? document.querySelector<HTMLElement>('h1')}
        >
          <p>
            {leaving.member.isSelf
              ? 'You see only the orders that you have placed yourself then. The company keeps all of them.'
              : 'They see only the orders that they have placed themselves then. The company keeps all of them.'}
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

type MemberProps = {
  member: CompanyMember
  /** whether who looks is one */
  isManager: boolean
  /** whether the company has others than the only one */
  hasOtherManagers: boolean
  onChanged: () => Promise<void>
  onRemove: () => void
}

function Member({ member, isManager, hasOtherManagers, onChanged, onRemove }: MemberProps) {
  const { _id, name, email, role, joinedAt, invitedBy, isSelf } = member
  const other = role === 'manager' ? 'member' : 'manager'
  const { submit, busy } = useSubmit({
    send: () => callApi(changeCompanyRole, { params: { id: _id }, body: { role: other } }),
    async onDone() {
      toast(other === 'manager' ? 'Manager now' : 'No manager any more', { detail: name })
      await onChanged()
    },
    toastDetail: () => name,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{name}</span>
        {isSelf && ' (you)'} {role === 'manager' && <Tag>Manager</Tag>}
        <span className="block">
          <BreakableText>{email}</BreakableText>
        </span>
        <span className="block text-sm text-soft">
          {invitedBy === null ? 'Founded the company' : `Invited by ${invitedBy}, joined`} <DateTime at={joinedAt} />
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        {isManager && (role === 'member' || hasOtherManagers) && (
          <Button
            dense
            variant="quiet"
            busy={busy}
            aria-label={`${other === 'manager' ? 'Make manager' : 'Make member'}, ${email}`}
            onClick={() => submit()}
          >
            {other === 'manager' ? 'Make manager' : 'Make member'}
          </Button>
        )}
        {(isManager || isSelf) && (
          <Button dense variant="quiet" aria-label={isSelf ? 'Leave the company' : `Remove, ${email}`} onClick={onRemove}>
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        )}
      </span>
    </li>
  )
}
