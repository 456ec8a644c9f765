import { type ComponentProps, type RefObject, useId, useRef, useState } from 'react'
import {
  type Account,
  listRemoved,
  listUsers,
  makeAdmin,
  mostRemoved,
  type RemovedAccount,
  removeUser,
  restoreUser,
  takeAdminBack,
  whatAdminsMay,
} from '#store/identity/contract.ts'
import { useAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
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
import { When } from '#web/when.tsx'
import type { Route } from './+types/all-users'
import { LiftLimits } from './lift-limits.tsx'
import { SignInEnded } from './sign-in-ended.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'All Users | Nucleus of PC' }]

export async function clientLoader() {
  const [loaded, removed] = await Promise.all([send(listUsers, {}), send(listRemoved, {})])
  return { loaded, removed }
}

export const shouldRevalidate = onOtherPages

const removedWords = 'Account removed'
const madeWords = 'Made an admin'
const takenBackWords = 'Admin role taken back'
const broughtBackWords = 'Account brought back'
const liftedWords = 'Limits lifted'
const putBackWords = 'Limits put back'

const ways = { text: ({ email }: Account) => email, columns: { email: ({ email }: Account) => email } }

/** What is asked about before it is done. */
type Act = 'remove' | 'make admin' | 'take back'
type Asked = { act: Act; account: Account; button: HTMLElement; open: boolean }

export default function AllUsers({ loaderData }: Route.ComponentProps) {
  const own = useAccount()?.email
  const [accounts, setAccounts] = useState(loaderData.loaded)
  const [removed, setRemoved] = useState(loaderData.removed)
  const [asked, ask] = useState<Asked>()
  const [done, setDone] = useState<{ words: string; what: string }>()
  const [trouble, setTrouble] = useState<Trouble & { email: string }>()
  const [made, setMade] = useState<string>()
  const table = useRef<HTMLDivElement>(null)
  const goOnAt = useRef<HTMLElement>(null)
  const madeAt = useRef<HTMLElement>(null)
  const listing = useListing(accounts, ways)
  const owns = accounts.some(({ email, owner }) => owner && email === own)

  const setRole = (email: string, role: Account['role']) =>
    setAccounts((accounts) => accounts.map((account) => (account.email === email ? { ...account, role } : account)))

  function tell(words: string, email: string, what: string) {
    setDone({ words, what })
    toast(words, { detail: email })
  }

  function showLimits(changed: Account) {
    const { email, limitsLifted } = changed
    setAccounts((accounts) => accounts.map((account) => (account.email === email ? changed : account)))
    tell(
      limitsLifted ? liftedWords : putBackWords,
      email,
      limitsLifted ? `${email} orders without the limits of buyers from now on.` : `The usual limits of buyers hold for ${email} again.`,
    )
  }

  function askAbout(act: Act, account: Account, button: HTMLElement) {
    setDone(undefined)
    setTrouble(undefined)
    goOnAt.current = button
    ask({ act, account, button, open: true })
  }

  const acts: Record<Act, (asked: Asked) => Promise<void>> = {
    async 'make admin'(asked) {
      const { email } = asked.account
      try {
        const { modifiedCount } = await send(makeAdmin, { params: { email } })
        setRole(email, 'admin')
        setMade(email)
        goOnAt.current = null // the button is gone: what stands in its place takes the focus
        if (modifiedCount > 0) tell(madeWords, email, `${email} manages users, products and orders from now on.`) // else somebody was faster
      } catch (refusal) {
        if (!(refusal instanceof Refusal) || refusal.status === 401) throw refusal
        const trouble = notMade(refusal, email)
        toast(trouble.words, { kind: 'error', detail: trouble.next })
        setTrouble({ ...trouble, email })
      }
      ask({ ...asked, open: false })
    },
    async 'take back'(asked) {
      const { email } = asked.account
      await send(takeAdminBack, { params: { email } })
      goOnAt.current = table.current
      setRole(email, 'customer')
      setMade(undefined)
      tell(takenBackWords, email, `${email} is a customer from now on, and was signed out everywhere.`)
      ask({ ...asked, open: false })
    },
    async remove(asked) {
      const { email } = asked.account
      const { _id } = await send(removeUser, { params: { email } })
      goOnAt.current = buttonInNextRow(asked.button) ?? table.current
      setAccounts((accounts) => accounts.filter((account) => account.email !== email))
      setRemoved((removed) => [{ _id, email, removedAt: new Date().toISOString() }, ...removed].slice(0, mostRemoved))
      tell(removedWords, email, `${email} can no longer sign in. It can be brought back below.`)
      ask({ ...asked, open: false })
    },
  }

  function broughtBack(account: Account) {
    setRemoved((removed) => removed.filter(({ email }) => email !== account.email))
    setAccounts((accounts) => [...accounts, account])
    tell(broughtBackWords, account.email, `${account.email} can sign in again, as a customer.`)
  }

  return (
    <Page title="All Users" wide>
      {done && (
        <Notice kind="success" title={done.words}>
          {done.what}
        </Notice>
      )}
      <Search listing={listing} label="Search e-mails" things={['account', 'accounts']} />
      <p className="max-w-read text-soft">
        Limits keep one buyer from holding all of the stock: they bound what an account has ordered and not paid, and its orders in an hour.
        Lift them for buyers whom you trust.
      </p>
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
              oneself={account.email === own}
              mayTakeBack={owns}
              madeAt={made === account.email ? madeAt : undefined}
              trouble={trouble?.email === account.email ? trouble : undefined}
              onAsk={(act, button) => askAbout(act, account, button)}
              onLimits={showLimits}
            />
          ))}
        </Table>
      )}
      <Paging listing={listing} table={table} />
      {removed.length > 0 && <Removed accounts={removed} onBack={broughtBack} />}
      {asked && (
        <Question
          open={asked.open}
          {...questions[asked.act](asked.account)}
          onAct={() => acts[asked.act](asked)}
          onKeep={() => ask({ ...asked, open: false })}
          ended={<SignInEnded />}
          focusAfter={() => goOnAt.current ?? madeAt.current}
        />
      )}
    </Page>
  )
}

