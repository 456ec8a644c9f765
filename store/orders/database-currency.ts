import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { StartupError } from '#platform/startup-error.ts'
import { storedValues } from '#platform/stored-values.ts'
import { type CurrencyCode, currencies, isCurrencyCode } from '#shared/currencies.ts'
import { setStoreCurrency, storeCurrency } from '#shared/currency.ts'
import { orders } from './table.ts'

/** The name under which the database keeps its currency in `kept_values`. No order is placed in another one. */
export const currencyKey = 'currency'

/**
 * Sets the currency of this process: that of the setting, or that of the database, or US dollars. Changes nothing in the database.
 * @throws {StartupError} when the database has orders in another currency than the setting. The first order fixes it: a total, a refund and a
 *   report of two currencies would be wrong.
 */
export async function setCurrencyFromDatabase(db: Database, setting: CurrencyCode | undefined): Promise<CurrencyCode> {
  const [order] = await db.select({ code: orders.currency }).from(orders).orderBy(asc(orders.number)).limit(1)
  if (order && setting && order.code !== setting)
    throw new StartupError(
      `CURRENCY is ${setting.toUpperCase()}, but this store has orders in ${order.code.toUpperCase()}, and the first order fixes the currency`,
    )
  const code = setting ?? order?.code ?? (await findStoredCurrency(db)) ?? 'usd'
  if (!isCurrencyCode(code)) throw new StartupError(`The currency of this database, ${code}, is none that this store knows`)
  setStoreCurrency({ code, ...currencies[code] })
  return code
}

/** As `setCurrencyFromDatabase`, and keeps the currency in the database: processes that are still open in another one place no more orders. */
export async function adoptDatabaseCurrency(db: Database, setting?: CurrencyCode): Promise<void> {
  await db.transaction(async (tx) => {
    const changes = setting !== undefined && (await findStoredCurrency(tx)) !== setting
    if (changes) await tx.execute(sql`lock table ${orders} in share mode`) // no order comes between the look and the change
    const value = await setCurrencyFromDatabase(tx, setting)
    const kept = tx.insert(storedValues).values({ name: currencyKey, value })
    // Without a setting, what another process has set meanwhile stays.
    await (changes ? kept.onConflictDoUpdate({ target: storedValues.name, set: { value } }) : kept.onConflictDoNothing())
  })
}

/** @throws {HttpError} 503 the database was given another currency after this process was started */
export async function assertCurrencyIsKept(db: Database): Promise<void> {
  const { code } = storeCurrency()
  if (((await findStoredCurrency(db)) ?? code) !== code)
    throw new HttpError(503, 'The currency of this store has changed. It takes orders again once it has been restarted')
}

async function findStoredCurrency(db: Database): Promise<string | undefined> {
  const [stored] = await db.select({ code: storedValues.value }).from(storedValues).where(eq(storedValues.name, currencyKey))
  return stored?.code
}
