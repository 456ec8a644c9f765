import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { announcingSaleTermsChanges } from '#store/catalogue/pricing/changes.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import {
  addDeliveryMethod,
  addDeliveryZone,
  changeDeliverySettings,
  removeDeliveryMethod,
  removeDeliveryZone,
  removeHoliday,
  setHoliday,
  showDelivery,
  updateDeliveryMethod,
  updateDeliveryZone,
} from './contract.ts'
import * as preview from './cost-preview.ts'
import { previewCost } from './cost-preview-contract.ts'
import * as rules from './rules.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents }

export function registerDeliveryRoutes(app: HttpApp, deps: Deps) {
  const { db, guards, events } = deps
  const change = announcingSaleTermsChanges(events)
  registerZoneRoutes(app, deps)
  app.route({ ...showDelivery, onRequest: guards.admin, handler: () => rules.showDelivery(db) })
  app.route({
    ...changeDeliverySettings,
    onRequest: guards.admin,
    handler: ({ body, user }) => change(rules.changeSettings(db, user, body)),
  })
  app.route({
    ...setHoliday,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(rules.setHoliday(db, user, body))),
  })
  app.route({
    ...removeHoliday,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(rules.removeHoliday(db, user, params.day))
      return { deletedCount: 1 }
    },
  })
  app.route({ ...previewCost, onRequest: guards.admin, handler: ({ body }) => preview.previewCost(db, body) })
}

function registerZoneRoutes(app: HttpApp, { db, guards, events }: Deps) {
  const change = announcingSaleTermsChanges(events)
  app.route({
    ...addDeliveryZone,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(rules.addZone(db, user, body))),
  })
  app.route({
    ...updateDeliveryZone,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => change(rules.updateZone(db, user, params.id, body)),
  })
  app.route({
    ...removeDeliveryZone,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(rules.removeZone(db, user, params.id))
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...addDeliveryMethod,
    onRequest: guards.admin,
    handler: async ({ params, body, user }, reply) => reply.code(201).send(await change(rules.addMethod(db, user, params.id, body))),
  })
  app.route({
    ...updateDeliveryMethod,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => change(rules.updateMethod(db, user, params.id, body)),
  })
  app.route({
    ...removeDeliveryMethod,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(rules.removeMethod(db, user, params.id))
      return { deletedCount: 1 }
    },
  })
}
