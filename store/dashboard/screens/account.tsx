import { useAccount } from '#web/account.ts'
import { Page } from '#web/page.tsx'
import type { Route } from './+types/account'

export const meta: Route.MetaFunction = () => [{ title: 'My Profile | Nucleus of PC' }]

export const clientLoader = () => null

export default function MyProfile() {
  const account = useAccount()
  return (
    <Page title="My Profile">
      <div className="flex items-center gap-6 rounded border border-line bg-panel p-6">
        <img src="/drawings/avatar.svg" alt="" width="96" height="96" />
        <div className="min-w-0">
          <p className="text-xl font-semibold">{account?.name}</p>
          <p className="break-words text-soft">{account?.email}</p>
        </div>
      </div>
    </Page>
  )
}
