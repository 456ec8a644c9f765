import Stripe from 'stripe'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { Refusal } from '#platform/refusal.ts'
import type { CardProvider } from './card-provider.ts'
import { cardEvents, keep } from './events.ts'

const largestBytes = 512 * 1024
const toleranceSeconds = 300

/**
 * `POST /webhooks/stripe`: the card provider tells what happened. Believed only when signed, kept, and worked off afterwards: the
 * provider waits for one statement of the database and nothing else.
 */
export function openWebhook(app: Http, { db, cards, jobs }: { db: Database; cards: CardProvider; jobs: Jobs }) {
  app.register(async (door) => {
    // The signature is over the bytes as they came, so nothing may parse them first.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    door.post('/webhooks/stripe', { schema: { hide: true }, bodyLimit: largestBytes }, async (request) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) throw new Refusal(400, 'This event is not signed')
      const event = await readEvent(cards, request.body, signature)
      if (await keep(db, event)) jobs.wake(cardEvents)
      return { received: true }
    })
  })
}

async function readEvent(cards: CardProvider, body: Buffer, signature: string) {
  // The library looks at the age only: a signature from the future would be good for as long as it is ahead. Of several times it takes one.
  const signedAt = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds))
  if (Math.max(...signedAt) > Date.now() / 1000 + toleranceSeconds) throw new Refusal(400, 'The signature of this event is not right')
  try {
    return await cards.stripe.webhooks.constructEventAsync(body, signature, cards.webhookSecret, toleranceSeconds)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new Refusal(400, 'The signature of this event is not right')
    throw new Refusal(400, 'This is not an event')
  }
}