const questions: Record<
  Act,
  (account: Account) => Pick<ComponentProps<typeof Question>, 'title' | 'act' | 'keep' | 'busyWords' | 'look' | 'children'>
> = {
  'make admin': ({ email, verified }) => ({
    title: 'Make this account an admin?',
    act: `Make ${email} an admin`,
    keep: 'Keep as customer',
    busyWords: 'Making admin',
    look: 'action',
    children: (
      <>
        <Whose email={email} />
        {verified === false && <p className="font-semibold">This e-mail has not been verified: anybody may have registered it.</p>}
        <p>An admin can {whatAdminsMay}. Every owner of the store is told by mail.</p>
      </>
    ),
  }),
  'take back': ({ email }) => ({
    title: 'Take the admin role back?',
    act: `Take it back from ${email}`,
    keep: 'Keep as admin',
    busyWords: 'Taking it back',
    children: (
      <>
        <Whose email={email} />
        <p>The account goes on as a customer, and is signed out everywhere. Every owner of the store is told by mail.</p>
      </>
    ),
  }),
  remove: ({ email }) => ({
    title: 'Remove this account?',
    act: `Remove ${email}`,
    keep: 'Keep it',
    busyWords: 'Removing',
    children: (
      <>
        <Whose email={email} />
        <p>
          It is signed out everywhere, and this address cannot sign in or register again, until an admin brings it back. Its unpaid orders
          end, and their pieces go back into stock; the others stay as they are.
        </p>
      </>
    ),
  }),
}

const Whose = ({ email }: { email: string }) => (
  <p className="font-semibold wrap-anywhere">
    <LongWord>{email}</LongWord>
  </p>
)

type AccountRowProps = {
  account: Account
  oneself: boolean
  /** the role of other admins, since the one who looks is an owner */
  mayTakeBack: boolean
  /** where the focus goes, since it was made an admin just now */
  madeAt: RefObject<HTMLElement | null> | undefined
  trouble: Trouble | undefined
  onAsk: (act: Act, button: HTMLElement) => void
  /** its limits were lifted or put back */
  onLimits: (account: Account) => void
}

