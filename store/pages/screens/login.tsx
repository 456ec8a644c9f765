import { useSearchParams } from 'react-router'
import { AlreadySignedIn } from '#store/identity/screens/already-signed-in.tsx'
import { LoginForm } from '#store/identity/screens/login-form.tsx'
import { refusedAsNoAdmin } from '#store/identity/screens/way-back.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import type { Route } from './+types/login'
import { wantedBy } from './sign-in-purpose.ts'

export const loader = async ({ request, context }: Route.LoaderArgs) => ({ wanted: await wantedBy(request, context) })

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta('Sign in | Nucleus of PC', 'Sign in to order computer parts and tools in quantities.', root.loaderData?.origin)
export const headers = () => ({ 'x-shows': 'shelves' })

export default function Login({ loaderData: { wanted } }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <Page doorstep title="Nucleus of PC" lead={lead(wanted, search.has('from'))}>
      {refusedAsNoAdmin(search) && (
        <Notice kind="warning" title="This account is not an admin, and was signed out">
          Sign in as an admin, or go on as a customer.
        </Notice>
      )}
      <AlreadySignedIn />
      <LoginForm />
    </Page>
  )
}

function lead(wanted: string | undefined, sentHere: boolean): string {
  if (wanted) return `Sign in to order ${wanted}. You return to where you were.`
  return sentHere ? 'Sign in to go on. You return to where you were.' : 'Sign in to order and to follow your orders.'
}
