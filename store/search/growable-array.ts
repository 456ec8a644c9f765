/** A typed array whose capacity doubles when it is full. */
export class GrowableArray<Numbers extends Uint8Array | Uint32Array | Int32Array | Float64Array> {
  array: Numbers
  length = 0
  readonly #allocate: (length: number) => Numbers

  constructor(make: (length: number) => Numbers, capacity = 1024) {
    this.#allocate = make
    this.array = make(capacity)
  }

  /** View of the pushed elements, valid until the next push. */
  view(): Numbers {
    return this.array.subarray(0, this.length) as Numbers
  }

  push(number: number): void {
    if (this.length === this.array.length) {
      const larger = this.#allocate(this.length * 2)
      larger.set(this.array)
      this.array = larger
    }
    this.array[this.length++] = number
  }
}
