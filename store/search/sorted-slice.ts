/**
 * Returns `length` slots from `offset` on, in ascending order of their keys; equal keys are ordered by slot. Quickselect at both ends
 * isolates the slice and only the slice is sorted, so a page of a long list costs little more than one pass over it.
 * @param slots is reordered in place
 * @param keys indexed by slot
 */
export function sliceSortedByKey(slots: Uint32Array, keys: Float64Array, offset: number, length: number): number[] {
  const end = Math.min(slots.length, offset + length)
  if (offset >= end) return []
  if (end < slots.length) partition(slots, keys, 0, slots.length - 1, end)
  if (offset > 0) partition(slots, keys, 0, end - 1, offset)
  return [...slots.subarray(offset, end)].sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other)
}

/** Reorders `slots[from..to]` so that the `nth` lowest come first (quickselect). */
function partition(slots: Uint32Array, keys: Float64Array, from: number, to: number, nth: number): void {
  let [low, high] = [from, to]
  while (low < high) {
    const pivot = slots[(low + high) >> 1] ?? 0
    const key = keys[pivot] ?? 0
    const isBefore = (slot: number) => (keys[slot] ?? 0) < key || ((keys[slot] ?? 0) === key && slot < pivot)
    const isBehind = (slot: number) => (keys[slot] ?? 0) > key || ((keys[slot] ?? 0) === key && slot > pivot)
    let [left, right] = [low, high]
    while (left <= right) {
      while (isBefore(slots[left] ?? 0)) left++
      while (isBehind(slots[right] ?? 0)) right--
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
