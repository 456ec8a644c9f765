import { useSearchParams } from 'react-router'
import { useAccount } from '#web/account.ts'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { safeReturnUrl } from './return-url.ts'

/** Shown above the sign-in form to a signed-in user. */
export function AlreadySignedIn() {
  const account = useAccount()
  const [search] = useSearchParams()
  if (!account) return null
  return (
    <Notice
      kind="info"
      title={`You are signed in as ${account.name || account.email}`}
      action={
        <ButtonLink variant="quiet" to={safeReturnUrl(search.get('from'))}>
          Go on
        </ButtonLink>
      }
    >
      Only to change to another account, sign in or register below.
    </Notice>
  )
}
