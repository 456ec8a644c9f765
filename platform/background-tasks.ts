/** Work that a response does not wait for, such as sending an email, so that the response time does not reveal whether it was done. */
export type BackgroundTasks = {
  /** Starts the work after the current turn of the event loop. @param what passed to `failed` with the error, for the log */
  run(what: string, work: () => Promise<unknown>): void
  /** Waits for running tasks. */
  close(): Promise<void>
}

export function createBackgroundTasks(failed: (what: string, error: unknown) => void): BackgroundTasks {
  const running = new Set<Promise<void>>()
  return {
    run(what, work) {
      const done = new Promise(setImmediate)
        .then(work)
        .then(
          () => {},
          (error) => failed(what, error),
        )
        .finally(() => running.delete(done))
      running.add(done)
    },
    async close() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
