import type { Order } from '#store/orders/contract.ts'
import { account } from '#web/account.ts'

/** Whether an admin is looking at another buyer's order: what is said to "you" on its pages is said to the buyer. */
export function isOthers({ buyerEmail }: Pick<Order, 'buyerEmail'>): boolean {
  const signedIn = account.get()
  return signedIn?.admin === true && signedIn.email !== buyerEmail
}
