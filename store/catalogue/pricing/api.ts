import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import * as prices from './buyer-prices.ts'
import { announcingPriceChanges, listPricingChanges as listChanges } from './changes.ts'
import {
  addDiscountCode,
  endDiscountCode,
  listAllBuyerPrices,
  listDiscountCodes,
  listOwnPrices,
  listPricingChanges,
  removeBuyerPrice,
  restoreDiscountCode,
  setBuyerPrice,
} from './contract.ts'
import {
  addCustomerGroup,
  listCustomerGroups,
  listGroupMembers,
  removeCustomerGroup,
  setCustomerGroup,
  updateCustomerGroup,
} from './customer-group-contract.ts'
import * as groups from './customer-groups.ts'
import * as codes from './discount-codes.ts'
import * as ownPrices from './own-prices.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents }

export function registerPricingRoutes(app: HttpApp, deps: Deps) {
  const { db, guards } = deps
  const change = announcingPriceChanges(deps.events)
  registerGroupRoutes(app, deps)
  registerCodeRoutes(app, deps)

  app.route({ ...listAllBuyerPrices, onRequest: guards.admin, handler: ({ query }) => prices.listPrices(db, query) })
  app.route({
    ...setBuyerPrice,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(prices.setPrice(db, user, body))),
  })
  app.route({
    ...removeBuyerPrice,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(prices.removePrice(db, user, params.id))
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...listOwnPrices,
    onRequest: guards.signedIn,
    handler: ({ query, user }) => ownPrices.listOwnPrices(db, user.id, query.productId),
  })
  app.route({ ...listPricingChanges, onRequest: guards.admin, handler: ({ query }) => listChanges(db, query.before) })
}

function registerGroupRoutes(app: HttpApp, deps: Deps) {
  const { db, guards } = deps
  const change = announcingPriceChanges(deps.events)
  app.route({ ...listCustomerGroups, onRequest: guards.admin, handler: () => groups.listGroups(db) })
  app.route({
    ...listGroupMembers,
    onRequest: guards.admin,
    handler: ({ params, query }) => groups.listMembers(db, params.id, query.after),
  })
  app.route({
    ...addCustomerGroup,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(groups.addGroup(db, user, body))),
  })
  app.route({
    ...updateCustomerGroup,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => change(groups.updateGroup(db, user, params.id, body)),
  })
  app.route({
    ...removeCustomerGroup,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await change(groups.removeGroup(db, user, params.id))
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...setCustomerGroup,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => change(groups.setGroupOfCustomer(db, user, params.email, body.groupId)),
  })
}

function registerCodeRoutes(app: HttpApp, deps: Deps) {
  const { db, guards } = deps
  const change = announcingPriceChanges(deps.events)
  app.route({ ...listDiscountCodes, onRequest: guards.admin, handler: ({ query }) => codes.listCodes(db, query) })
  app.route({
    ...addDiscountCode,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await change(codes.addCode(db, user, body))),
  })
  app.route({
    ...endDiscountCode,
    onRequest: guards.admin,
    handler: ({ params, user }) => change(codes.endCode(db, user, params.id)),
  })
  app.route({
    ...restoreDiscountCode,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => change(codes.restoreCode(db, user, params.id, body.endsOn)),
  })
}
