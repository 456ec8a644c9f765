import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import {
  listProfileChanges,
  maxProfileChangesListed,
  type ProfileChange,
  profileFieldNames,
  undoProfileChange,
} from '#store/profiles/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Page } from '#web/page.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/changed-profiles'

export const meta: Route.MetaFunction = () => [{ title: 'Changed Profiles | Nucleus of PC' }]

/** `undefined`: the admin is no owner. */
export async function clientLoader() {
  const changes = await callApi(listProfileChanges, { querystring: {} }).catch((error) => {
    if (error instanceof ApiError && error.code === 'forbidden') return undefined
    throw error
  })
  return { changes }
}

export default function ChangedProfiles({ loaderData: { changes } }: Route.ComponentProps) {
  return (
    <Page title="Changed Profiles" lead="What admins have overwritten of others' profiles within 90 days.">
      {changes === undefined && <p>Owners of the store see it, and put it back.</p>}
      {changes?.length === 0 && <p>No admin has changed somebody else's profile.</p>}
      {changes !== undefined && changes.length > 0 && <ChangeList key={changes[0]?._id} newest={changes} />}
    </Page>
  )
}

function ChangeList({ newest }: { newest: ProfileChange[] }) {
  const { revalidate } = useRevalidator()
  const [older, setOlder] = useState<ProfileChange[]>([])
  const [hasOlder, setHasOlder] = useState(newest.length === maxProfileChangesListed)
  const shown = [...newest, ...older]
  const more = useSubmit({
    send: () => callApi(listProfileChanges, { querystring: { before: shown.at(-1)?._id } }),
    onDone(loaded) {
      setOlder([...older, ...loaded])
      setHasOlder(loaded.length === maxProfileChangesListed)
    },
  })
  const undo = useSubmit({
    send: ({ _id }: ProfileChange) => callApi(undoProfileChange, { params: { id: _id } }),
    async onDone(_profile, { email }) {
      toast('Profile put back', { detail: email })
      await revalidate()
    },
    toastDetail: ({ email }) => email,
  })
  return (
    <div className="flex max-w-read flex-col gap-3">
      <p className="text-soft">
        Each entry shows the fields as they were before. Put Back writes just these fields again; what it overwrites is listed here as well.
      </p>
      {undo.refusal && <RefusalNotice refusal={undo.refusal} />}
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {shown.map((change) => (
          <ChangeEntry key={change._id} change={change} busy={undo.busy} onUndo={() => undo.submit(change)} />
        ))}
      </ul>
      {hasOlder && (
        <Button dense variant="quiet" busy={more.busy} busyLabel="Loading" onClick={() => more.submit()} className="self-start">
          Show older changes
        </Button>
      )}
    </div>
  )
}

const fieldLabels = { picture: 'Picture', education: 'Education', location: 'Location', phone: 'Phone', linkedIn: 'LinkedIn profile' }

function ChangeEntry({ change: { email, before, by, at }, busy, onUndo }: { change: ProfileChange; busy: boolean; onUndo: () => void }) {
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-base wrap-anywhere">
          <BreakableText>{email}</BreakableText>
          <span className="block text-sm font-normal text-soft">
            Changed by {by ?? 'an account that is gone'}, <DateTime at={at} />
          </span>
        </h2>
        <Button dense variant="quiet" disabled={busy} aria-label={`Put Back, ${email}`} onClick={onUndo}>
          Put Back
        </Button>
      </div>
      <DescriptionList>
        {profileFieldNames
          .filter((field) => before[field] !== undefined)
          .map((field) => (
            <DescriptionItem key={field} name={fieldLabels[field]}>
              <span className="wrap-anywhere">{before[field] || <span className="text-soft">empty</span>}</span>
            </DescriptionItem>
          ))}
      </DescriptionList>
    </li>
  )
}
