import { useId, useRef, useState } from 'react'
import { type Account, listUsers, makeAdmin, removeUser } from '#store/identity/contract.ts'
import { useAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Icon } from '#web/icon.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { buttonInNextRow, Cell, Row, Table } from '#web/table.tsx'
import { toast } from '#web/toast.tsx'
import { onOtherPages, useListing } from '#web/use-listing.ts'
import type { Route } from './+types/all-users'

export const meta: Route.MetaFunction = () => [{ title: 'All Users | Nucleus of PC' }]

export const clientLoader = async () => ({ loaded: await send(listUsers, {}) })

export const shouldRevalidate = onOtherPages

const removedWords = 'Account removed'

const ways = { text: ({ email }: Account) => email, columns: { email: ({ email }: Account) => email } }

export default function AllUsers({ loaderData: { loaded } }: Route.ComponentProps) {
  const [accounts, setAccounts] = useState(loaded)
  const [asked, ask] = useState<{ email: string; button: HTMLElement; open: boolean }>()
  const [removed, setRemoved] = useState<string>()
  const table = useRef<HTMLDivElement>(null)
  const goOnAt = useRef<HTMLElement>(null)
  const listing = useListing(accounts, ways)

  const showAsAdmin = (email: string) =>
    setAccounts((accounts) => accounts.map((account) => (account.email === email ? { ...account, role: 'admin' } : account)))

  function askAbout(email: string, button: HTMLElement) {
    setRemoved(undefined)
    goOnAt.current = button
    ask({ email, button, open: true })
  }

  async function remove({ email, button }: { email: string; button: HTMLElement }) {
    await send(removeUser, { params: { email } })
    goOnAt.current = buttonInNextRow(button) ?? table.current
    setAccounts((accounts) => accounts.filter((account) => account.email !== email))
    setRemoved(email)
    ask({ email, button, open: false })
    toast(removedWords, { detail: email })
  }

  return (
    <Page title="All Users" wide>
      {removed && (
        <Notice kind="success" title={removedWords}>
          {removed} can no longer sign in.
        </Notice>
      )}
      <Search listing={listing} label="Search e-mails" things={['account', 'accounts']} />
      {listing.rows.length > 0 && (
        <Table
          ref={table}
          caption="Nucleus of PC All Users"
          head={[{ label: 'Email', sortBy: 'email' }, { label: 'Make Admin' }, { label: 'Remove User' }]}
          sorting={{ by: listing.view.sort, onSort: (sort) => listing.look({ sort }) }}
        >
          {listing.rows.map((account) => (
            <AccountRow
              key={account._id}
              account={account}
              onAdmin={() => showAsAdmin(account.email)}
              onRemove={(button) => askAbout(account.email, button)}
            />
          ))}
        </Table>
      )}
      <Paging listing={listing} table={table} />
      {asked && (
        <Question
          open={asked.open}
          title="Remove this account?"
          act={`Remove ${asked.email}`}
          keep="Keep it"
          busyWords="Removing"
          onAct={() => remove(asked)}
          onKeep={() => ask({ ...asked, open: false })}
          focusAfter={() => goOnAt.current}
        >
          <p className="font-semibold break-all">{asked.email}</p>
          <p>It is signed out everywhere, and this address cannot sign in or register again. Its orders stay as they are.</p>
        </Question>
      )}
    </Page>
  )
}

type AccountRowProps = { account: Account; onAdmin: () => void; onRemove: (button: HTMLElement) => void }

function AccountRow({ account: { email, role }, onAdmin, onRemove }: AccountRowProps) {
  const oneself = useAccount()?.email === email
  const whyNot = useId()
  return (
    <Row>
      <Cell label="Email" head>
        <span className="break-all">{email}</span>
      </Cell>
      <Cell label="Make Admin">
        <Role email={email} admin={role === 'admin'} onAdmin={onAdmin} />
      </Cell>
      <Cell label="Remove User">
        <Button
          dense
          look="quiet"
          disabled={oneself}
          aria-label={`Remove User, ${email}`}
          aria-describedby={oneself ? whyNot : undefined}
          onClick={({ currentTarget }) => onRemove(currentTarget)}
        >
          Remove User
        </Button>
        {oneself && (
          <span id={whyNot} className="mt-1 block text-soft">
            Your own account
          </span>
        )}
      </Cell>
    </Row>
  )
}

/** 'Admin', or the button that makes one. What went wrong stays beside the button, where it can be pressed again. */
function Role({ email, admin, onAdmin }: { email: string; admin: boolean; onAdmin: () => void }) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const [made, setMade] = useState(false)

  async function make() {
    setBusy(true)
    setTrouble(undefined)
    try {
      const { modifiedCount } = await send(makeAdmin, { params: { email } })
      if (modifiedCount > 0) toast('Made an admin', { detail: email })
      setMade(true)
      onAdmin()
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      const words = refusal.status === 403 ? 'Failed to make admin' : refusal.message
      toast(words, { kind: 'error', detail: email })
      setTrouble(words)
    } finally {
      setBusy(false)
    }
  }

  if (admin)
    return (
      // The button had the focus and is gone.
      <span ref={made ? focused : undefined} tabIndex={made ? -1 : undefined}>
        <Status kind="good">Admin</Status>
      </span>
    )
  return (
    <>
      <Button dense look="quiet" busy={busy} busyWords="Making admin" aria-label={`Make Admin, ${email}`} onClick={make}>
        Make Admin
      </Button>
      {trouble && (
        <span role="alert" className="mt-1 flex items-start gap-1 font-medium text-bad">
          <Icon name="error" />
          {trouble}
        </span>
      )}
    </>
  )
}
