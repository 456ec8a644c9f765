/** Numbers one after another in one flat piece of memory that doubles when it is full. */
export class Growing<Numbers extends Uint8Array | Uint32Array | Int32Array | Float64Array> {
  numbers: Numbers
  length = 0
  readonly #make: (length: number) => Numbers

  constructor(make: (length: number) => Numbers, capacity = 1024) {
    this.#make = make
    this.numbers = make(capacity)
  }

  /** Those that were pushed: a view, good until the next one is. */
  filled(): Numbers {
    return this.numbers.subarray(0, this.length) as Numbers
  }

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = this.#make(this.length * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.length++] = number
  }
}
