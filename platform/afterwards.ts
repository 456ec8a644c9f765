/** Work that an answer does not wait for, such as a mail: whoever asked learns nothing from how long it takes. */
export type Afterwards = {
  /** Begins once the current answer is on its way. A failure is logged under these words. */
  run(what: string, work: () => Promise<unknown>): void
  /** Waits for what has begun. */
  close(): Promise<void>
}

export function openAfterwards(failed: (what: string, error: unknown) => void): Afterwards {
  const underWay = new Set<Promise<void>>()
  return {
    run(what, work) {
      const done = new Promise(setImmediate)
        .then(work)
        .then(
          () => {},
          (error) => failed(what, error),
        )
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async close() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
