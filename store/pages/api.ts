import type { HttpApp } from '#platform/http.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import type { SiteContent } from './content.ts'
import { showHelp, showPortfolio } from './contract.ts'

export function registerPageRoutes(app: HttpApp, { content, inProcessApi }: { content: SiteContent; inProcessApi: InProcessApi }) {
  registerPageQuery(app, inProcessApi, showPortfolio, () => content.portfolio)
  registerPageQuery(app, inProcessApi, showHelp, () => content.help)
}
