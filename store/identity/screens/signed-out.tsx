import { useSearchParams } from 'react-router'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'

/** Where a session that has ended leads: the home page, which keeps saying why until the visitor signs in again. */
export const signedOutOfOrders = '/?signed-out=orders'

export function SignedOut() {
  const [search] = useSearchParams()
  if (search.get('signed-out') !== 'orders') return null
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
