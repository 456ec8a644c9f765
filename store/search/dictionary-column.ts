import type { ValueCounts } from './count-values.ts'
import { GrowableArray } from './growable-array.ts'

/** The id of an unknown value in every column. */
export const unknownValueId = 0

/** So many times fewer ids are sorted sooner than they are found among all sorted ones. */
const fewIdsRatio = 32

/**
 * A dictionary-encoded column: a value id for each row, and the value of each id. Few values are distinct, so a filter tests each distinct
 * value once, and counting only increments counters by id.
 */
export class DictionaryColumn<Value> {
  readonly #ids = new GrowableArray((length) => new Uint32Array(length))
  readonly #idByKey = new Map<string | number, number>()
  /** all known ids, in the order of their values */
  #sortedIds = new Uint32Array()
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

  /** The ids of the values that occur, in the order of their values. */
  sortedByValue({ counts, found }: ValueCounts): Uint32Array {
    const { values } = this
    const compare = (one: number, other: number) => ((values[one] ?? 0) < (values[other] ?? 0) ? -1 : 1)
    if (found.length < values.length / fewIdsRatio) return found.toSorted(compare)
    if (this.#sortedIds.length !== values.length - 1) this.#sortedIds = Uint32Array.from(values.keys()).subarray(1).sort(compare)
    const sorted = new Uint32Array(found.length)
    let count = 0
    for (const id of this.#sortedIds) if ((counts[id] ?? 0) > 0) sorted[count++] = id
    return sorted
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

export type NumberColumn = DictionaryColumn<number>
