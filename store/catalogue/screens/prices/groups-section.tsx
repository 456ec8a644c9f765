import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import {
  addCustomerGroup,
  type CustomerGroup,
  removeCustomerGroup,
  setCustomerGroup,
  updateCustomerGroup,
} from '#store/catalogue/pricing/customer-group-contract.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { KeyPagination } from '#web/pagination.tsx'
import { Panel } from '#web/panel.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type GroupFormInput, groupFormSchema } from './pricing-forms.ts'

/** A page of the members of a group: those after an e-mail by the alphabet. */
export type MemberPage = { groupId: string; after: string; members: string[]; hasMore: boolean }

type SectionProps = {
  groups: CustomerGroup[]
  /** of the group whose members are paged through, the page after the first */
  memberPage: MemberPage | undefined
  /** loads the page's lists again */
  onChanged: () => Promise<void>
}

/** Groups of customers: each with its percentage and its members. */
export function GroupsSection({ groups, memberPage, onChanged }: SectionProps) {
  return (
    <section aria-labelledby="groups" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="groups" className="text-xl">
          Groups
        </h2>
        <p className="text-soft">
          Customers of a group pay less: a percentage off every list price, or prices of their own for single products, which you set below.
          A customer is in one group at most.
        </p>
      </div>
      <GroupForm submitLabel="Add group" onSaved={onChanged} />
      {groups.length > 0 && (
        <ul className="flex flex-col gap-4">
          {groups.map((group) => (
            <Panel as="li" key={group._id} aria-labelledby={`group-${group._id}`} className="flex flex-col gap-4">
              <Group group={group} page={memberPage?.groupId === group._id ? memberPage : undefined} onChanged={onChanged} />
            </Panel>
          ))}
        </ul>
      )}
    </section>
  )
}

const toGroupFormInput = (group: CustomerGroup | undefined): GroupFormInput => ({
  name: group?.name ?? '',
  percentOff: `${group?.percentOff ?? 0}`,
})

