const lockName = 'signed-in page'
let held: Promise<void> | undefined

/**
 * Tells the other tabs of this browser that this one shows signed-in pages, until its document is closed. Each such tab holds a shared Web
 * Lock, which the browser releases by itself. Resolves when the lock is held. Web Locks need HTTPS or localhost; elsewhere no tab is known.
 */
export function announceOpenTab(): Promise<void> {
  held ??= new Promise((resolve) => {
    if (!navigator.locks) return resolve()
    navigator.locks
      .request(lockName, { mode: 'shared' }, () => {
        resolve()
        return new Promise(() => {}) // held as long as the document exists
      })
      .catch(() => resolve())
  })
  return held
}

/** Whether another tab of this browser shows signed-in pages, in which something may be half typed. */
export async function isOpenInAnotherTab(): Promise<boolean> {
  await announceOpenTab()
  const { held: locks = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(locks.filter(({ name }) => name === lockName).map(({ clientId }) => clientId)).size > 1
}
