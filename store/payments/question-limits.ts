import type { Database } from '#platform/database.ts'
import { limit } from '#platform/limits.ts'
import { type BuyerLimits, factorOf } from '#store/orders/buyer-limits.ts'

/** How often in an hour a customer can make the store ask the card provider; of an account, times what `factorOf` says. */
const anHour = { ofOrder: 20, ofAccount: 60, seconds: 3600 }

/** What leads to a question, each counted for itself: who has opened too many payments can still cancel, and say that they have paid. */
const kinds = {
  open: { key: 'payment opened', words: 'Payments were opened too often' },
  record: {
    key: 'payment asked about',
    words: 'The card provider was asked too often how this stands. If you have paid, the order soon says so',
  },
  cancel: { key: 'order cancelled', words: 'Orders were cancelled too often' },
} as const

/**
 * Counts a question to the card provider before it is asked, for its order and for its buyer's account.
 * @throws {Refusal} 429, saying how long to wait
 */
export async function countQuestion(
  db: Database,
  limits: BuyerLimits | undefined,
  kind: keyof typeof kinds,
  { buyerId, orderId }: { buyerId: string; orderId: string },
): Promise<void> {
  if (!limits) return
  const { key, words } = kinds[kind]
  const { ofOrder, ofAccount, seconds } = anHour
  await limit(db, `${key}, order ${orderId}`, { most: ofOrder, seconds }, words)
  const factor = await factorOf(db, limits, buyerId)
  if (factor !== null) await limit(db, `${key}, account ${buyerId}`, { most: ofAccount * factor, seconds }, words)
}
