import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { InProcessApi } from '#platform/in-process-api.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { isBuyerOf } from '#store/orders/buyer.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { findOrder } from '#store/orders/order-queries.ts'
import { type CardProvider, providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { showWithdrawal, showWithdrawalPage, withdrawFromContract } from './contract.ts'
import { withdraw } from './withdraw.ts'
import { findOrderWithdrawal, readWithdrawalPage } from './withdrawal-page.ts'

export type WithdrawalDeps = {
  db: Database
  guards: OrderGuards
  cards: CardProvider
  events: DomainEvents
  inProcessApi: InProcessApi
  /** signs the addresses of the pages on which buyers withdraw */
  secret: string
}

export function registerWithdrawalRoutes(app: HttpApp, { db, guards, cards, events, inProcessApi, secret }: WithdrawalDeps) {
  app.route({
    ...showWithdrawal,
    onRequest: guards.buyer,
    // With the page's address an admin would withdraw in the buyer's name.
    handler: async ({ params, viewer }) => {
      const { _id } = await findOrder(db, viewer, params.id)
      const found = await findOrderWithdrawal(db, secret, _id)
      return (await isBuyerOf(db, viewer, _id)) ? found : { ...found, page: null }
    },
  })

  app.route({
    ...withdrawFromContract,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params, body, viewer }, reply) => {
      const withdrawal = await withdraw(db, cards, viewer, params.id, body).finally(events.orderWithdrawn)
      return reply.code(201).send(withdrawal)
    },
  })

  // What was typed without a script is found by a cookie.
  inProcessApi.answer(showWithdrawalPage, ({ params, cookies }) => readWithdrawalPage(db, secret, params.token, cookies))
  app.route({
    ...showWithdrawalPage,
    handler: async ({ params, headers }, reply) => {
      reply.header('cache-control', 'no-store')
      return readWithdrawalPage(db, secret, params.token, headers.cookie)
    },
  })
}
