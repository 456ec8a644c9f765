import type { Http } from '#platform/http.ts'
import type { Content } from './content.ts'
import { showHelp, showPortfolio } from './contract.ts'

export function pageCalls(app: Http, { content }: { content: Content }) {
  app.route({ ...showPortfolio, handler: () => content.portfolio })
  app.route({ ...showHelp, handler: () => content.help })
}
