import type { Http } from '#platform/http.ts'
import { type Portfolio, showPortfolio } from './contract.ts'

export function pageCalls(app: Http, { portfolio }: { portfolio: Portfolio }) {
  app.route({ ...showPortfolio, handler: () => portfolio })
}
