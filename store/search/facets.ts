import type { Facet } from './contract.ts'
import type { DictionaryColumn } from './dictionary-column.ts'

const maxChoices = 40
const maxSteps = 8

type FacetDefinition = { key: string; label: string; unit?: string | undefined; better?: 'more' | 'less' | undefined }

/**
 * The choices of a facet, most frequent first. Selected choices are always included, even with a count of 0.
 * @param counts number of products by value id of the column
 */
export function choiceFacet(
  { key, label }: FacetDefinition,
  { values }: DictionaryColumn<string[]>,
  counts: Uint32Array,
  chosen: string[],
  formatValue: (value: string) => string,
): Facet | undefined {
  const total = new Map<string, number>(chosen.map((one) => [one, 0]))
  for (let id = 1; id < values.length; id++) {
    const count = counts[id] ?? 0
    if (count > 0) for (const one of values[id] ?? []) total.set(one, (total.get(one) ?? 0) + count)
  }
  if (total.size === 0) return undefined
  // Sort only the choices that can be shown: there are more than a thousand brands.
  const minCount = total.size > maxChoices ? (Uint32Array.from(total.values()).sort().at(-maxChoices) ?? 0) : 0
  const shown = [...total].filter(([value, count]) => count >= minCount || chosen.includes(value))
  shown.sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
  const choices = shown.filter(([value], index) => index < maxChoices || chosen.includes(value))
  return {
    kind: 'choice',
    ...{ key, label, choices: choices.map(([value, count]) => ({ value, label: formatValue(value), count })) },
    others: total.size - choices.length,
  }
}

export const yesNoFacet = ({ key, label }: FacetDefinition, yes: number, no: number): Facet => ({
  kind: 'choice',
  ...{ key, label },
  choices: [
    { value: 'yes', label: 'Yes', count: yes },
    { value: 'no', label: 'No', count: no },
  ],
  others: 0,
})

/**
 * Range of the values and a few steps within it. Undefined if no value is known.
 * @param toShown converts a value of the column to the value of the facet, in the same order
 */
export function numberFacet(
  { key, label, unit, better }: FacetDefinition,
  column: DictionaryColumn<number>,
  counts: Uint32Array,
  toShown = (value: number) => value,
): Facet | undefined {
  const found: { value: number; count: number }[] = []
  for (const id of column.sortedIds()) {
    const count = counts[id] ?? 0
    if (count > 0) found.push({ value: toShown(column.values[id] ?? 0), count })
  }
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) return undefined
  const steps = pickSteps(better === 'less' ? found : found.toReversed())
  return {
    kind: 'number',
    ...{ key, label, least: first.value, most: last.value, steps },
    ...(unit !== undefined && { unit }),
    ...(better && { better }),
  }
}

/** Picks up to `maxSteps` values with about the same number of products between them. Each count is cumulative from the best value. */
function pickSteps(found: { value: number; count: number }[]): { value: number; count: number }[] {
  let sum = 0
  const upTo = found.map(({ value, count }) => {
    sum += count
    return { value, count: sum }
  })
  if (upTo.length <= maxSteps) return upTo
  const steps: typeof upTo = []
  for (const step of upTo) if (step.count >= ((steps.length + 1) * sum) / maxSteps) steps.push(step)
  return steps
}