function AccountRow({ account, oneself, mayTakeBack, madeAt, trouble, onAsk, onLimits }: AccountRowProps) {
  const { email, verified, role, owner } = account
  const whyNotId = useId()
  const whyNot = oneself ? 'Your own account' : owner ? 'An owner of the store' : undefined
  return (
    <Row>
      <Cell label="Email" head>
        <span className="wrap-anywhere">
          <LongWord>{email}</LongWord>
        </span>
        {verified === false && <span className="block text-sm font-normal text-soft">unverified</span>}
      </Cell>
      <Cell label="Make Admin">
        <span className="flex flex-wrap items-center gap-2 @max-3xl:justify-end">
          {role === 'admin' ? (
            <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 @max-3xl:justify-end">
              <span ref={madeAt} tabIndex={madeAt && -1}>
                <Status kind="good">Admin</Status>
              </span>
              {owner && <span className="text-soft">Owner</span>}
              {mayTakeBack && !owner && (
                <Button
                  dense
                  look="quiet"
                  aria-label={`Take Back Admin, ${email}`}
                  onClick={({ currentTarget }) => onAsk('take back', currentTarget)}
                >
                  Take Back Admin
                </Button>
              )}
            </span>
          ) : (
            <Button
              dense
              look="quiet"
              aria-label={`Make Admin, ${email}`}
              onClick={({ currentTarget }) => onAsk('make admin', currentTarget)}
            >
              Make Admin
            </Button>
          )}
          <LiftLimits account={account} onChange={onLimits} />
        </span>
        {trouble && (
          <span role="alert" className="mt-1 flex items-start gap-1 text-left font-medium text-bad">
            <Icon name="error" />
            <span>
              <span className="block">{trouble.words}</span>
              <span className="block font-normal text-ink">{trouble.next}</span>
            </span>
          </span>
        )}
      </Cell>
      <Cell label="Remove User">
        <Button
          dense
          look="quiet"
          disabled={whyNot !== undefined}
          aria-label={`Remove User, ${email}`}
          aria-describedby={whyNot && whyNotId}
          onClick={({ currentTarget }) => onAsk('remove', currentTarget)}
        >
          Remove User
        </Button>
        {whyNot && (
          <span id={whyNotId} className="mt-1 block text-soft">
            {whyNot}
          </span>
        )}
      </Cell>
    </Row>
  )
}

/** What was removed by mistake comes back at one press. */
function Removed({ accounts, onBack }: { accounts: RemovedAccount[]; onBack: (account: Account) => void }) {
  const id = useId()
  const [busy, setBusy] = useState<string>()
  const [refused, setRefused] = useState<Refusal>()

  async function bringBack(email: string) {
    setBusy(email)
    setRefused(undefined)
    try {
      onBack(await send(restoreUser, { params: { email } }))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error', detail: email })
      setRefused(refusal)
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <section aria-labelledby={id} className="flex max-w-read flex-col gap-3">
      <h2 id={id} className="text-xl">
        Removed accounts
      </h2>
      <p className="text-soft">
        They cannot sign in, and their addresses cannot register. Brought back, an account is a customer with the password it had.
        {accounts.length === mostRemoved &&
          ` These are the ${mostRemoved} that were removed last; an older one comes back by the command npm run admin -- restore EMAIL.`}
      </p>
      {refused && (refused.status === 401 ? <SignInEnded /> : <Notice kind="error" title={refused.message} />)}
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {accounts.map(({ _id, email, removedAt }) => (
          <li key={_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 wrap-anywhere">
              <LongWord>{email}</LongWord>{' '}
              <span className="block text-sm text-soft">
                Removed <When at={removedAt} />
              </span>
            </span>
            <Button
              dense
              look="quiet"
              busy={busy === email}
              busyWords="Bringing back"
              aria-label={`Bring Back, ${email}`}
              onClick={() => bringBack(email)}
            >
              Bring Back
            </Button>
          </li>
        ))}
      </ul>
    </section>
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
