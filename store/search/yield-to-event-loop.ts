const timeSliceMs = 8

/**
 * Returns a function that yields to the event loop once `timeSliceMs` are used up. Its result must be awaited; it is undefined while the
 * time slice lasts.
 */
export function createEventLoopYielder(): () => Promise<void> | undefined {
  let until = performance.now() + timeSliceMs
  return () => {
    if (performance.now() < until) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        until = performance.now() + timeSliceMs
        resolve()
      }),
    )
  }
}

/**
 * Indices of the texts in sort order. The texts are sorted in buckets by their first two characters, with a yield to the event loop after
 * each, so that a large sort does not block other requests.
 */
export async function sortIndices(texts: string[], yieldToEventLoop: () => Promise<void> | undefined): Promise<number[]> {
  const buckets = new Map<string, number[]>()
  for (const [index, text] of texts.entries()) {
    const prefix = text.slice(0, 2)
    const bucket = buckets.get(prefix)
    if (bucket) bucket.push(index)
    else buckets.set(prefix, [index])
  }
  await yieldToEventLoop()
  const sorted: number[] = []
  for (const prefix of [...buckets.keys()].sort()) {
    const bucket = buckets.get(prefix) ?? []
    bucket.sort((one, other) => compareStrings(texts[one] ?? '', texts[other] ?? '') || one - other)
    for (const index of bucket) sorted.push(index)
    await yieldToEventLoop()
  }
  return sorted
}

export const compareStrings = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
