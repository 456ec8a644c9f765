const sliceMs = 8

/** Lets others have a turn, once a slice of time is used up: `await` what it answers, if it answers anything. */
export function givingWay(): () => Promise<void> | undefined {
  let until = performance.now() + sliceMs
  return () => {
    if (performance.now() < until) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        until = performance.now() + sliceMs
        resolve()
      }),
    )
  }
}

/** The places of these texts in the order of their texts. Sorted in heaps by their first letters, so that nobody waits for the whole. */
export async function sortedPlaces(texts: string[], giveWay: () => Promise<void> | undefined): Promise<number[]> {
  const heaps = new Map<string, number[]>()
  for (const [place, text] of texts.entries()) {
    const beginning = text.slice(0, 2)
    const heap = heaps.get(beginning)
    if (heap) heap.push(place)
    else heaps.set(beginning, [place])
  }
  await giveWay()
  const sorted: number[] = []
  for (const beginning of [...heaps.keys()].sort()) {
    const heap = heaps.get(beginning) ?? []
    heap.sort((one, other) => compareTexts(texts[one] ?? '', texts[other] ?? '') || one - other)
    for (const place of heap) sorted.push(place)
    await giveWay()
  }
  return sorted
}

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
