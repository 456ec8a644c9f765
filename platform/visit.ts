import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Whether somebody still waits for the answer to a request. It travels unseen, which nothing else here does, because the pool of connections
 * has no other way to know for whom one is wanted; and it is asked for one thing only: whoever has been refused or has gone, and still
 * stands in the queue for a connection, gets none. Otherwise a rush is worked off for nobody, and its orders are placed all the same.
 */
export const visits = new AsyncLocalStorage<{ over: boolean }>()
