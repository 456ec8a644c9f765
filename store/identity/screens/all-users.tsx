import { type ComponentProps, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import {
  type Account,
  adminPermissionsText,
  buyerLimitFactors,
  listRemovedUsers,
  listUserPage,
  makeAdmin,
  removeUser,
  revokeAdmin,
} from '#store/identity/contract.ts'
import { useAccount } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Illustration } from '#web/illustration.tsx'
import { loadListPage, parseListQuery } from '#web/list-query.ts'
import { ListSearch } from '#web/list-search.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { revalidateOnUrlChange } from '#web/should-revalidate.ts'
import { Table } from '#web/table.tsx'
import { focusTargetInNextRow } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useServerPaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/all-users'
import { type AccountAction, AccountRow, type SignInFailureMessage } from './account-row.tsx'
import { RemovedAccounts } from './removed-accounts.tsx'
import { SessionEndedNotice } from './session-ended-notice.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'All Users | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const view = parseListQuery(new URL(request.url).searchParams)
  const sort = (['email', '-email'] as const).find((known) => known === view.sort)
  const query = { q: view.q.slice(0, 100), ...(sort && { sort }) }
  const [page, removed] = await Promise.all([
    loadListPage(view, (paging) => callApi(listUserPage, { querystring: { ...query, ...paging } })),
    callApi(listRemovedUsers, {}),
  ])
  return { ...page, removed }
}

export const shouldRevalidate = revalidateOnUrlChange

const removedMessage = 'Account removed'
const madeAdminMessage = 'Made an admin'
const adminRevokedMessage = 'Admin role taken back'
const restoredMessage = 'Account brought back'
const limitsLiftedMessage = 'Limits lifted'
const limitsRestoredMessage = 'Limits put back'

type PendingConfirmation = { action: AccountAction; account: Account; button: HTMLElement; open: boolean }

export default function AllUsers({ loaderData: { accounts, total, askedByOwner, removed } }: Route.ComponentProps) {
  const own = useAccount()?.email
  const { revalidate } = useRevalidator()
  const [pending, setPending] = useState<PendingConfirmation>()
  const [done, setDone] = useState<{ words: string; what: string }>()
  const [failure, setFailure] = useState<SignInFailureMessage & { email: string }>()
  const [madeAdminEmail, setMadeAdminEmail] = useState<string>()
  const table = useRef<HTMLDivElement>(null)
  const focusAfterDialog = useRef<HTMLElement>(null)
  const madeAdminRef = useRef<HTMLElement>(null)
  const listing = useServerPaginatedList(total)

  function announce(words: string, email: string, what: string) {
    setDone({ words, what })
    toast(words, { detail: email })
  }

  async function showLimits({ email, limitsLifted }: Account) {
    announce(
      limitsLifted ? limitsLiftedMessage : limitsRestoredMessage,
      email,
      limitsLifted ? `${email} orders without the limits of buyers from now on.` : `The usual limits of buyers hold for ${email} again.`,
    )
    await revalidate()
  }

  function openConfirmDialog(action: AccountAction, account: Account, button: HTMLElement) {
    setDone(undefined)
    setFailure(undefined)
    focusAfterDialog.current = button
    setPending({ action, account, button, open: true })
  }

  const actions: Record<AccountAction, (pending: PendingConfirmation) => Promise<void>> = {
    async 'make admin'(pending) {
      const { email } = pending.account
      try {
        const { modifiedCount } = await callApi(makeAdmin, { params: { email } })
        setMadeAdminEmail(email)
        focusAfterDialog.current = null // the button is gone: the badge in its place takes the focus
        // 0: another admin did it first
        if (modifiedCount > 0) announce(madeAdminMessage, email, `${email} manages users, products and orders from now on.`)
        await revalidate()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'not_signed_in') throw error
        const makeFailure = makeAdminFailure(error, email)
        toast(makeFailure.message, { kind: 'error', detail: makeFailure.nextStep })
        setFailure({ ...makeFailure, email })
      }
      setPending({ ...pending, open: false })
    },
    async 'take back'(pending) {
      const { email } = pending.account
      await callApi(revokeAdmin, { params: { email } })
      focusAfterDialog.current = table.current
      setMadeAdminEmail(undefined)
      announce(adminRevokedMessage, email, `${email} is a customer from now on, and was signed out everywhere.`)
      await revalidate()
      setPending({ ...pending, open: false })
    },
    async remove(pending) {
      const { email } = pending.account
      await callApi(removeUser, { params: { email } })
      focusAfterDialog.current = focusTargetInNextRow(pending.button) ?? table.current
      announce(removedMessage, email, `${email} can no longer sign in. It can be brought back below.`)
      await revalidate()
      setPending({ ...pending, open: false })
    },
  }

  async function showRestored({ email }: Account) {
    announce(restoredMessage, email, `${email} can sign in again, as a customer.`)
    await revalidate()
  }

  return (
    <Page title="All Users" wide>
      {done && (
        <Notice kind="success" title={done.words}>
          {done.what}
        </Notice>
      )}
      <ListSearch listing={listing} label="Search e-mails" itemNouns={['account', 'accounts']} />
      <div className="flex max-w-read flex-col gap-2 text-soft">
        <p>
          Limits keep one buyer from holding all of the stock. The usual limits bound how many unpaid orders an account has at a time, the
          pieces and what they cost, and how many orders and lines it places in an hour and in a day; their figures are settings of the
          store. A verified e-mail makes each of them {buyerLimitFactors.verified} times as high, and so does a paid order; who has paid
          more has up to {buyerLimitFactors.returning} times.
        </p>
        <p>
          Where they are lifted, an account can have any number of unpaid orders, all of which hold their pieces, and no limit of its
          network holds it up. Lift them for buyers whom you trust; they can be put back at any time.
        </p>
      </div>
      {accounts.length === 0 && <Illustration name="no-accounts" />}
      {accounts.length > 0 && (
        <Table
          ref={table}
          caption="Nucleus of PC All Users"
          columns={[{ label: 'Email', sortBy: 'email' }, { label: 'Make Admin' }, { label: 'Remove User' }]}
          sorting={{ by: listing.query.sort, onSort: (sort) => listing.updateQuery({ sort }) }}
        >
          {accounts.map((account) => (
            <AccountRow
              key={account._id}
              account={account}
              isSelf={account.email === own}
              canRevokeAdmin={askedByOwner}
              madeAdminRef={madeAdminEmail === account.email ? madeAdminRef : undefined}
              failure={failure?.email === account.email ? failure : undefined}
              onAction={(action, button) => openConfirmDialog(action, account, button)}
              onLimitsChanged={showLimits}
            />
          ))}
        </Table>
      )}
      <Pagination listing={listing} table={table} />
      {askedByOwner && (
        <p>
          <TextLink to="/dashboard/changedprofiles">What admins have changed of others' profiles</TextLink>
        </p>
      )}
      {removed.length > 0 && <RemovedAccounts accounts={removed} onRestored={showRestored} />}
      {pending && (
        <ConfirmDialog
          open={pending.open}
          {...confirmDialogs[pending.action](pending.account)}
          onConfirm={() => actions[pending.action](pending)}
          onCancel={() => setPending({ ...pending, open: false })}
          signedOutMessage={<SessionEndedNotice />}
          focusAfterClose={() => focusAfterDialog.current ?? madeAdminRef.current}
        />
      )}
    </Page>
  )
}

