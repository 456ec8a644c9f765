import { showVerificationStatus } from '#store/identity/contract.ts'
import { ResendVerificationEmail } from '#store/identity/screens/resend-verification-email.tsx'
import { callApi } from '#web/call-api.ts'

/** Whether the account's e-mail is verified. When that cannot be found out, nothing is said of it: true. */
export const loadVerified = (): Promise<boolean> =>
  callApi(showVerificationStatus, {}).then(
    ({ verified }) => verified,
    () => true,
  )

/** Says which mails about orders an unverified address gets, see `isSendingAllowed` in orders/email-limits.ts, and how it gets all of them. */
export function UnverifiedBuyer({ email }: { email: string }) {
  return (
    <ResendVerificationEmail email={email}>
      Nobody has verified {email} yet. Such an address gets a mail about its first order only, and the receipt of each order that is paid.
      Once it is verified, every order is confirmed by mail. All orders stand in My Orders in any case.
    </ResendVerificationEmail>
  )
}
