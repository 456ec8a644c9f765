/**
 * Whether the store can serve, asked at most once per second however many ask: the answer is public and not rate-limited, and each question
 * takes a connection to the database. A failure is kept as long as a success.
 * @param check rejects when the store cannot serve
 */
export function createReadinessCheck(check: () => Promise<unknown>): () => Promise<{ ready: true }> {
  let last: Promise<{ ready: true }> | undefined
  let keptUntil = 0
  return () => {
    if (last && performance.now() < keptUntil) return last
    keptUntil = Number.POSITIVE_INFINITY // while it runs
    last = check()
      .then(() => ({ ready: true as const }))
      .finally(() => {
        keptUntil = performance.now() + keepMs
      })
    return last
  }
}

const keepMs = 1000
