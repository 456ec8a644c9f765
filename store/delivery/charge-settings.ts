import { type SQL, sql } from 'drizzle-orm'
import { type Database, executePrepared } from '#platform/database.ts'
import { findTaxSetup } from '#store/tax/rules.ts'
import type { TaxSetup } from '#store/tax/tax-terms.ts'
import { type DeliverySetup, findDeliverySetup } from './rules.ts'

/** All settings by which tax and delivery are computed, as they were in this version. */
export type ChargeSettings = { version: string | null; tax: TaxSetup; delivery: DeliverySetup }

/**
 * The version of these settings, for a query that reads something else at the same time: a random text that triggers renew with each change of
 * one of the six tables, in the transaction of the change. Null where nothing was ever set.
 */
export const chargeSettingsVersionSql = sql<string | null>`(select value from kept_values where name = 'charge settings')`

/** The newest version that this process has read. Versions are random, so the one of another database is not taken for it. */
let known: ChargeSettings | undefined

/** The settings in this version, which was just read, or in a newer one. They are read from the database where this process has others. */
export async function chargeSettingsOf(db: Database, version: string | null): Promise<ChargeSettings> {
  if (version === null || known?.version !== version) known = await readChargeSettings(db)
  return known
}

/** The settings as they are now, for what reads nothing else of the database. */
export async function findChargeSettings(db: Database): Promise<ChargeSettings> {
  const [row] = await executePrepared<{ version: string | null }>(db, sql`select ${chargeSettingsVersionSql} as version`)
  return chargeSettingsOf(db, row?.version ?? null)
}

/** Whether the settings have this version, looked up anew in the middle of a statement that has waited for locks. */
export const hasChargeSettingsSql = ({ version }: ChargeSettings): SQL => sql`charge_settings_version() is not distinct from ${version}`

/** One state of all tables. Within a transaction of a caller, which reads each table as it is at that statement, the version is read first. */
const readChargeSettings = (db: Database): Promise<ChargeSettings> =>
  db.transaction(
    async (tx) => {
      const [row] = await executePrepared<{ version: string | null }>(tx, sql`select ${chargeSettingsVersionSql} as version`)
      return { version: row?.version ?? null, tax: await findTaxSetup(tx), delivery: await findDeliverySetup(tx) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
