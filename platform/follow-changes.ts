import type { BackgroundTasks } from './background-tasks.ts'
import type { ChangeNotifier } from './change-notifier.ts'

/** As the page cache has it, for a notification that was lost. */
const maxAgeMs = 60_000

export type Follower = {
  /** reads now, for the start */
  read: () => Promise<void>
  /** resolves once the change that was told last is read or could not be: a page that is rendered after it must not show what was before */
  whenRead: () => Promise<void>
  close: () => void
}

/**
 * Keeps what a process has read from the database as it is there: it is read again whenever a topic is announced, in this process or another
 * one. While the database does not answer, it stays as it was.
 * @param what is read, for the report of an error
 */
export function followChanges<Topic extends string>(
  { topic, what, readNow }: { topic: Topic; what: string; readNow: () => Promise<void> },
  changes: Pick<ChangeNotifier<Topic>, 'onChange'>,
  backgroundTasks: Pick<BackgroundTasks, 'run'>,
): Follower {
  let reading = Promise.resolve()
  const read = () => {
    reading = reading.catch(() => {}).then(readNow) // one after the other: an earlier answer must not come last
    return reading
  }
  const readInBackground = () => {
    const pending = read() // begins now, so that `whenRead` waits for it
    pending.catch(() => {}) // reported by the background task
    backgroundTasks.run(`Reading ${what}`, () => pending)
  }
  changes.onChange(topic, readInBackground)
  const timer = setInterval(readInBackground, maxAgeMs).unref()
  return { read, whenRead: () => reading.catch(() => {}), close: () => clearInterval(timer) }
}
