import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Search } from '#store/catalogue/search/live-index.ts'
import type { Guards } from '#store/identity/guards.ts'
import { showAttention, showTakings } from './contract.ts'
import * as overview from './rules.ts'

type House = { db: Database; guards: Guards; search: Search }

export function overviewCalls(app: Http, { db, guards, search }: House) {
  app.route({ ...showTakings, onRequest: guards.admin, handler: ({ query: { period } }) => overview.takings(db, period) })

  app.route({ ...showAttention, onRequest: guards.admin, handler: () => overview.attention(db, search) })
}
