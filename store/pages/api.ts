import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, routeQuery } from '#platform/in-process-api.ts'
import type { SiteContent } from './content.ts'
import { showHelp, showPortfolio } from './contract.ts'

export function registerPageRoutes(app: HttpApp, { content, inProcessApi }: { content: SiteContent; inProcessApi: InProcessApi }) {
  routeQuery(app, inProcessApi, showPortfolio, () => content.portfolio)
  routeQuery(app, inProcessApi, showHelp, () => content.help)
}
