import { GrowableArray } from './growable-array.ts'

/** The id of an unknown value in every column. */
export const unknownValueId = 0

/**
 * A dictionary-encoded column: a value id for each row, and the value of each id. Few values are distinct, so a filter tests each distinct
 * value once, and counting only increments counters by id.
 */
export class DictionaryColumn<Value> {
  readonly #ids = new GrowableArray((length) => new Uint32Array(length))
  readonly #idByKey = new Map<string | number, number>()
  #sortedIds: number[] = []
  /** by id; index 0 is `unknownValueId` */
  readonly values: (Value | undefined)[] = [undefined]

  get length(): number {
    return this.#ids.length
  }

  /** value id of each row; may be longer than the number of rows */
  get ids(): Uint32Array {
    return this.#ids.array
  }

  /** @param name dictionary key of the value; undefined if the value is unknown */
  push(name: string | number | undefined, value: Value | undefined): void {
    this.#ids.push(this.#idFor(name, value))
  }

  set(row: number, name: string | number | undefined, value: Value | undefined): void {
    this.ids[row] = this.#idFor(name, value)
  }

  #idFor(name: string | number | undefined, value: Value | undefined): number {
    if (name === undefined || value === undefined) return unknownValueId
    let id = this.#idByKey.get(name)
    if (id === undefined) {
      id = this.values.length
      this.values.push(value)
      this.#idByKey.set(name, id)
    }
    return id
  }

  /** The ids sorted by value. */
  sortedIds(): number[] {
    if (this.#sortedIds.length !== this.values.length - 1)
      this.#sortedIds = [...this.values.keys()]
        .slice(1)
        .sort((one, other) => ((this.values[one] ?? 0) < (this.values[other] ?? 0) ? -1 : 1))
    return this.#sortedIds
  }

  /** For each id, 1 if its value matches the predicate. Unknown values never match. */
  matchingIds(predicate: (value: Value) => boolean): Uint8Array {
    const { values } = this
    const isMatch = new Uint8Array(values.length)
    for (let id = 1; id < values.length; id++) {
      const value = values[id]
      if (value !== undefined && predicate(value)) isMatch[id] = 1
    }
    return isMatch
  }
}

/** A number, or a list of strings such as sockets; a single string is a list of one. */
export type NumberColumn = DictionaryColumn<number>
export type StringListColumn = DictionaryColumn<string[]>
