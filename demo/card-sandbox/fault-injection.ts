/** Which matching items are affected: `times` items from the nth on (1: the first). Default: only the next one. */
export type Occurrences = { nth?: number; times?: number }

/** A fault that a test has injected. */
export class FaultInjection<Thing> {
  /** The items affected so far, oldest first. */
  readonly affected: Thing[] = []
  readonly #matches: (thing: Thing) => boolean
  readonly #first: number
  readonly #last: number
  #seen = 0
  #lifted = Promise.withResolvers<void>()
  #waiting: (() => void)[] = []

  constructor(matches: (thing: Thing) => boolean, { nth = 1, times = 1 }: Occurrences) {
    this.#matches = matches
    this.#first = nth
    this.#last = nth + times - 1
  }

  /** Counts a matching item. @returns whether it must be affected */
  shouldAffect(thing: Thing): boolean {
    if (this.#seen >= this.#last || !this.#matches(thing) || ++this.#seen < this.#first) return false
    this.affected.push(thing)
    for (const wake of this.#waiting.splice(0)) wake()
    return true
  }

  /** Resolves when `count` items have been affected. */
  async waitForAffected(count = 1): Promise<void> {
    while (this.affected.length < count) await new Promise<void>((wake) => this.#waiting.push(wake))
  }

  /** Stops affecting items and releases those that it blocks. */
  remove(): void {
    this.#seen = this.#last
    this.#lifted.resolve()
  }

  get removed(): Promise<void> {
    return this.#lifted.promise
  }
}
