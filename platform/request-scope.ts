import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Whether the client still waits for the response to the current request. `isAbandoned` is set when the request has timed out or the
 * client has disconnected. This is the only implicit context in the code base: the connection pool has no other way to know which request a
 * connection is for. It is used only to deny a connection to an abandoned request that is still queued for one. Otherwise, after a burst of
 * requests, the store would process abandoned requests and place their orders.
 */
export const requestScope = new AsyncLocalStorage<{ isAbandoned: boolean }>()
