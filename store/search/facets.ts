import { choiceForm } from '#store/catalogue/choice-spelling.ts'
import type { ChoiceColumn, CountedChoice } from './choice-column.ts'
import type { Facet } from './contract.ts'
import type { ValueCounts } from './count-values.ts'
import { type DictionaryColumn, unknownValueId } from './dictionary-column.ts'
import { type CountedNumbers, computeHistogram } from './histogram.ts'

const maxChoices = 40
const maxCommon = 8
/** A number is common if at least this share of the products has it. */
const minCommonShare = 1 / 25

type FacetDefinition = {
  key: string
  label: string
  category?: string | undefined
  unit?: string | undefined
  better?: 'more' | 'less' | undefined
  price_per?: string | undefined
}

type ChoiceFacetOptions = {
  chosen: string[]
  /** what does not state it is asked for, so there is a facet even if no value is known */
  isUnknownChosen?: boolean
  format(value: string): string
  /** values that differ in spelling only are one choice */
  isUnified?: boolean
}

/** The choices of a facet, most frequent first. Selected choices are always included, even with a count of 0. */
export function choiceFacet(
  { key, label, category }: FacetDefinition,
  column: ChoiceColumn,
  counted: ValueCounts,
  { chosen: asked, isUnknownChosen = false, format, isUnified = false }: ChoiceFacetOptions,
): Facet | undefined {
  const chosen = isUnified ? [...new Map(asked.toReversed().map((one) => [choiceForm(one), one])).values()] : asked
  const all = isUnified ? countUnified(column, counted, chosen) : countListsOfOne(column, counted)
  for (const one of chosen) if (!all.some(({ value }) => value === one)) all.push({ value: one, count: 0 })
  if (all.length === 0 && !isUnknownChosen) return undefined
  // Sort only the choices that can be shown: there are more than a thousand brands.
  const minCount =
    all.length > maxChoices
      ? (Uint32Array.from(all, ({ count }) => count)
          .sort()
          .at(-maxChoices) ?? 0)
      : 0
  const shown = all.filter(({ value, count }) => count >= minCount || chosen.includes(value))
  shown.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
  const choices = shown.filter(({ value }, index) => index < maxChoices || chosen.includes(value))
  return {
    kind: 'choice',
    ...{ key, label, choices: choices.map(({ value, count }) => ({ value, label: format(value), count })) },
    others: all.length - choices.length,
    unknown: counted.counts[unknownValueId] ?? 0,
    ...(category !== undefined && { category }),
  }
}

/** A chosen value in the spelling that is chosen, any other in the most frequent. */
function countUnified(column: ChoiceColumn, counted: ValueCounts, chosen: string[]): CountedChoice[] {
  const forms = column.countForms(counted)
  for (const one of chosen) {
    const form = forms.get(column.formId(one) ?? -1)
    if (form) form.value = one
  }
  return [...forms.values()]
}

const countListsOfOne = ({ values }: ChoiceColumn, { counts, found }: ValueCounts): CountedChoice[] =>
  Array.from(found, (id) => ({ value: values[id]?.[0] ?? '', count: counts[id] ?? 0 }))

/** A filter that is on or off: there is none by what it leaves out. */
export const switchFacet = ({ key, label }: FacetDefinition, count: number): Facet => ({
  kind: 'choice',
  ...{ key, label },
  choices: [{ value: 'yes', label: 'Yes', count }],
  others: 0,
  unknown: 0,
})

/**
 * Range of the values, how they are spread, and the numbers that many products have. Undefined if no value is known.
 * @param toShown converts a value of the column to the value of the facet, in the same order
 */
export function numberFacet(
  { key, label, category, unit, better, price_per }: FacetDefinition,
  column: DictionaryColumn<number>,
  { counts, found }: ValueCounts,
  toShown = (value: number) => value,
): Facet | undefined {
  const sorted = column.sortedByValue({ counts, found })
  const shown = { values: new Float64Array(sorted.length), counts: new Uint32Array(sorted.length) }
  for (let at = 0; at < sorted.length; at++) {
    const id = sorted[at] ?? unknownValueId
    shown.values[at] = toShown(column.values[id] ?? 0)
    shown.counts[at] = counts[id] ?? 0
  }
  const [least, most] = [shown.values[0], shown.values.at(-1)]
  if (least === undefined || most === undefined) return undefined
  const histogram = computeHistogram(shown)
  return {
    kind: 'number',
    ...{ key, label, least, most, unknown: counts[unknownValueId] ?? 0 },
    common: price_per === undefined ? commonValues(shown) : [],
    ...(histogram && { histogram }),
    ...(unit !== undefined && { unit }),
    ...(better && { better }),
    ...(price_per !== undefined && { price_per }),
    ...(category !== undefined && { category }),
  }
}

/** The most frequent numbers, lowest first, if most products have one of them: of lengths in millimetres hardly two are alike. */
function commonValues({ values, counts }: CountedNumbers): { value: number; count: number }[] {
  let total = 0
  for (const count of counts) total += count
  const common: { value: number; count: number }[] = []
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] ?? 0
    if (count >= total * minCommonShare) common.push({ value: values[at] ?? 0, count })
  }
  common.sort((one, other) => other.count - one.count)
  const shown = common.slice(0, maxCommon)
  if (shown.reduce((sum, { count }) => sum + count, 0) < total / 2) return []
  return shown.sort((one, other) => one.value - other.value)
}
