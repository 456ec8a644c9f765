import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { recordingPricingChange } from '#store/catalogue/pricing/changes.ts'
import type { User } from '#store/identity/contract.ts'
import type { Seller } from './contract.ts'
import { dueDocuments, seller } from './table.ts'

/** Who sells; null: the owner has not said it. */
export async function findSeller(db: Database): Promise<Seller | null> {
  const [row] = await db.select({ data: seller.data }).from(seller)
  return row?.data ?? null
}

/** Who sells, and how many documents are still to be issued. */
export async function showSeller(db: Database): Promise<{ seller: Seller | null; waiting: number }> {
  const [found, waiting] = await Promise.all([findSeller(db), db.$count(dueDocuments)])
  return { seller: found, waiting }
}

export function changeSeller(db: Database, owner: User, data: Seller): Promise<{ seller: Seller }> {
  return recordingPricingChange(db, owner, async (tx) => {
    await tx
      .insert(seller)
      .values({ data })
      .onConflictDoUpdate({ target: seller.singleRow, set: { data }, where: eq(seller.singleRow, true) })
    return { result: { seller: data }, what: `Invoices name ${describeSeller(data)} as the seller` }
  })
}

const describeSeller = ({ name, line1, city, country, vatId, taxNumber }: Seller): string =>
  [name, line1, city, country, vatId ?? taxNumber].join(', ')