/** Adds a group, or changes the given one. */
function GroupForm({ group, submitLabel, onSaved }: { group?: CustomerGroup; submitLabel: string; onSaved: () => Promise<void> }) {
  const id = group?._id ?? 'new'
  const draft = `customer group ${id} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(groupFormSchema),
    defaultValues: { ...toGroupFormInput(group), ...loadDraft<GroupFormInput>(draft) },
  })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['name', 'percentOff'],
    send: (body) => (group ? callApi(updateCustomerGroup, { params: { id: group._id }, body }) : callApi(addCustomerGroup, { body })),
    async onDone(saved) {
      toast(group ? 'Group saved' : 'Group added', { detail: `${saved.name}, ${saved.percentOff} % off` })
      form.reset(toGroupFormInput(group && saved))
      await onSaved()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-form items-start gap-4 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
      <Field
        label="Name of the group"
        id={`name-${id}`}
        autoComplete="off"
        required
        error={errors.name?.message}
        {...form.register('name')}
      />
      <NumberField label="Percent off" id={`percent-${id}`} required error={errors.percentOff?.message} {...form.register('percentOff')} />
      <Button type="submit" variant={group ? 'quiet' : 'action'} busy={isSubmitting} busyLabel="Saving" className="sm:mt-7">
        {submitLabel}
      </Button>
      {refusal && (
        <div className="sm:col-span-3">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

type GroupProps = {
  group: CustomerGroup
  /** the page of its members that is shown; undefined for the first */
  page: MemberPage | undefined
  onChanged: () => Promise<void>
}

function Group({ group, page, onChanged }: GroupProps) {
  const [asksToRemove, setAsksToRemove] = useState(false)
  const { name } = group
  return (
    <>
      <h3 id={`group-${group._id}`} className="text-lg">
        {name}
      </h3>
      <GroupForm group={group} submitLabel="Save" onSaved={onChanged} />
      <Members group={group} page={page} onChanged={onChanged} />
      <MemberForm group={group} onChanged={onChanged} />
      <div>
        <Button dense variant="quiet" className="whitespace-normal! wrap-anywhere" onClick={() => setAsksToRemove(true)}>
          Remove group {name}
        </Button>
      </div>
      <RemoveGroupDialog group={group} open={asksToRemove} onCancel={() => setAsksToRemove(false)} onRemoved={onChanged} />
    </>
  )
}

function Members({ group, page, onChanged }: GroupProps) {
  const { memberCount, name } = group
  const { members, hasMore } = page ?? { ...group, hasMore: memberCount > group.members.length }
  const [isOpenAtFirst] = useState(memberCount <= 5 || page !== undefined)
  const list = useRef<HTMLUListElement>(null)
  const last = members.at(-1)
  return (
    <details open={isOpenAtFirst}>
      <summary className="min-h-6 cursor-pointer font-medium">
        {memberCount === 0 ? 'No members' : memberCount === 1 ? '1 member' : `${formatNumber(memberCount)} members`}
        {page ? `, those after ${page.after} by the alphabet` : hasMore && `, the first ${members.length} by the alphabet`}
      </summary>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={`Members of ${name}`}
        className="mt-2 flex max-w-form flex-col divide-y divide-line border-y border-line"
      >
        {members.map((email) => (
          <Member key={email} email={email} group={group} onChanged={onChanged} />
        ))}
      </ul>
      <div className="mt-3 empty:hidden">
        <KeyPagination
          label={`Pages of the members of ${name}`}
          isFirstPage={page === undefined}
          names={['members', 'after']}
          next={hasMore && last !== undefined ? { members: group._id, after: last } : undefined}
          list={list}
        />
      </div>
    </details>
  )
}

type RemoveGroupDialogProps = { group: CustomerGroup; open: boolean; onCancel: () => void; onRemoved: () => Promise<void> }

function RemoveGroupDialog({ group, open, onCancel, onRemoved }: RemoveGroupDialogProps) {
  const { memberCount, name } = group
  return (
    <ConfirmDialog
      open={open}
      title={`Remove the group ${name}?`}
      confirmLabel={`Remove ${name}`}
      cancelLabel="Keep it"
      busyLabel="Removing"
      onConfirm={async () => {
        await callApi(removeCustomerGroup, { params: { id: group._id } })
        toast('Group removed', { detail: name })
        await onRemoved()
      }}
      onCancel={onCancel}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => document.getElementById('name-new')}
    >
      <p>
        Its prices go with it, and its {memberCount === 1 ? 'member pays' : `${formatNumber(memberCount)} members pay`} the list prices
        again. What they have ordered keeps its price.
      </p>
    </ConfirmDialog>
  )
}

function Member({ email, group, onChanged }: { email: string; group: CustomerGroup; onChanged: () => Promise<void> }) {
  const { submit, busy } = useSubmit({
    send: () => callApi(setCustomerGroup, { params: { email }, body: { groupId: null } }),
    async onDone() {
      toast(`Out of ${group.name}`, { detail: email })
      await onChanged()
      document.getElementById(memberFieldId(group))?.focus() // the button is gone
    },
    toastDetail: () => email,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 wrap-anywhere">
        <BreakableText>{email}</BreakableText>
      </span>
      <Button dense variant="quiet" busy={busy} busyLabel="Taking out" aria-label={`Take out, ${email}`} onClick={() => submit()}>
        Take out
      </Button>
    </li>
  )
}

const memberFieldId = ({ _id }: CustomerGroup) => `member-${_id}`

const noMember = { email: '' }
const memberFormSchema = z.object({ email: z.email('Enter the e-mail of the account') })

function MemberForm({ group, onChanged }: { group: CustomerGroup; onChanged: () => Promise<void> }) {
  const draft = `member of group ${group._id} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(memberFormSchema),
    defaultValues: { ...noMember, ...loadDraft<typeof noMember>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['email'],
    send: ({ email }) => callApi(setCustomerGroup, { params: { email }, body: { groupId: group._id } }),
    async onDone(_groups, { email }) {
      toast(`In ${group.name} now`, { detail: email })
      form.reset(noMember)
      await onChanged()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-form items-start gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <Field
        label={`E-mail of a customer for ${group.name}`}
        id={memberFieldId(group)}
        type="email"
        autoComplete="off"
        spellCheck={false}
        error={form.formState.errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" variant="quiet" busy={form.formState.isSubmitting} busyLabel="Adding" className="sm:mt-7">
        Add member
      </Button>
      {refusal && !refusal.errors.email && (
        <div className="sm:col-span-2">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}
