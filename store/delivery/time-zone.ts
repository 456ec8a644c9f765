import type { Database } from '#platform/database.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { initialSettings } from './rules.ts'
import { deliverySettings } from './table.ts'

/** Sets the time zone of this process to that of the settings. */
export async function setTimeZoneFromDatabase(db: Database): Promise<void> {
  const [{ timeZone } = initialSettings] = await db.select({ timeZone: deliverySettings.timeZone }).from(deliverySettings)
  setStoreTimeZone(timeZone)
}
