import { AlreadySignedIn } from '#store/identity/screens/already-signed-in.tsx'
import { RegistrationForm } from '#store/identity/screens/registration-form.tsx'
import { cacheUntilChanged } from '#store/topics.ts'
import { Page } from '#web/page.tsx'
import { pageMeta } from '#web/page-meta.ts'
import type { Route } from './+types/register'
import { intendedPurchase } from './intended-purchase.ts'
import { OrderWithoutAccount } from './order-without-account.tsx'

export const loader = async ({ request, context }: Route.LoaderArgs) => ({ wanted: await intendedPurchase(request, context) })

export const meta: Route.MetaFunction = ({ matches: [root] }) =>
  pageMeta('Register | Nucleus of PC', 'Three fields, and you can order computer parts and tools in quantities.', root.loaderData?.origin)
export const headers = () => cacheUntilChanged('listings')

export default function Register({ loaderData: { wanted } }: Route.ComponentProps) {
  return (
    <Page
      narrow
      title="Register"
      lead={`Three fields, and you can order${wanted ? ` ${wanted.text}` : ''}. Your name and e-mail will stand on your orders.`}
    >
      <AlreadySignedIn />
      {wanted && <OrderWithoutAccount {...wanted} />}
      <RegistrationForm />
    </Page>
  )
}
