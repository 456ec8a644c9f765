import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { LiveSearchIndex } from '#store/search/live-index.ts'
import { showAttention, showRevenue } from './contract.ts'
import * as overview from './rules.ts'

type Deps = { db: Database; guards: Guards; search: LiveSearchIndex }

export function registerOverviewRoutes(app: HttpApp, { db, guards, search }: Deps) {
  app.route({ ...showRevenue, onRequest: guards.admin, handler: ({ query: { period } }) => overview.revenue(db, period) })

  app.route({ ...showAttention, onRequest: guards.admin, handler: () => overview.attentionCounts(db, search) })
}
