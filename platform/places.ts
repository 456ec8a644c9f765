import { Refusal } from './refusal.ts'

type PlacesSettings = {
  /** so many work at once */
  places: number
  /** so many wait for a place; who comes when as many wait already is refused at once, unless others have more of the queue */
  queue: number
  /** who has no place after so long is refused too */
  waitMs: number
  /** resolves when work may begin, so that something more urgent comes first */
  before: () => Promise<void>
}

type Waiting = { begin: () => void; refuse: () => void }

/**
 * A few places for work that anybody can ask for without end, with a short queue before them. Whoever says for whom the work is, shares the
 * queue fairly with the others: they take turns, and where it is full, the newest of who has most of it is refused.
 */
export function openPlaces({ places, queue, waitMs, before }: PlacesSettings) {
  const waiting = new Map<string, Waiting[]>() // whose turn is next stands first
  let waits = 0
  let free = places

  async function takePlace(by: string) {
    if (free > 0) {
      free--
      return
    }
    if (waits >= queue) refuseNewest(by)
    await new Promise<void>((resolve, reject) => {
      const own: Waiting = {
        begin: () => {
          clearTimeout(clock)
          resolve()
        },
        refuse: () => {
          clearTimeout(clock)
          leave(by, own)
          reject(overloaded())
        },
      }
      const clock = setTimeout(own.refuse, waitMs)
      waiting.set(by, [...(waiting.get(by) ?? []), own])
      waits++
    })
  }

  /** Refuses the newest of who has most in the queue. @throws {Refusal} 503 where nobody has two more in the queue than this one */
  function refuseNewest(by: string) {
    let most: Waiting[] = []
    for (const all of waiting.values()) if (all.length > most.length) most = all
    if (most.length <= (waiting.get(by)?.length ?? 0) + 1) throw overloaded()
    most.at(-1)?.refuse()
  }

  function leave(by: string, one: Waiting) {
    const others = waiting.get(by)?.filter((other) => other !== one) ?? []
    if (others.length > 0) waiting.set(by, others)
    else waiting.delete(by)
    waits--
  }

  function nextInTurn(): Waiting | undefined {
    const [first] = waiting
    if (!first) return undefined
    const [by, [next, ...others]] = first
    waiting.delete(by)
    if (others.length > 0) waiting.set(by, others)
    waits--
    return next
  }

  return {
    /** whether who comes now is refused, unless somebody else is refused in their place */
    isFull: () => free === 0 && waits >= queue,
    /**
     * @param by for whom, such as a network; all who say nothing are one
     * @throws {Refusal} 503 when too many wait, or when this has waited too long
     */
    async run<Result>(work: () => Promise<Result>, by = ''): Promise<Result> {
      await takePlace(by)
      try {
        await before()
        return await work()
      } finally {
        const next = nextInTurn()
        if (next) next.begin()
        else free++
      }
    },
  }
}

export type Places = ReturnType<typeof openPlaces>

export const overloaded = () =>
  new Refusal(503, 'Too much is being asked for at this moment. Try again in a few seconds', undefined, { retryAfterSeconds: 2 })
