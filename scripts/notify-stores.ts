import { openChangeNotifier } from '#platform/change-notifier.ts'
import { openDatabase } from '#platform/database.ts'
import type { Topic } from '#store/topics.ts'

/** Notifies running stores, so that they show what a command has changed. */
export async function notifyStores(connectionString: string, topics: Topic[]): Promise<void> {
  const { pool } = openDatabase(connectionString, () => {})
  const changes = await openChangeNotifier<Topic>(connectionString, pool)
  for (const topic of topics) changes.notify(topic)
  await changes.close()
  await pool.end()
}
