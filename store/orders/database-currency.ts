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

/**
 * As `setCurrencyFromDatabase`, and keeps the currency in the database: processes that are still open in another one place no more orders.
 * Starts at one moment come one after the other, and no order comes between the look at orders and the change.
 */
export async function adoptDatabaseCurrency(db: Database, setting?: CurrencyCode): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('currency of the store', 0))`)
    const stored = await findStoredCurrency(tx)
    if (setting && setting !== stored) await tx.execute(sql`lock table ${orders} in share mode`)
    const value = await setCurrencyFromDatabase(tx, setting)
    if (value === stored) return
    await tx.insert(storedValues).values({ name: currencyKey, value }).onConflictDoUpdate({ target: storedValues.name, set: { value } })
  })
}

/** @throws {HttpError} 503 the database was given another currency after this process was started: it has to be started again */
export async function assertCurrencyIsKept(db: Database): Promise<void> {
  const { code } = storeCurrency()
  if (((await findStoredCurrency(db)) ?? code) !== code)
    throw new HttpError(503, 'Orders cannot be placed at the moment: try again in a few minutes')
}

async function findStoredCurrency(db: Database): Promise<string | undefined> {
  const [stored] = await db.select({ code: storedValues.value }).from(storedValues).where(eq(storedValues.name, currencyKey))
  return stored?.code
}
