import { type SQL, sql } from 'drizzle-orm'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Database } from '#platform/database.ts'
import { noFurtherCharges, type SaleTerms } from '#shared/sale-terms.ts'
import { taxRates, taxSettings } from '#store/tax/table.ts'
import type { Topic } from '#store/topics.ts'
import { deliveryMethods } from './table.ts'

const chargesDeliverySql = sql`exists (select from ${deliveryMethods})`
const isTaxedSql = sql`${taxSettings.country} is not null and exists (select from ${taxRates})`

/** `sellsByBasketOnly` in SQL, for the statement that places an order. */
export const sellsByBasketOnlySql: SQL = sql`(${chargesDeliverySql} or exists (select from ${taxSettings} where ${isTaxedSql}))`

/** Nothing is taxed until the shop has said where it is and set a rate, and delivery costs nothing until there is a method. */
export async function findSaleTerms(db: Database): Promise<SaleTerms> {
  const { rows } = await db.execute<{ includes_tax: boolean | null; charges_delivery: boolean }>(sql`
    select ${chargesDeliverySql} as charges_delivery,
      (select ${taxSettings.pricesIncludeTax} from ${taxSettings} where ${isTaxedSql}) as includes_tax`)
  const [found] = rows
  if (!found) throw new Error('The terms of sale were not returned')
  const { includes_tax: includesTax, charges_delivery: chargesDelivery } = found
  return { tax: includesTax === null ? null : includesTax ? 'included' : 'excluded', chargesDelivery }
}

/** As the page cache has it, for a notification that was lost. */
const maxAgeMs = 60_000

/**
 * The terms for pages, read anew once they have changed. After `maxAgeMs` they are read beside the page that asks for them. While the
 * database does not answer they are those that were read last: pages are shown without it, too.
 */
export function createSaleTermsReader(db: Database, changes: Pick<ChangeNotifier<Topic>, 'onChange'>): () => Promise<SaleTerms> {
  let known = { terms: noFurtherCharges, version: -1 }
  let version = 0 // counts the changes
  let readAt = 0
  changes.onChange('sale-terms', () => version++)

  async function read(): Promise<void> {
    const ofVersion = version
    readAt = Date.now()
    try {
      const terms = await findSaleTerms(db)
      if (ofVersion >= known.version) known = { terms, version: ofVersion }
    } catch {
      readAt = 0
    }
  }

  return async () => {
    if (known.version < version) await read()
    else if (Date.now() - readAt > maxAgeMs) read()
    return known.terms
  }
}
