import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { sellsByBasketOnly } from '#shared/sale-terms.ts'
import { findSaleTerms } from '#store/delivery/sale-terms.ts'

/**
 * Orders that name no country can be charged neither tax nor delivery, so a shop that has set either takes none of them.
 * @throws {HttpError} 409 checkout_required
 */
export async function assertChargesNothingMore(db: Database): Promise<void> {
  if (!sellsByBasketOnly(await findSaleTerms(db))) return
  const message = 'This shop charges delivery or tax by the country: put the product into your basket, and check out there'
  throw new HttpError(409, message, undefined, { code: 'checkout_required' })
}
