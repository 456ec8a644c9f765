import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import * as prices from './buyer-prices.ts'
import { listPricingChanges as listChanges } from './changes.ts'
import {
  addCustomerGroup,
  addDiscountCode,
  endDiscountCode,
  listBuyerPrices,
  listCustomerGroups,
  listDiscountCodes,
  listOwnPrices,
  listPricingChanges,
  removeBuyerPrice,
  removeCustomerGroup,
  setBuyerPrice,
  setCustomerGroup,
  updateCustomerGroup,
} from './contract.ts'
import * as groups from './customer-groups.ts'
import * as codes from './discount-codes.ts'
import * as ownPrices from './own-prices.ts'

type Deps = { db: Database; guards: Guards }

export function registerPricingRoutes(app: HttpApp, { db, guards }: Deps) {
  registerGroupRoutes(app, { db, guards })
  registerCodeRoutes(app, { db, guards })

  app.route({ ...listBuyerPrices, onRequest: guards.admin, handler: ({ query }) => prices.listPrices(db, query.q) })
  app.route({
    ...setBuyerPrice,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await prices.setPrice(db, user, body)),
  })
  app.route({
    ...removeBuyerPrice,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await prices.removePrice(db, user, params.id)
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...listOwnPrices,
    onRequest: guards.signedIn,
    handler: ({ query, user }) => ownPrices.listOwnPrices(db, user.id, query.productId),
  })
  app.route({ ...listPricingChanges, onRequest: guards.admin, handler: () => listChanges(db) })
}

function registerGroupRoutes(app: HttpApp, { db, guards }: Deps) {
  app.route({ ...listCustomerGroups, onRequest: guards.admin, handler: () => groups.listGroups(db) })
  app.route({
    ...addCustomerGroup,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await groups.addGroup(db, user, body)),
  })
  app.route({
    ...updateCustomerGroup,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => groups.updateGroup(db, user, params.id, body),
  })
  app.route({
    ...removeCustomerGroup,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await groups.removeGroup(db, user, params.id)
      return { deletedCount: 1 }
    },
  })
  app.route({
    ...setCustomerGroup,
    onRequest: guards.admin,
    handler: ({ params, body, user }) => groups.setGroupOfCustomer(db, user, params.email, body.groupId),
  })
}

function registerCodeRoutes(app: HttpApp, { db, guards }: Deps) {
  app.route({ ...listDiscountCodes, onRequest: guards.admin, handler: () => codes.listCodes(db) })
  app.route({
    ...addDiscountCode,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => reply.code(201).send(await codes.addCode(db, user, body)),
  })
  app.route({ ...endDiscountCode, onRequest: guards.admin, handler: ({ params, user }) => codes.endCode(db, user, params.id) })
}
