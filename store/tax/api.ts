import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { announcingSaleTermsChanges } from '#store/catalogue/pricing/changes.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { changeTaxSettings, loadTaxRates, removeTaxRate, setTaxRate, showTax } from './contract.ts'
import * as rules from './rules.ts'

export function registerTaxRoutes(app: HttpApp, { db, guards, events }: { db: Database; guards: Guards; events: DomainEvents }) {
  const change = announcingSaleTermsChanges(events)
  app.route({ ...showTax, onRequest: guards.admin, handler: () => rules.showTax(db) })
  app.route({
    ...changeTaxSettings,
    onRequest: guards.admin,
    handler: ({ body, user }) => change(rules.changeSettings(db, user, body)),
  })
  app.route({
    ...setTaxRate,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(rules.setRate(db, user, body))),
  })
  app.route({
    ...removeTaxRate,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(rules.removeRate(db, user, params.id))
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...loadTaxRates,
    onRequest: guards.admin,
    handler: ({ body, user }) => change(rules.loadRates(db, user, body)),
  })
}
