import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import { showOrderDetails } from './contract.ts'
import { findOrderDetails } from './rules.ts'

export function registerOrderDetailsRoutes(app: HttpApp, { db, guards }: { db: Database; guards: Guards }) {
  app.route({
    ...showOrderDetails,
    onRequest: guards.signedIn,
    handler: async ({ params, user }) => ({ details: await findOrderDetails(db, user, params.id) }),
  })
}
