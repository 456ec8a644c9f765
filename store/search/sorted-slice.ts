/** By slot: the sort key, and the place of the product in the order in which products were added, which decides between equal keys. */
export type SortKeys = { keys: Float64Array; position: Int32Array }

/** An edited product has another slot, but stays where it was. */
export function isBefore({ keys, position }: SortKeys, one: number, other: number): boolean {
  const key = keys[one] ?? 0
  const otherKey = keys[other] ?? 0
  return key < otherKey || (key === otherKey && (position[one] ?? 0) < (position[other] ?? 0))
}

/**
 * Returns `length` slots from `offset` on, in ascending order of their keys. Quickselect at both ends isolates the slice and only the slice is
 * sorted, so a page of a long list costs little more than one pass over it.
 * @param slots is reordered in place
 */
export function sliceSortedByKey(slots: Uint32Array, sortKeys: SortKeys, offset: number, length: number): number[] {
  const end = Math.min(slots.length, offset + length)
  if (offset >= end) return []
  if (end < slots.length) partition(slots, sortKeys, 0, slots.length - 1, end)
  if (offset > 0) partition(slots, sortKeys, 0, end - 1, offset)
  return [...slots.subarray(offset, end)].sort((one, other) => (isBefore(sortKeys, one, other) ? -1 : 1))
}

/** Reorders `slots[from..to]` so that the `nth` lowest come first (quickselect). */
function partition(slots: Uint32Array, sortKeys: SortKeys, from: number, to: number, nth: number): void {
  let [low, high] = [from, to]
  while (low < high) {
    const pivot = slots[(low + high) >> 1] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while (isBefore(sortKeys, slots[left] ?? 0, pivot)) left++
      while (isBefore(sortKeys, pivot, slots[right] ?? 0)) right--
      if (left > right) break
      const kept = slots[left] ?? 0
      slots[left++] = slots[right] ?? 0
      slots[right--] = kept
    }
    if (nth <= right) high = right
    else if (nth >= left) low = left
    else return
  }
}
