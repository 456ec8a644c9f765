import type { HttpApp } from '#platform/http.ts'
import type { SiteContent } from './content.ts'
import { showHelp, showPortfolio } from './contract.ts'

export function registerPageRoutes(app: HttpApp, { content }: { content: SiteContent }) {
  app.route({ ...showPortfolio, handler: () => content.portfolio })
  app.route({ ...showHelp, handler: () => content.help })
}
