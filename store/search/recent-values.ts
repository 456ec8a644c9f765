/** The values that were set or asked for last, by key. */
export class RecentValues<Value> {
  readonly #values = new Map<string, Value>()
  readonly #max: number

  /** @param max how many are kept; each further one takes the place of the one that was asked for least lately */
  constructor(max: number) {
    this.#max = max
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** @param key that has no value yet */
  add(key: string, value: Value): void {
    const [oldest] = this.#values.keys()
    if (oldest !== undefined && this.#values.size >= this.#max) this.#values.delete(oldest)
    this.#values.set(key, value)
  }

  clear(): void {
    this.#values.clear()
  }
}
