import { type DictionaryColumn, unknownValueId } from './dictionary-column.ts'

/** How often the values of a column occur: `counts` by value id, and the ids of the known values that occur, in no order. */
export type ValueCounts = { counts: Uint32Array; found: Uint32Array }

/** Used again by each count: a new one for the values of a column, of which most products have others, would take longer than counting. */
let counts = new Uint32Array()
let foundIds = new Uint32Array()
let foundCount = 0

/**
 * How often each value of a column occurs in these rows.
 * @returns arrays that are valid until the next call
 */
export function countValues({ ids, values }: DictionaryColumn<unknown>, ...rowLists: (Uint32Array | undefined)[]): ValueCounts {
  forgetCounts(values.length)
  for (const rows of rowLists) if (rows) addCounts(ids, rows)
  return { counts, found: foundIds.subarray(0, foundCount) }
}

function forgetCounts(valueCount: number): void {
  if (counts.length < valueCount) {
    counts = new Uint32Array(valueCount * 2)
    foundIds = new Uint32Array(valueCount * 2)
  } else {
    counts[unknownValueId] = 0
    for (let at = 0; at < foundCount; at++) counts[foundIds[at] ?? 0] = 0
  }
  foundCount = 0
}

function addCounts(ids: Uint32Array, rows: Uint32Array): void {
  for (let at = 0; at < rows.length; at++) {
    const id = ids[rows[at] ?? 0] ?? unknownValueId
    const before = counts[id] ?? 0
    if (before === 0 && id !== unknownValueId) foundIds[foundCount++] = id
    counts[id] = before + 1
  }
}
