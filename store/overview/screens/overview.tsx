import { Page } from '#web/page.tsx'
import type { Route } from './+types/overview'
import { Takings } from './takings.tsx'
import { Work } from './work.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Overview | Nucleus of PC' }]

/** The first screen of an admin: work first, figures second. */
export default function Overview() {
  return (
    <Page title="Overview" wide>
      <Work />
      <Takings />
    </Page>
  )
}
