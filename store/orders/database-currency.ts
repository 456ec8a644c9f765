import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { StartupError } from '#platform/startup-error.ts'
import { generatedValues } from '#platform/stored-values.ts'
import { type CurrencyCode, currencies, isCurrencyCode } from '#shared/currencies.ts'
import { setStoreCurrency } from '#shared/currency.ts'
import { orders } from './table.ts'

const name = 'currency'

/**
 * Sets the currency of this process: that of the setting, or that in which the database was opened last, or US dollars. The first order
 * fixes it: a total, a refund and a report of two currencies would be wrong.
 * @throws {StartupError} when the database has orders in another currency than the setting
 */
export async function adoptDatabaseCurrency(db: Database, setting?: CurrencyCode): Promise<void> {
  const code = await db.transaction(async (tx) => {
    const [order] = await tx.select({ code: orders.currency }).from(orders).limit(1)
    const [stored] = await tx.select({ code: generatedValues.value }).from(generatedValues).where(eq(generatedValues.name, name))
    if (order && setting && order.code !== setting)
      throw new StartupError(
        `CURRENCY is ${setting.toUpperCase()}, but this store has orders in ${order.code.toUpperCase()}, and the first order fixes the currency`,
      )
    const adopted = setting ?? order?.code ?? stored?.code ?? 'usd'
    if (!isCurrencyCode(adopted)) throw new StartupError(`The currency of this database, ${adopted}, is none that this store knows`)
    await tx
      .insert(generatedValues)
      .values({ name, value: adopted })
      .onConflictDoUpdate({ target: generatedValues.name, set: { value: adopted } })
    return adopted
  })
  setStoreCurrency({ code, ...currencies[code] })
}
