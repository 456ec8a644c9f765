import { Refusal } from './refusal.ts'

type PlacesSettings = {
  /** so many work at once */
  places: number
  /** so many wait for a place; who comes when as many wait already is refused at once */
  queue: number
  /** who has no place after so long is refused too */
  waitMs: number
  /** resolves when work may begin, so that something more urgent comes first */
  before: () => Promise<void>
}

/** A few places for work that anybody can ask for without end, with a short queue before them. */
export function openPlaces({ places, queue, waitMs, before }: PlacesSettings) {
  const waiting: (() => void)[] = []
  let free = places

  async function takePlace() {
    if (free > 0) {
      free--
      return
    }
    if (waiting.length >= queue) throw overloaded()
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(clock)
        resolve()
      }
      const clock = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(overloaded())
      }, waitMs)
      waiting.push(begin)
    })
  }

  return {
    /** whether who comes now is refused */
    isFull: () => free === 0 && waiting.length >= queue,
    /** @throws {Refusal} 503 when too many wait, or when this has waited too long */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      await takePlace()
      try {
        await before()
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}

export type Places = ReturnType<typeof openPlaces>

export const overloaded = () =>
  new Refusal(503, 'Too much is being asked for at this moment. Try again in a few seconds', undefined, { retryAfterSeconds: 2 })
