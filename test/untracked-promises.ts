import hooks from 'node:async_hooks'

/*
 * Loaded before a test run. Node's runner asks for every promise that is made which test it belongs to, so that an error that nobody catches is
 * told beside that test; a store makes millions of promises, and following them takes a tenth of a run. Such an error is now told beside the
 * whole run, which is red all the same.
 */
const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
