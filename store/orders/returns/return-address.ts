import type { Database } from '#platform/database.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { findSeller } from '#store/orders/documents/seller.ts'

/** Where returns are sent, one line each: to who sells; null: the owner has not said it. */
export async function findReturnAddress(db: Database): Promise<string | null> {
  const seller = await findSeller(db)
  return seller && formatPostalAddress(seller, { company: seller.name }).join('\n')
}
