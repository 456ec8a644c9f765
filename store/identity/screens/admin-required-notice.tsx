import { useAccount } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'

/** Above the sign-in form, where an admin screen has refused a customer: signed out, or still signed in for what is open in other tabs. */
export function AdminRequiredNotice() {
  const account = useAccount()
  if (!account)
    return (
      <Notice kind="warning" title="That page is for admins">
        This account is not an admin, and was signed out. Sign in as an admin, or go on as a customer.
      </Notice>
    )
  return (
    <Notice
      kind="warning"
      title="That page is for admins"
      action={
        <ButtonLink variant="quiet" to="/dashboard">
          Stay signed in
        </ButtonLink>
      }
    >
      You are signed in as {account.name || account.email}, a customer, and stay so: the store is open in another tab, and nothing there was
      changed. To go on as somebody else, sign in below. That signs out {account.name || account.email} in every tab.
    </Notice>
  )
}
