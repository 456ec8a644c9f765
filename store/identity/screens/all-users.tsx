import { useId, useRef, useState } from 'react'
import { type Account, listUsers, makeAdmin, removeUser } from '#store/identity/contract.ts'
import { useAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Icon } from '#web/icon.tsx'
import { LongWord } from '#web/long-word.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { buttonInNextRow, Cell, Row } from '#web/row.tsx'
import { Scene } from '#web/scene.tsx'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { Table } from '#web/table.tsx'
import { toast } from '#web/toast.tsx'
import { onOtherPages, useListing } from '#web/use-listing.ts'
import type { Route } from './+types/all-users'
import { SignInEnded } from './sign-in-ended.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'All Users | Nucleus of PC' }]

export const clientLoader = async () => ({ loaded: await send(listUsers, {}) })

export const shouldRevalidate = onOtherPages

const removedWords = 'Account removed'
const madeWords = 'Made an admin'

const ways = { text: ({ email }: Account) => email, columns: { email: ({ email }: Account) => email } }

export default function AllUsers({ loaderData: { loaded } }: Route.ComponentProps) {
  const [accounts, setAccounts] = useState(loaded)
  const [asked, ask] = useState<{ email: string; button: HTMLElement; open: boolean }>()
  const [done, setDone] = useState<{ words: string; what: string }>()
  const table = useRef<HTMLDivElement>(null)
  const goOnAt = useRef<HTMLElement>(null)
  const listing = useListing(accounts, ways)

  function showAsAdmin(email: string, made: boolean) {
    setAccounts((accounts) => accounts.map((account) => (account.email === email ? { ...account, role: 'admin' } : account)))
    if (!made) return // somebody else was faster, and the row says it
    setDone({ words: madeWords, what: `${email} manages users, products and orders from now on.` })
    toast(madeWords, { detail: email })
  }

  function askAbout(email: string, button: HTMLElement) {
    setDone(undefined)
    goOnAt.current = button
    ask({ email, button, open: true })
  }

  async function remove({ email, button }: { email: string; button: HTMLElement }) {
    await send(removeUser, { params: { email } })
    goOnAt.current = buttonInNextRow(button) ?? table.current
    setAccounts((accounts) => accounts.filter((account) => account.email !== email))
    setDone({ words: removedWords, what: `${email} can no longer sign in.` })
    ask({ email, button, open: false })
    toast(removedWords, { detail: email })
  }

  return (
    <Page title="All Users" wide>
      {done && (
        <Notice kind="success" title={done.words}>
          {done.what}
        </Notice>
      )}
      <Search listing={listing} label="Search e-mails" things={['account', 'accounts']} />
      {listing.rows.length === 0 && <Scene name="no-accounts" />}
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
              onAsk={() => setDone(undefined)}
              onAdmin={(made) => showAsAdmin(account.email, made)}
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
          ended={<SignInEnded />}
          focusAfter={() => goOnAt.current}
        >
          <p className="font-semibold wrap-anywhere">
            <LongWord>{asked.email}</LongWord>
          </p>
          <p>It is signed out everywhere, and this address cannot sign in or register again. Its orders stay as they are.</p>
        </Question>
      )}
    </Page>
  )
}

type RoleProps = {
  /** Make Admin was pressed */
  onAsk: () => void
  /** the account is an admin; `made` by this press, not by somebody else before */
  onAdmin: (made: boolean) => void
}
type AccountRowProps = RoleProps & { account: Account; onRemove: (button: HTMLElement) => void }

function AccountRow({ account: { email, role }, onRemove, ...asked }: AccountRowProps) {
  const oneself = useAccount()?.email === email
  const whyNot = useId()
  return (
    <Row>
      <Cell label="Email" head>
        <span className="wrap-anywhere">
          <LongWord>{email}</LongWord>
        </span>
      </Cell>
      <Cell label="Make Admin">
        <Role email={email} admin={role === 'admin'} {...asked} />
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
function Role({ email, admin, onAsk, onAdmin }: RoleProps & { email: string; admin: boolean }) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>()
  const [made, setMade] = useState(false)

  async function make() {
    setBusy(true)
    setTrouble(undefined)
    onAsk()
    try {
      const { modifiedCount } = await send(makeAdmin, { params: { email } })
      setMade(true)
      onAdmin(modifiedCount > 0)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      const trouble = notMade(refusal, email)
      toast(trouble.words, { kind: 'error', detail: trouble.next })
      setTrouble(trouble)
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
        <span role="alert" className="mt-1 flex items-start gap-1 text-left font-medium text-bad">
          <Icon name="error" />
          <span>
            <span className="block">{trouble.words}</span>
            <span className="block font-normal text-ink">{trouble.next}</span>
          </span>
        </span>
      )}
    </>
  )
}

/** What happened, and in a second line to whom and what to do next. */
type Trouble = { words: string; next: string }

const notMade = ({ status, message }: Refusal, email: string): Trouble =>
  status === 403
    ? {
        words: 'Failed to make admin',
        next: `${email} is no admin yet. Reload the page to see whether you still are one, then press Make Admin again.`,
      }
    : { words: message, next: `${email} may not be an admin yet. Reload the page to see, then press Make Admin again if needed.` }
