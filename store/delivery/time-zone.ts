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
 * @returns `read` reads it now, for the start. `whenRead` resolves once the change that was told last is read or could not be: a page that is
 *   rendered after it was told must not have the zone from before
 */
export function followTimeZone(
  db: Database,
  changes: Pick<ChangeNotifier<Topic>, 'onChange'>,
  backgroundTasks: Pick<BackgroundTasks, 'run'>,
): { read: () => Promise<void>; whenRead: () => Promise<void>; close: () => void } {
  let reading = Promise.resolve()
  const read = () => {
    reading = reading.catch(() => {}).then(() => setTimeZoneFromDatabase(db)) // one after the other: an earlier answer must not come last
    return reading
  }
  const readInBackground = () => {
    const pending = read() // begins now, so that `whenRead` waits for it
    pending.catch(() => {}) // reported by the background task
    backgroundTasks.run('Reading the time zone', () => pending)
  }
  changes.onChange('sale-terms', readInBackground)
  const timer = setInterval(readInBackground, maxAgeMs).unref()
  return { read, whenRead: () => reading.catch(() => {}), close: () => clearInterval(timer) }
}
