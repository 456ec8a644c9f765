import type { Order } from '#store/orders/order-contract.ts'
import type { OrderAccess } from './order-access.ts'

/** Who has paid an order, as a page calls them. */
export type Payer = {
  isViewer: boolean
  /** "you", or the name of a colleague of the buyer; null where the order names nobody */
  name: string | null
  /** the card that money of the order goes back to */
  card: string
}

/**
 * Says who has paid an order to whoever views it. An order names a colleague of its buyer alone. Where it names nobody the buyer is taken to have paid,
 * though only before themselves: it is not always known.
 */
export function payerOf(
  { buyerEmail, paidBy, paymentMethod = 'card' }: Pick<Order, 'buyerEmail' | 'paidBy'> & Partial<Pick<Order, 'paymentMethod'>>,
  { isViewer }: Pick<OrderAccess, 'isViewer'>,
): Payer {
  if (paymentMethod === 'bank_transfer')
    return { isViewer: isViewer(buyerEmail), name: null, card: 'the account that it was transferred from' }
  if (isViewer(paidBy?.email ?? buyerEmail)) return { isViewer: true, name: paidBy && 'you', card: 'your card' }
  if (paidBy) return { isViewer: false, name: paidBy.name, card: `the card that ${paidBy.name} paid with` }
  return { isViewer: false, name: null, card: 'the card that it was paid with' }
}
