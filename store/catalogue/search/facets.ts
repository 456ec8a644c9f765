import type { Facet } from '../contract.ts'
import type { Column } from './column.ts'

const mostChoices = 40
const mostSteps = 8

type About = { key: string; label: string; unit?: string | undefined; better?: 'more' | 'less' | undefined }

/**
 * The choices of a facet, the most frequent first; those that are chosen stand there with nothing behind them, too.
 * @param counts how many products carry each list of the column
 */
export function choiceFacet(
  { key, label }: About,
  { values }: Column<string[]>,
  counts: Uint32Array,
  chosen: string[],
  say: (value: string) => string,
): Facet | undefined {
  const total = new Map<string, number>(chosen.map((one) => [one, 0]))
  for (let id = 1; id < values.length; id++) {
    const count = counts[id] ?? 0
    if (count > 0) for (const one of values[id] ?? []) total.set(one, (total.get(one) ?? 0) + count)
  }
  if (total.size === 0) return undefined
  // Of more than a thousand brands only those that can be shown are sorted.
  const least = total.size > mostChoices ? (Uint32Array.from(total.values()).sort().at(-mostChoices) ?? 0) : 0
  const shown = [...total].filter(([value, count]) => count >= least || chosen.includes(value))
  shown.sort(([one, many], [other, others]) => others - many || (one < other ? -1 : 1))
  const choices = shown.filter(([value], place) => place < mostChoices || chosen.includes(value))
  return {
    kind: 'choice',
    ...{ key, label, choices: choices.map(([value, count]) => ({ value, label: say(value), count })) },
    others: total.size - choices.length,
  }
}

export const inStockFacet = (yes: number, no: number): Facet => ({
  kind: 'choice',
  key: 'in_stock',
  label: 'In stock',
  choices: [
    { value: 'yes', label: 'Yes', count: yes },
    { value: 'no', label: 'No', count: no },
  ],
  others: 0,
})

/** How far the numbers reach, and a few steps between. Undefined when none is known. */
export function numberFacet({ key, label, unit, better }: About, column: Column<number>, counts: Uint32Array): Facet | undefined {
  const found: { value: number; count: number }[] = []
  for (const id of column.inOrder()) {
    const count = counts[id] ?? 0
    if (count > 0) found.push({ value: column.values[id] ?? 0, count })
  }
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) return undefined
  const steps = stepsOf(better === 'less' ? found : found.toReversed())
  return {
    kind: 'number',
    ...{ key, label, least: first.value, most: last.value, steps },
    ...(unit !== undefined && { unit }),
    ...(better && { better }),
  }
}

/** A few of the values, about as many products between each and the next, each with the number of products from the best up to it. */
function stepsOf(found: { value: number; count: number }[]): { value: number; count: number }[] {
  let sum = 0
  const upTo = found.map(({ value, count }) => {
    sum += count
    return { value, count: sum }
  })
  if (upTo.length <= mostSteps) return upTo
  const steps: typeof upTo = []
  for (const step of upTo) if (step.count >= ((steps.length + 1) * sum) / mostSteps) steps.push(step)
  return steps
}
