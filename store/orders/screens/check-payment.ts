import { recordPayment } from '#store/orders/payments/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { type DisplayedOrder, loadOrder } from './displayed-order.ts'
import type { OrderAccess } from './order-access.ts'

/**
 * Result of checking a payment. `known`: reload the order, it shows the outcome; `checking`: the provider does not know the outcome yet;
 * `not taken`: the provider has not taken the money; `unreachable`: the store does not respond; `somebody else`: the order does not belong
 * to the account that is signed in now.
 */
export type PaymentCheckResult = 'known' | 'checking' | 'not taken' | 'unreachable' | 'somebody else'

/**
 * Asks the store for the state of a payment.
 * @param transectionId the intent that the card provider has confirmed in this browser. It is sent each time, which makes the store settle
 *   the payment with the provider. Without it this only reads the order, and the store itself settles the payment
 */
export async function checkPayment(
  access: OrderAccess,
  order: DisplayedOrder,
  transectionId: string | undefined,
): Promise<PaymentCheckResult> {
  const [line] = order.lines
  try {
    if (transectionId) {
      // Answered with a purchase: the id of an order of several lines is that of none.
      await access.call(recordPayment, { params: { id: line?._id ?? order._id }, body: { pay: true, transectionId } })
      return 'known'
    }
    const { state, checking } = await loadOrder(order._id, access)
    return state !== 'open' ? 'known' : checking ? 'checking' : 'not taken'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    switch (error.code) {
      case 'not_signed_in':
      case 'payment_mismatch':
      case 'late_payment':
        return 'known' // the reloaded page asks to sign in, or shows how the order ended
      case 'payment_required':
        return 'not taken'
      case 'not_found':
        return 'somebody else'
      case 'too_many_requests': // the store now settles the payment itself once a minute, so only read the order
        return transectionId && (await checkPayment(access, order, undefined)) === 'known' ? 'known' : 'checking'
    }
    return error.status === 503 ? 'checking' : 'unreachable'
  }
}
