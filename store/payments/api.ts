import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import * as orders from '#store/orders/rules.ts'
import type { CardProvider } from './card-provider.ts'
import { createPaymentIntent, recordPayment } from './contract.ts'
import * as payments from './rules.ts'

export function paymentCalls(app: Http, { db, guards, cards }: { db: Database; guards: Guards; cards: CardProvider }) {
  app.route({
    ...createPaymentIntent,
    onRequest: guards.signedIn,
    handler: async ({ body, user }) => ({
      clientSecret: await payments.open(db, cards, user, body),
      publishableKey: cards.publishableKey,
      cardLibrary: cards.library,
    }),
  })

  app.route({
    ...recordPayment,
    onRequest: guards.signedIn,
    handler: async ({ params, body, user }) => {
      await payments.record(db, cards, user, params.id, body.transectionId)
      return orders.show(db, user, params.id)
    },
  })
}
