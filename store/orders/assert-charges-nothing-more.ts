import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { deliveryMethods } from '#store/delivery/table.ts'
import { taxRates, taxSettings } from '#store/tax/table.ts'

/** Whether the shop has set a tax or a method of delivery. */
export const chargesMoreSql: SQL = sql`exists (select from ${deliveryMethods})
  or exists (select from ${taxSettings} where ${taxSettings.country} is not null) and exists (select from ${taxRates})`

/**
 * Orders that name no country can be charged neither tax nor delivery, so a shop that has set either takes none of them.
 * @throws {HttpError} 409 checkout_required
 */
export async function assertChargesNothingMore(db: Database): Promise<void> {
  const { rows } = await db.execute<{ charges_more: boolean }>(sql`select ${chargesMoreSql} as charges_more`)
  if (!rows[0]?.charges_more) return
  const message = 'This shop charges delivery or tax by the country: put the product into your basket, and check out there'
  throw new HttpError(409, message, undefined, { code: 'checkout_required' })
}
