import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import * as money from './book-money.ts'
import {
  bookPayback,
  bookPayment,
  changeCredit,
  changeReminders,
  listReceivables,
  sendReminder,
  showCompanyAccount,
  showOwnAccount,
  showOwnStatement,
} from './contract.ts'
import * as credits from './credits.ts'
import * as own from './own-account.ts'
import * as receivables from './receivables.ts'
import * as reminders from './reminders.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents }

export function registerOnAccountRoutes(app: HttpApp, { db, guards: { owner, signedIn }, events }: Deps) {
  app.route({ ...listReceivables, onRequest: owner, handler: ({ query }) => receivables.listReceivables(db, query) })
  app.route({
    ...showCompanyAccount,
    onRequest: owner,
    handler: ({ params, query }) => receivables.showCompanyAccount(db, params.id, query),
  })
  app.route({
    ...showOwnAccount,
    onRequest: signedIn,
    handler: async ({ user }) => ({ account: await own.showOwnAccount(db, user) }),
  })
  app.route({ ...showOwnStatement, onRequest: signedIn, handler: ({ query, user }) => own.showOwnStatement(db, user, query) })
  app.route({ ...changeCredit, onRequest: owner, handler: ({ params, body, user }) => credits.changeCredit(db, user, params.id, body) })
  app.route({
    ...bookPayment,
    onRequest: owner,
    handler: async ({ params, body, user }, reply) => {
      const orderId = await money.bookPayment(db, user, params.id, body)
      events.paymentSettled()
      return reply.code(201).send(await receivables.findOrderOnAccount(db, orderId))
    },
  })
  app.route({
    ...bookPayback,
    onRequest: owner,
    handler: async ({ params, body, user }, reply) => {
      const orderId = await money.bookPayback(db, user, params.id, body)
      events.paymentSettled()
      return reply.code(201).send(await receivables.findOrderOnAccount(db, orderId))
    },
  })
  app.route({
    ...sendReminder,
    onRequest: owner,
    handler: async ({ params, user }, reply) => {
      const sent = await reminders.sendReminder(db, user, params.id)
      events.reminderRecorded()
      return reply.code(201).send(sent)
    },
  })
  app.route({ ...changeReminders, onRequest: owner, handler: ({ body }) => reminders.changeReminders(db, body.daysAfterDue) })
}
