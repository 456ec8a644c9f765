import { createEventLoopThrottle } from '#platform/event-loop-throttle.ts'

/**
 * A search blocks the event loop for up to a few milliseconds. Anyone can send any number of searches, and orders must still be served
 * between them.
 */
const options = { budgetMsPerTurn: 10, maxQueued: 512, queueTimeoutMs: 2000 }

export type SearchTurns = ReturnType<typeof createSearchTurns>
/** All searches of a process that anyone can ask for take their turns here. */
export const createSearchTurns = () => createEventLoopThrottle(options)
