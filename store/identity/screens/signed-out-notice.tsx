import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'

/** Where My Orders redirects when its session has ended: the home page with `SignedOutNotice`. */
export const signedOutOfOrdersUrl = '/?signed-out=orders'

export function SignedOutNotice() {
  return (
    <div className="mx-auto max-w-page px-4 pt-4 sm:px-6">
      <Notice
        kind="warning"
        title="You were signed out"
        action={<ButtonLink to={`/login?${new URLSearchParams({ from: '/dashboard/myorder' })}`}>Sign in to see your orders</ButtonLink>}
      >
        Your sign-in had ended. Nothing of your orders is lost.
      </Notice>
    </div>
  )
}
