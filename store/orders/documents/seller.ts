import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { recordingPricingChange } from '#store/catalogue/pricing/changes.ts'
import type { User } from '#store/identity/contract.ts'
import { recordOwnerNotices } from '#store/identity/owner-notices.ts'
import { orders } from '#store/orders/table.ts'
import { maxListedOrders, type Seller } from './contract.ts'
import { documents, dueDocuments, lacksVatId, seller } from './table.ts'

/** Who sells; null: the owner has not said it. */
export async function findSeller(db: Database): Promise<Seller | null> {
  const [row] = await db.select({ data: seller.data }).from(seller)
  return row?.data ?? null
}

type ShownSeller = { seller: Seller | null; waiting: number; withoutVatId: number; ordersWithoutVatId: { _id: string; number: number }[] }

/** Who sells, how many documents are still to be issued, and which invoices lack the VAT id of the seller. */
export async function showSeller(db: Database): Promise<ShownSeller> {
  const [found, waiting, withoutVatId, ordersWithoutVatId] = await Promise.all([
    findSeller(db),
    db.$count(dueDocuments),
    countInvoicesWithoutVatId(db),
    listOrdersWithoutVatId(db),
  ])
  return { seller: found, waiting, withoutVatId, ordersWithoutVatId }
}

/** An invoice with reverse charge from before the seller had a VAT id, which no other one replaces: it breaks the law, and has no data by EN 16931. */
const lacksSellersVatId = sql`${lacksVatId(documents.data)} and ${documents.kind} = 'invoice' and ${documents.refundId} is null
  and not exists (select from ${documents} as later where later.corrects = ${documents._id} and later.refund_id is null)`

export const countInvoicesWithoutVatId = (db: Database): Promise<number> => db.$count(documents, lacksSellersVatId)

const listOrdersWithoutVatId = (db: Database) =>
  db
    .select({ _id: orders._id, number: orders.number })
    .from(documents)
    .innerJoin(orders, eq(orders._id, documents.orderId))
    .where(lacksSellersVatId)
    .orderBy(asc(orders.number))
    .limit(maxListedOrders)

/** Changes who sells, and tells the owners of the store. */
export function changeSeller(db: Database, owner: User, data: Seller): Promise<{ seller: Seller }> {
  return recordingPricingChange(db, owner, async (tx) => {
    await tx.execute(sql`lock table ${seller} in share row exclusive mode`) // there may be no row yet
    const before = await findSeller(tx)
    const [first, then] = [before && describeSeller(before), describeSeller(data)]
    await tx
      .insert(seller)
      .values({ data })
      .onConflictDoUpdate({ target: seller.singleRow, set: { data }, where: eq(seller.singleRow, true) })
    if (first === then) return { result: { seller: data }, what: undefined }
    const detail = `Invoices name ${then} as the seller${first === null ? '' : `, not ${first} any more`}`
    await recordOwnerNotices(tx, { event: 'seller changed', about: owner.email, by: owner.email, detail })
    return { result: { seller: data }, what: detail }
  })
}

const describeSeller = (seller: Seller): string => {
  const { name, line1, line2, postalCode, city, state, country, vatId, taxNumber, registration, email, phone, footer } = seller
  const numbers = [vatId && `VAT id ${vatId}`, taxNumber && `tax number ${taxNumber}`]
  return [name, line1, line2, postalCode, city, state, country, ...numbers, registration, email, phone, footer].filter(Boolean).join(', ')
}

/** Who sells, as it stands on papers that are no documents: name, address and VAT id, one line each. */
export const sellerText = (seller: Seller): string =>
  [...formatPostalAddress(seller, { company: seller.name }), ...(seller.vatId ? [`VAT id ${seller.vatId}`] : [])].join('\n')