const confirmDialogs: Record<
  AccountAction,
  (
    account: Account,
  ) => Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'confirmLabel' | 'cancelLabel' | 'busyLabel' | 'variant' | 'children'>
> = {
  'make admin': ({ email, verified }) => ({
    title: 'Make this account an admin?',
    confirmLabel: `Make ${email} an admin`,
    cancelLabel: 'Keep as customer',
    busyLabel: 'Making admin',
    variant: 'action',
    children: (
      <>
        <AccountEmail email={email} />
        {verified === false && <p className="font-semibold">This e-mail has not been verified: anybody may have registered it.</p>}
        <p>An admin can {adminPermissionsText}. Every owner of the store is told by mail.</p>
      </>
    ),
  }),
  'take back': ({ email }) => ({
    title: 'Take the admin role back?',
    confirmLabel: `Take it back from ${email}`,
    cancelLabel: 'Keep as admin',
    busyLabel: 'Taking it back',
    children: (
      <>
        <AccountEmail email={email} />
        <p>The account goes on as a customer, and is signed out everywhere. Every owner of the store is told by mail.</p>
      </>
    ),
  }),
  remove: ({ email }) => ({
    title: 'Remove this account?',
    confirmLabel: `Remove ${email}`,
    cancelLabel: 'Keep it',
    busyLabel: 'Removing',
    children: (
      <>
        <AccountEmail email={email} />
        <p>
          It is signed out everywhere, and this address cannot sign in or register again, until an admin brings it back. Its unpaid orders
          end, and their pieces go back into stock; the others stay as they are.
        </p>
      </>
    ),
  }),
}

const AccountEmail = ({ email }: { email: string }) => (
  <p className="font-semibold wrap-anywhere">
    <BreakableText>{email}</BreakableText>
  </p>
)

const makeAdminFailure = ({ code, message }: ApiError, email: string): SignInFailureMessage =>
  code === 'forbidden'
    ? {
        message: 'Failed to make admin',
        nextStep: `${email} is no admin yet. Reload the page to see whether you still are one, then press Make Admin again.`,
      }
    : { message, nextStep: `${email} may not be an admin yet. Reload the page to see, then press Make Admin again if needed.` }
