import { useId, useState } from 'react'
import { type Account, maxRemovedUsersListed, type RemovedAccount, restoreUser } from '#store/identity/contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { RefusalNotice } from './refusal-notice.tsx'

/** The accounts that were removed, each with a button that brings it back. Restoring needs no confirmation. */
export function RemovedAccounts({ accounts, onRestored }: { accounts: RemovedAccount[]; onRestored: (account: Account) => void }) {
  const id = useId()
  const [asked, setAsked] = useState<string>()
  const { submit, busy, refusal } = useSubmit({
    send(email: string) {
      setAsked(email)
      return callApi(restoreUser, { params: { email } })
    },
    onDone: onRestored,
    toastDetail: (email) => email,
  })

  return (
    <section aria-labelledby={id} className="flex max-w-read flex-col gap-3">
      <h2 id={id} className="text-xl">
        Removed accounts
      </h2>
      <p className="text-soft">
        They cannot sign in, and their addresses cannot register. Brought back, an account is a customer with the password it had.
        {accounts.length === maxRemovedUsersListed &&
          ` These are the ${maxRemovedUsersListed} that were removed last; an older one comes back by the command npm run admin -- restore EMAIL.`}
      </p>
      {refusal && <RefusalNotice refusal={refusal} />}
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {accounts.map(({ _id, email, removedAt }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 wrap-anywhere">
              <BreakableText>{email}</BreakableText>{' '}
              <span className="block text-sm text-soft">
                Removed <DateTime at={removedAt} />
              </span>
            </span>
            <Button
              dense
              variant="quiet"
              busy={busy && asked === email}
              busyLabel="Bringing back"
              aria-label={`Bring Back, ${email}`}
              onClick={() => submit(email)}
            >
              Bring Back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
