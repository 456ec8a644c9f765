import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { Refusal } from '#platform/refusal.ts'
import type { CardProvider } from './card-provider.ts'
import { settle } from './rules.ts'

/** `POST /webhooks/stripe`: the card provider tells what happened. Believed only when signed, and even then the provider is asked. */
export function openWebhook(app: Http, { db, cards }: { db: Database; cards: CardProvider }) {
  app.register(async (door) => {
    // The signature is over the bytes as they came, so nothing may parse them first.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    door.post('/webhooks/stripe', { schema: { hide: true } }, async (request) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) throw new Refusal(400, 'This event is not signed')
      const event = await readEvent(cards, request.body, signature)
      if (event.type === 'payment_intent.succeeded') await settle(db, cards, event.data.object.id)
      return { received: true }
    })
  })
}

async function readEvent(cards: CardProvider, body: Buffer, signature: string) {
  try {
    return await cards.stripe.webhooks.constructEventAsync(body, signature, cards.webhookSecret)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new Refusal(400, 'The signature of this event is not right')
    throw new Refusal(400, 'This is not an event')
  }
}
