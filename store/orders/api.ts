import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { type InProcessApi, registerPageQuery } from '#platform/in-process-api.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { listPurchasePage } from './admin-list-contract.ts'
import { acknowledgeOrderProblems as acknowledge } from './attention.ts'
import { listBestsellers } from './bestsellers/contract.ts'
import { viewerKey } from './buyer.ts'
import type { OrderGuards } from './buyer-guard.ts'
import {
  acknowledgeOrderProblems,
  listAllPurchases,
  listBuyerPurchases,
  placePurchase,
  showPurchase,
  showPurchaseHistory,
} from './contract.ts'
import { type BuyerQueue, createKeyedLimiter, type KeyedLimiter, type PlacingLimiter } from './keyed-limiter.ts'
import { listOrders, placeOrder, showOrder } from './order-contract.ts'
import { listHistory } from './order-history.ts'
import { createOrderListSender, listsPerAccount } from './order-list.ts'
import * as orders from './order-queries.ts'
import { type OrderPolicy, placeOrder as place } from './place-order.ts'
import { placePurchase as placeOne } from './place-purchase.ts'
import { listPurchasePage as findPurchasePage } from './purchase-page.ts'
import * as purchases from './purchases.ts'

type Deps = OrderPolicy &
  BuyerQueue & {
    db: Database
    guards: OrderGuards
    events: DomainEvents
    placing: PlacingLimiter
    inProcessApi: InProcessApi
    findBestsellers: () => Promise<ProductDetails[]>
  }

export function registerOrderRoutes(app: HttpApp, deps: Deps) {
  const accounts = createKeyedLimiter(listsPerAccount)
  registerPlacingRoutes(app, deps)
  registerOrderReads(app, deps, accounts)
  registerListRoutes(app, deps, accounts)
  registerPageQuery(app, deps.inProcessApi, listBestsellers, deps.findBestsellers)
}

function registerPlacingRoutes(app: HttpApp, { db, guards, events, placing, ...terms }: Deps) {
  app.route({
    ...placePurchase,
    onRequest: guards.signedIn,
    handler: async ({ body, headers, ip, user }, reply) => {
      const context = { requestKey: headers['idempotency-key'], network: widestClientNetwork(ip) }
      const { purchase, isNew } = await placing.run({ buyer: user.id, network: context.network }, (inTurn) =>
        inTurn(1, () => placeOne(db, user, body, terms, context)),
      )
      if (isNew) events.orderPlaced()
      return reply.code(201).send(purchase)
    },
  })

  app.route({
    ...placeOrder,
    onRequest: guards.signedIn,
    handler: async ({ body, headers, ip, user }, reply) => {
      const context = { requestKey: headers['idempotency-key'], network: widestClientNetwork(ip) }
      const { order, isNew } = await placing.run({ buyer: user.id, network: context.network }, (inTurn) =>
        inTurn(body.lines.length, () => place(db, user, body, terms, context)),
      )
      if (isNew) events.orderPlaced()
      return reply.code(201).send(order)
    },
  })
}

function registerOrderReads(app: HttpApp, { db, guards }: Deps, accounts: KeyedLimiter) {
  app.route({
    ...listOrders,
    onRequest: guards.signedIn,
    handler: ({ query, user }) => accounts.run(user.id, () => orders.listOrders(db, user, query)),
  })
  app.route({
    ...showOrder,
    onRequest: guards.buyer,
    handler: ({ params, viewer }) => accounts.run(viewerKey(viewer), () => orders.findOrder(db, viewer, params.id)),
  })

  app.route({
    ...showPurchase,
    onRequest: guards.buyer,
    handler: ({ params, viewer }) => purchases.findPurchase(db, viewer, params.id, { ofOrder: 'first' }),
  })

  app.route({
    ...acknowledgeOrderProblems,
    onRequest: guards.admin,
    handler: async ({ params, user }) => acknowledge(db, user, await orders.findOrderIdOfLine(db, params.id)),
  })

  app.route({
    ...showPurchaseHistory,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }) => listHistory(db, viewer, await orders.findOrderIdOfLine(db, params.id)),
  })
}

/** The specification's lists, which are sent whole, and the page of the admins' list. */
function registerListRoutes(app: HttpApp, { db, guards }: Deps, accounts: KeyedLimiter) {
  const sendOrderList = createOrderListSender(accounts)

  app.route({
    ...listBuyerPurchases,
    config: { skipsReadLimit: true }, // a client that reads slowly would keep a place
    onRequest: guards.signedIn,
    handler: async (request, reply) => {
      const { query, user } = request
      if (query.buyerEmail !== user.email && user.role !== 'admin') throw new HttpError(403, "These are another buyer's orders")
      await sendOrderList(request, reply, 'ofBuyer', user.id, (page) => purchases.findPurchasesOfBuyer(db, user, query.buyerEmail, page))
    },
  })

  app.route({
    ...listAllPurchases,
    config: { skipsReadLimit: true },
    onRequest: guards.admin,
    handler: (request, reply) => sendOrderList(request, reply, 'all', request.user.id, (page) => purchases.readAllPurchases(db, page)),
  })

  app.route({
    ...listPurchasePage,
    onRequest: guards.admin,
    handler: ({ query, user }) => accounts.run(user.id, () => findPurchasePage(db, query)),
  })
}
