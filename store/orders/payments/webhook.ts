import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { CardProvider } from './card-provider.ts'
import { storeEvent } from './events.ts'

const maxBodyBytes = 512 * 1024
const signatureToleranceSeconds = 300

/**
 * `POST /webhooks/stripe` receives the card provider's events. It verifies the signature and stores the event; a worker processes it later,
 * so the provider waits for one database statement only.
 */
export function registerStripeWebhook(app: HttpApp, { db, cards, events }: { db: Database; cards: CardProvider; events: DomainEvents }) {
  app.register(async (instance) => {
    // The signature covers the raw bytes, so the body must not be parsed.
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    instance.post('/webhooks/stripe', { schema: { hide: true }, bodyLimit: maxBodyBytes }, async (request) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) throw new HttpError(400, 'This event is not signed')
      const event = await verifyEvent(cards, request.body, signature)
      if (await storeEvent(db, event)) events.cardEventsStored()
      return { received: true }
    })
  })
}

async function verifyEvent(cards: CardProvider, body: Buffer, signature: string) {
  // The library checks only that a signature is not too old: one dated in the future would be valid until then plus the tolerance. A header
  // may contain several timestamps, of which the library uses one, so the latest is checked here.
  const signedAt = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds))
  if (Math.max(...signedAt) > Date.now() / 1000 + signatureToleranceSeconds)
    throw new HttpError(400, 'The signature of this event is not right')
  try {
    return await cards.stripe.webhooks.constructEventAsync(body, signature, cards.webhookSecret, signatureToleranceSeconds)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw new HttpError(400, 'The signature of this event is not right')
    throw new HttpError(400, 'This is not an event')
  }
}
