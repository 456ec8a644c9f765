import type { ComponentProps } from 'react'
import { type Account, adminPermissionsText, buyerLimitFactors, listRemovedUsers, listUserPage } from '#store/identity/contract.ts'
import { useAccount } from '#web/account.ts'
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
import { TextLink } from '#web/text-link.tsx'
import { type PaginatedList, useServerPaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/all-users'
import { type AccountAction, AccountRow } from './account-row.tsx'
import { RemovedAccounts } from './removed-accounts.tsx'
import { SessionEndedNotice } from './session-ended-notice.tsx'
import { type AccountChanges, useAccountChanges } from './use-account-changes.ts'

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

export default function AllUsers({ loaderData: { accounts, total, askedByOwner, removed } }: Route.ComponentProps) {
  const changes = useAccountChanges()
  const { table, done, pending } = changes
  const listing = useServerPaginatedList(total)

  return (
    <Page title="All Users" wide>
      {done && (
        <Notice kind="success" title={done.words}>
          {done.what}
        </Notice>
      )}
      <ListSearch listing={listing} label="Search e-mails" itemNouns={['account', 'accounts']} />
      <LimitsExplanation />
      {accounts.length === 0 && <Illustration name="no-accounts" />}
      {accounts.length > 0 && <AccountsTable accounts={accounts} canRevokeAdmin={askedByOwner} listing={listing} changes={changes} />}
      <Pagination listing={listing} table={table} />
      {askedByOwner && (
        <p>
          <TextLink to="/dashboard/changedprofiles">What admins have changed of others' profiles</TextLink>
        </p>
      )}
      {removed.length > 0 && <RemovedAccounts accounts={removed} onRestored={changes.showRestored} />}
      {pending && (
        <ConfirmDialog
          open={pending.open}
          {...confirmDialogs[pending.action](pending.account)}
          onConfirm={() => changes.confirm(pending)}
          onCancel={changes.cancel}
          signedOutMessage={<SessionEndedNotice />}
          focusAfterClose={changes.focusAfterClose}
        />
      )}
    </Page>
  )
}

function LimitsExplanation() {
  return (
    <div className="flex max-w-read flex-col gap-2 text-soft">
      <p>
        Limits keep one buyer from holding all of the stock. The usual limits bound how many unpaid orders an account has at a time, the
        pieces and what they cost, and how many orders and lines it places in an hour and in a day; their figures are settings of the store.
        A verified e-mail makes each of them {buyerLimitFactors.verified} times as high, and so does a paid order; who has paid more has up
        to {buyerLimitFactors.returning} times.
      </p>
      <p>
        Where they are lifted, an account can have any number of unpaid orders, all of which hold their pieces, and no limit of its network
        holds it up. Lift them for buyers whom you trust; they can be put back at any time.
      </p>
    </div>
  )
}

type AccountsTableProps = { accounts: Account[]; canRevokeAdmin: boolean; listing: PaginatedList; changes: AccountChanges }

function AccountsTable({ accounts, canRevokeAdmin, listing, changes }: AccountsTableProps) {
  const own = useAccount()?.email
  const { table, failure, madeAdminEmail, madeAdminRef } = changes
  return (
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
          canRevokeAdmin={canRevokeAdmin}
          madeAdminRef={madeAdminEmail === account.email ? madeAdminRef : undefined}
          failure={failure?.email === account.email ? failure : undefined}
          onAction={(action, button) => changes.ask(action, account, button)}
          onLimitsChanged={changes.showLimits}
        />
      ))}
    </Table>
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
