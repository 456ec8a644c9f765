import hooks, { type AsyncHook } from 'node:async_hooks'

/*
 * Loaded before a test run. Node's runner asks of every promise that is made which test it belongs to. A store makes millions of promises, and
 * following them takes a tenth of a run, so it is done only while a test file is loaded, whose tests and hooks have to find their suite. What
 * nobody catches later is told beside the whole run, which is red all the same.
 */
const { createHook } = hooks
const runnerHooks: { ofAll: AsyncHook; withoutPromises: AsyncHook }[] = []
let tracksPromises = true

hooks.createHook = (callbacks) => {
  const hook = { ofAll: createHook(callbacks), withoutPromises: createHook({ ...callbacks, trackPromises: false }) }
  const current = () => (tracksPromises ? hook.ofAll : hook.withoutPromises)
  return {
    enable() {
      runnerHooks.push(hook)
      current().enable()
      return this
    },
    disable() {
      runnerHooks.splice(runnerHooks.indexOf(hook), 1)
      current().disable()
      return this
    },
  }
}

/** Has no effect where this module was not loaded before the runner. */
export function trackPromises(wanted: boolean): void {
  tracksPromises = wanted
  for (const { ofAll, withoutPromises } of runnerHooks) {
    if (wanted) ofAll.enable()
    else ofAll.disable()
    if (wanted) withoutPromises.disable()
    else withoutPromises.enable()
  }
}
