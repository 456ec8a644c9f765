import { Growing } from './growing.ts'

/** Stands in every column for what is not known. */
export const unknown = 0

/**
 * One thing that is known of products: a small number for each row, and what each number stands for. What products say is said again and
 * again, so a filter asks each different thing once, and counting is counting small numbers.
 */
export class Column<Value> {
  readonly #ids = new Growing((length) => new Uint32Array(length))
  readonly #idOf = new Map<string | number, number>()
  #inOrder: number[] = []
  /** by id; the first stands for `unknown` */
  readonly values: (Value | undefined)[] = [undefined]

  get length(): number {
    return this.#ids.length
  }

  /** the id in each row; longer than there are rows */
  get ids(): Uint32Array {
    return this.#ids.numbers
  }

  /** @param name tells values apart; undefined when nothing is known */
  push(name: string | number | undefined, value: Value | undefined): void {
    this.#ids.push(this.#id(name, value))
  }

  set(row: number, name: string | number, value: Value): void {
    this.ids[row] = this.#id(name, value)
  }

  #id(name: string | number | undefined, value: Value | undefined): number {
    if (name === undefined || value === undefined) return unknown
    let id = this.#idOf.get(name)
    if (id === undefined) {
      id = this.values.length
      this.values.push(value)
      this.#idOf.set(name, id)
    }
    return id
  }

  /** The ids in the order of their values. */
  inOrder(): number[] {
    if (this.#inOrder.length !== this.values.length - 1)
      this.#inOrder = [...this.values.keys()].slice(1).sort((one, other) => ((this.values[one] ?? 0) < (this.values[other] ?? 0) ? -1 : 1))
    return this.#inOrder
  }

  /** For each id whether this fits its value; what is not known fits nothing. */
  fitting(fits: (value: Value) => boolean): Uint8Array {
    const { values } = this
    const fitting = new Uint8Array(values.length)
    for (let id = 1; id < values.length; id++) {
      const value = values[id]
      if (value !== undefined && fits(value)) fitting[id] = 1
    }
    return fitting
  }
}

/** Numbers, or lists of words, such as sockets; a single word is a list of one. */
export type NumberColumn = Column<number>
export type WordsColumn = Column<string[]>
