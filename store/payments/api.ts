import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { User } from '#store/identity/contract.ts'
import type { Guards } from '#store/identity/guards.ts'
import type { BuyerLimits } from '#store/orders/buyer-limits.ts'
import { orderMails } from '#store/orders/mails.ts'
import * as orders from '#store/orders/rules.ts'
import { answerWithinMs, type CardProvider } from './card-provider.ts'
import { cancelOrder, createPaymentIntent, recordPayment, refundOrder } from './contract.ts'
import { end } from './ending.ts'
import { countQuestion } from './question-limits.ts'
import { refund } from './refunds.ts'
import * as payments from './rules.ts'

type House = { db: Database; guards: Guards; cards: CardProvider; changes: Changes; jobs: Jobs; buyerLimits: BuyerLimits | undefined }

export function paymentCalls(app: Http, { db, guards, cards, changes, jobs, buyerLimits }: House) {
  const shown = async (user: User, id: string) => {
    jobs.wake(orderMails)
    changes.tell('tools') // pieces may have gone back into stock
    return orders.show(db, user, id)
  }

  app.route({
    ...createPaymentIntent,
    onRequest: guards.signedIn,
    config: { answerMs: answerWithinMs },
    handler: async ({ body, user }) => ({
      clientSecret: await payments.open(db, cards, user, body, buyerLimits),
      publishableKey: cards.publishableKey,
      cardLibrary: cards.library,
    }),
  })

  app.route({
    ...recordPayment,
    onRequest: guards.signedIn,
    config: { answerMs: answerWithinMs },
    handler: async ({ params, body, user }) => {
      await payments.record(db, cards, user, { orderId: params.id, transectionId: body.transectionId }, buyerLimits)
      jobs.wake(orderMails)
      return orders.show(db, user, params.id)
    },
  })

  app.route({
    ...cancelOrder,
    onRequest: guards.signedIn,
    config: { answerMs: answerWithinMs },
    handler: async ({ params: { id }, body, user }) => {
      const order = await orders.show(db, user, id)
      const isOwn = order.buyerEmail === user.email
      if (order.state === 'open') {
        if (isOwn) await countQuestion(db, buyerLimits, 'cancel', { buyerId: user.id, orderId: id })
        const doer = { actor: isOwn ? 'buyer' : 'admin', userId: user.id } as const
        const became = await end(db, cards, id, { to: 'cancelled', doer, note: body.reason })
        if (became !== 'cancelled') throw payments.refuseEnded(became)
      } else if (user.role !== 'admin' || !order.paid) throw payments.refuseEnded(order.state)
      else await refund(db, cards, user, id, { endsAs: 'cancelled', reason: body.reason })
      return shown(user, id)
    },
  })

  app.route({
    ...refundOrder,
    onRequest: guards.admin,
    config: { answerMs: answerWithinMs },
    handler: async ({ params: { id }, body, user }) => {
      await refund(db, cards, user, id, { ...body, endsAs: 'refunded' })
      return shown(user, id)
    },
  })
}
