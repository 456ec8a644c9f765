import { useSearchParams } from 'react-router'
import { AdminRequiredNotice } from '#store/identity/screens/admin-required-notice.tsx'
import { AlreadySignedIn } from '#store/identity/screens/already-signed-in.tsx'
import { LoginForm } from '#store/identity/screens/login-form.tsx'
import { isAdminRequiredLogin } from '#store/identity/screens/return-url.ts'
import { cacheUntilChanged } from '#store/topics.ts'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import type { Route } from './+types/login'
import { intendedPurchase } from './intended-purchase.ts'
import { OrderWithoutAccount } from './order-without-account.tsx'

export const loader = async ({ request, context }: Route.LoaderArgs) => ({ wanted: await intendedPurchase(request, context) })

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta('Sign in | Nucleus of PC', 'Sign in to order computer parts and tools in quantities.', root.loaderData?.origin)
export const headers = () => cacheUntilChanged('listings')

export default function Login({ loaderData: { wanted } }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <Page narrow title="Nucleus of PC" lead={loginLead(wanted?.text, search.has('from'))}>
      {isAdminRequiredLogin(search) ? <AdminRequiredNotice /> : <AlreadySignedIn />}
      {wanted && <OrderWithoutAccount {...wanted} />}
      <LoginForm />
    </Page>
  )
}

function loginLead(wanted: string | undefined, sentHere: boolean): string {
  if (wanted) return `Sign in to order ${wanted}. You return to where you were.`
  return sentHere ? 'Sign in to go on. You return to where you were.' : 'Sign in to order and to follow your orders.'
}
