import { type Order, showOrder } from '#store/orders/contract.ts'
import { recordPayment } from '#store/payments/contract.ts'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'

/**
 * What the store says of a payment that somebody waits for: it knows, and the order says what; the provider is still to say; the provider
 * has not taken the money; the store cannot be asked at the moment; or the order is not that of whoever is signed in by now.
 */
export type Answer = 'known' | 'checking' | 'not taken' | 'unreachable' | 'somebody else'

/**
 * Asks the store how a payment stands.
 * @param transectionId what the card provider has confirmed in this browser. The store is told of it each time, for it asks the provider
 *   then; without it the store asks by itself, and is only looked at
 */
export async function howItStands(order: Order, transectionId: string | undefined): Promise<Answer> {
  const params = { id: order._id }
  try {
    if (transectionId) {
      await send(recordPayment, { params, body: { pay: true, transectionId } })
      return 'known'
    }
    const { state, checking } = await send(showOrder, { params })
    return state !== 'open' ? 'known' : checking ? 'checking' : 'not taken'
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    if (refusal.status === 401 || refusal.status === 409) return 'known' // the page then asks to sign in, or shows how the order ended
    if (refusal.status === 402) return 'not taken'
    if (refusal.status === 404) return 'somebody else'
    // Asked too often: the store asks the provider by itself now, once a minute, and is only looked at.
    if (refusal.status === 429) return transectionId && (await howItStands(order, undefined)) === 'known' ? 'known' : 'checking'
    return refusal.status === 503 ? 'checking' : 'unreachable'
  }
}
