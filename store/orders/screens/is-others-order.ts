import type { Purchase } from '#store/orders/contract.ts'
import { accountStorage } from '#web/account.ts'

/** Whether the signed-in admin views another buyer's order. Its pages then say "the buyer" instead of "you". */
export function isOthersOrder({ buyerEmail }: Pick<Purchase, 'buyerEmail'>): boolean {
  const signedIn = accountStorage.get()
  return signedIn?.admin === true && signedIn.email !== buyerEmail
}
