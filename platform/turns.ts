import { overloaded } from './places.ts'
import type { Refusal } from './refusal.ts'

type TurnsSettings = {
  /** so much of the work is done in one turn of the event loop */
  turnMs: number
  /** so many wait for a later turn; who comes when as many wait already is refused at once */
  queue: number
  /** who has waited so long is refused too */
  waitMs: number
}

/**
 * For work that keeps the process for a moment and that anybody can ask for: between two portions of it everything else gets its turn,
 * however many ask. Where few ask, nobody waits.
 */
export function openTurns({ turnMs, queue, waitMs }: TurnsSettings) {
  const waiting: { since: number; begin: () => void; refuse: (refusal: Refusal) => void }[] = []
  let usedMs = 0
  let isTurnAhead = false

  function measured<Result>(work: () => Result): Result {
    const begun = performance.now()
    try {
      return work()
    } finally {
      usedMs += performance.now() - begun
      if (!isTurnAhead) setImmediate(nextTurn)
      isTurnAhead = true
    }
  }

  function nextTurn() {
    isTurnAhead = false
    usedMs = 0
    while (usedMs < turnMs) {
      const next = waiting.shift()
      if (!next) return
      if (performance.now() - next.since > waitMs) next.refuse(overloaded())
      else next.begin()
    }
  }

  return {
    /** @throws {Refusal} 503 when too many wait, or when this has waited too long */
    async run<Result>(work: () => Result): Promise<Result> {
      if (usedMs < turnMs && waiting.length === 0) return measured(work)
      if (waiting.length >= queue) throw overloaded()
      return new Promise<Result>((resolve, reject) => {
        const begin = () => {
          try {
            resolve(measured(work))
          } catch (error) {
            reject(error)
          }
        }
        waiting.push({ since: performance.now(), begin, refuse: reject })
      })
    },
  }
}
