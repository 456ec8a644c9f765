/** Which of the things that match are disturbed: from the nth on (1: the first), so many times. Without them the next one, once. */
export type Which = { nth?: number; times?: number }

/** A disturbance that a test has set, for as long as it lasts. */
export class Disturbance<Thing> {
  /** What has been disturbed so far, the oldest first. */
  readonly met: Thing[] = []
  readonly #matches: (thing: Thing) => boolean
  readonly #first: number
  readonly #last: number
  #seen = 0
  #lifted = Promise.withResolvers<void>()
  #waiting: (() => void)[] = []

  constructor(matches: (thing: Thing) => boolean, { nth = 1, times = 1 }: Which) {
    this.#matches = matches
    this.#first = nth
    this.#last = nth + times - 1
  }

  /** Counts the thing where it matches; true when it is to be disturbed. */
  meets(thing: Thing): boolean {
    if (this.#seen >= this.#last || !this.#matches(thing) || ++this.#seen < this.#first) return false
    this.met.push(thing)
    for (const look of this.#waiting.splice(0)) look()
    return true
  }

  /** Resolves when it has disturbed so many. */
  async reached(count = 1): Promise<void> {
    while (this.met.length < count) await new Promise<void>((look) => this.#waiting.push(look))
  }

  /** Disturbs nothing any more, and lets what it holds go on. */
  lift(): void {
    this.#seen = this.#last
    this.#lifted.resolve()
  }

  get lifted(): Promise<void> {
    return this.#lifted.promise
  }
}
