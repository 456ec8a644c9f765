/**
 * The slots from `offset` on, `length` of them, in the order of their keys from the lowest up; where keys are the same, the lower slot is
 * first. Only what stands there is sorted (quickselect on both ends), so a page of a long list costs little more than a walk over it.
 * @param slots is put out of order
 * @param keys by slot
 */
export function windowOf(slots: Uint32Array, keys: Float64Array, offset: number, length: number): number[] {
  const end = Math.min(slots.length, offset + length)
  if (offset >= end) return []
  if (end < slots.length) partition(slots, keys, 0, slots.length - 1, end)
  if (offset > 0) partition(slots, keys, 0, end - 1, offset)
  return [...slots.subarray(offset, end)].sort((one, other) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other)
}

/** Moves what comes before place `nth` in order before it, and the rest behind it. */
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
