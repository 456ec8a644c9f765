import { type RefObject, useId } from 'react'
import type { Account } from '#store/identity/contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { BuyerLimitsToggle } from './buyer-limits-toggle.tsx'

/** Actions that need a confirmation. */
export type AccountAction = 'remove' | 'make admin' | 'take back'

/** What failed, and on a second line for whom and what to do next. */
export type SignInFailureMessage = { message: string; nextStep: string }

type AccountRowProps = {
  account: Account
  isSelf: boolean
  /** whether the signed-in user is an owner, who can revoke the role of other admins */
  canRevokeAdmin: boolean
  /** set on the account just made an admin: its badge takes the focus */
  madeAdminRef: RefObject<HTMLElement | null> | undefined
  failure: SignInFailureMessage | undefined
  onAction: (action: AccountAction, button: HTMLElement) => void
  /** its buyer limits were lifted or restored */
  onLimitsChanged: (account: Account) => void
}

/** An account in the table of all users, with what can be done with it. */
export function AccountRow({ account, isSelf, canRevokeAdmin, madeAdminRef, failure, onAction, onLimitsChanged }: AccountRowProps) {
  const { email, verified, owner } = account
  const whyNotId = useId()
  const whyNot = isSelf ? 'Your own account' : owner ? 'An owner of the store' : undefined
  return (
    <Row>
      <Cell label="Email" isRowHeader>
        <span className="wrap-anywhere">
          <BreakableText>{email}</BreakableText>
        </span>
        {verified === false && <span className="block text-sm font-normal text-soft">unverified</span>}
      </Cell>
      <Cell label="Make Admin">
        <span className="flex flex-wrap items-center gap-2 @max-3xl:justify-end">
          <AccountRole account={account} canRevoke={canRevokeAdmin} badgeRef={madeAdminRef} onAction={onAction} />
          <BuyerLimitsToggle account={account} onChange={onLimitsChanged} />
        </span>
        {failure && (
          <span role="alert" className="mt-1 flex items-start gap-1 text-left font-medium text-bad">
            <Icon name="error" />
            <span>
              <span className="block">{failure.message}</span>
              <span className="block font-normal text-ink">{failure.nextStep}</span>
            </span>
          </span>
        )}
      </Cell>
      <Cell label="Remove User">
        <Button
          dense
          variant="quiet"
          disabled={whyNot !== undefined}
          aria-label={`Remove User, ${email}`}
          aria-describedby={whyNot && whyNotId}
          onClick={({ currentTarget }) => onAction('remove', currentTarget)}
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

type AccountRoleProps = {
  account: Account
  canRevoke: boolean
  badgeRef: RefObject<HTMLElement | null> | undefined
  onAction: (action: AccountAction, button: HTMLElement) => void
}

/** The role, or the button that makes the account an admin. */
function AccountRole({ account: { email, role, owner }, canRevoke, badgeRef, onAction }: AccountRoleProps) {
  if (role !== 'admin')
    return (
      <Button
        dense
        variant="quiet"
        aria-label={`Make Admin, ${email}`}
        onClick={({ currentTarget }) => onAction('make admin', currentTarget)}
      >
        Make Admin
      </Button>
    )
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 @max-3xl:justify-end">
      <span ref={badgeRef} tabIndex={badgeRef && -1}>
        <StatusBadge kind="good">Admin</StatusBadge>
      </span>
      {owner && <span className="text-soft">Owner</span>}
      {canRevoke && !owner && (
        <Button
          dense
          variant="quiet"
          aria-label={`Take Back Admin, ${email}`}
          onClick={({ currentTarget }) => onAction('take back', currentTarget)}
        >
          Take Back Admin
        </Button>
      )}
    </span>
  )
}
