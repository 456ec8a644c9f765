import type { BackgroundTasks } from '#platform/background-tasks.ts'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Database } from '#platform/database.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import type { Topic } from '#store/topics.ts'
import { initialSettings } from './rules.ts'
import { deliverySettings } from './table.ts'

/** Sets the time zone of this process to that of the settings. */
export async function setTimeZoneFromDatabase(db: Database): Promise<void> {
  const [{ timeZone } = initialSettings] = await db.select({ timeZone: deliverySettings.timeZone }).from(deliverySettings)
  setStoreTimeZone(timeZone)
}

/** As the page cache has it, for a notification that was lost. */
const maxAgeMs = 60_000

/**
 * Reads the time zone again whenever settings have changed, in this process or another one. While the database does not answer, it stays as it was.
 * @returns reads it now, for the start; and ends what reads it again
 */
export function followTimeZone(
  db: Database,
  changes: Pick<ChangeNotifier<Topic>, 'onChange'>,
  backgroundTasks: Pick<BackgroundTasks, 'run'>,
): { read: () => Promise<void>; close: () => void } {
  let reading = Promise.resolve()
  const read = () => {
    reading = reading.catch(() => {}).then(() => setTimeZoneFromDatabase(db)) // one after the other, so the last one has the last word
    return reading
  }
  const readInBackground = () => backgroundTasks.run('Reading the time zone', read)
  changes.onChange('sale-terms', readInBackground)
  const timer = setInterval(readInBackground, maxAgeMs).unref()
  return { read, close: () => clearInterval(timer) }
}
