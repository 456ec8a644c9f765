import { Page } from '#web/page.tsx'
import type { Route } from './+types/overview'
import { AttentionSection } from './attention-section.tsx'
import { RevenueSection } from './revenue-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Overview | Nucleus of PC' }]

/** The start page of an admin. */
export default function Overview() {
  return (
    <Page title="Overview" wide>
      <AttentionSection />
      <RevenueSection />
    </Page>
  )
}
