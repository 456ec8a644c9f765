import type Stripe from 'stripe'
import { type CardProvider, callProvider, isIdempotencyCachedError, readAllPages } from './card-provider.ts'
import type { RefundRow } from './refund-lines.ts'

/** The idempotency key is the row's id. If the provider has stored an error under a key and lists no such refund, the next key is used. */
export async function createProviderRefund(cards: CardProvider, intentId: string, { _id, amountCents }: RefundRow): Promise<Stripe.Refund> {
  const params = { payment_intent: intentId, amount: amountCents, reason: 'requested_by_customer', metadata: { refund_id: _id } } as const
  for (let attempt = 1; ; attempt++) {
    // Without the library's own retries a new key cannot get a replayed response, so the loop ends.
    const options = attempt === 1 ? { idempotencyKey: _id } : { idempotencyKey: `${_id} ${attempt}`, maxNetworkRetries: 0 }
    try {
      return await callProvider(cards.stripe.refunds.create(params, options))
    } catch (error) {
      if (!isIdempotencyCachedError(error)) throw error
      const existing = await findProviderRefund(cards, intentId, _id)
      if (existing) return existing
    }
  }
}

/** @param id of the refund's row */
export async function findProviderRefund(cards: CardProvider, intentId: string, id: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of readAllPages(cards.stripe.refunds.list({ payment_intent: intentId, limit: 100 })))
    if (refund.metadata?.refund_id === id) return refund
  return undefined
}
