import type { Facet } from '#store/search/contract.ts'
import { formatFacetNumber } from './facet-texts.ts'
import { readSearchParams } from './search-url.ts'

// Separate from the components: only the server prepares facets, so that no browser loads what formats and draws them.

type ChoiceFacet = Extract<Facet, { kind: 'choice' }>
type NumberFacet = Extract<Facet, { kind: 'number' }>

/** A histogram to draw: one unit wide for each bar, and 20 high. */
export type Bars = {
  bounds: number[]
  /** paths of the bars within what is chosen, and of the others */
  inside: string
  outside: string
  /** the bounds at which the handles stand */
  from: number
  to: number
}

/** A facet of numbers with its texts. */
export type PageNumberFacet = Omit<NumberFacet, 'least' | 'most' | 'histogram' | 'common'> & {
  /** what there is to choose from, if anything was found */
  range: string | undefined
  bars: Bars | undefined
  common: { value: number; label: string; count: number }[]
}
export type PageFacet = ChoiceFacet | PageNumberFacet

/** Facets as the list page shows them for a URL. Of the category that has the most of what was found in all of them only the first few. */
export function toPageFacets(facets: Facet[], search: URLSearchParams): PageFacet[] {
  const params = readSearchParams(search)
  const ofLargest = facets.filter(({ category }) => category !== undefined)
  return facets
    .filter((facet) => !ofLargest.includes(facet) || ofLargest.indexOf(facet) < maxFacetsOfLargest)
    .map((facet) => (facet.kind === 'choice' ? withFewerChoices(facet, params[facet.key] ?? []) : toPageNumberFacet(facet, params)))
}

/** The most frequent choices and those that are chosen; the others are left to the search. */
function withFewerChoices(facet: ChoiceFacet, chosen: string[]): ChoiceFacet {
  if (facet.key === 'category') return facet
  const choices = facet.choices.filter(({ value }, nth) => nth < maxChoices || chosen.includes(value))
  return { ...facet, choices, others: facet.others + facet.choices.length - choices.length }
}
/** Each choice of a page costs time to render. */
const maxChoices = 24

const maxFacetsOfLargest = 5

function toPageNumberFacet(facet: NumberFacet, params: Record<string, string[]>): PageNumberFacet {
  const { least, most, histogram, common, ...face } = facet
  const { key, unit } = facet
  const chosen = (params[key] ?? []).map(Number).filter((value) => Number.isFinite(value) && !common.some((one) => one.value === value))
  return {
    ...face,
    range: `Found from ${formatFacetNumber(facet, least)} to ${formatFacetNumber(facet, most)}${unit && key !== 'price' ? ` ${unit}` : ''}`,
    bars: histogram && drawBars(histogram, params[`${key}.min`]?.[0], params[`${key}.max`]?.[0]),
    common: [...common, ...chosen.map((value) => ({ value, count: 0 }))].map((one) => ({
      ...one,
      label: formatFacetNumber(facet, one.value),
    })),
  }
}

const barHeight = 20

function drawBars({ bounds, counts }: NonNullable<NumberFacet['histogram']>, min: string | undefined, max: string | undefined): Bars {
  const most = Math.max(...counts)
  const from =
    min === undefined
      ? 0
      : Math.max(
          0,
          bounds.findLastIndex((bound) => bound <= Number(min)),
        )
  const above = max === undefined ? -1 : bounds.findIndex((bound) => bound >= Number(max))
  const to = above < 0 ? counts.length : above
  const bars = { bounds, inside: '', outside: '', from, to }
  for (const [nth, count] of counts.entries()) {
    if (count === 0) continue
    const height = Math.max(1, Math.round((count / most) * barHeight))
    bars[nth >= from && nth < Math.max(to, from + 1) ? 'inside' : 'outside'] += `M${nth} 0v-${height}h.9v${height}`
  }
  return bars
}
