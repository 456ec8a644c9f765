import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { announcingPriceChanges } from '#store/catalogue/pricing/changes.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { changePaymentSettings, showPaymentSettings } from './contract.ts'
import * as methods from './rules.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents }

export function registerPaymentMethodRoutes(app: HttpApp, { db, guards, events }: Deps) {
  const change = announcingPriceChanges(events)
  app.route({ ...showPaymentSettings, onRequest: guards.admin, handler: () => methods.findPaymentSettings(db) })
  app.route({
    ...changePaymentSettings,
    onRequest: guards.owner,
    handler: ({ body, user }) => change(methods.changePaymentSettings(db, user, body)),
  })
}
