import { formatNumber } from '#shared/format-number.ts'
import type { Facet } from '#store/search/contract.ts'

const initiallyShown = 8

type ChoiceFacetProps = {
  facet: Extract<Facet, { kind: 'choice' }>
  /** its URL parameter */
  name: string
  chosen: string[]
}

/** Checkboxes; several are combined with "or". A selected choice stays listed even if no product matches it any more. */
export function ChoiceFacet({ facet, name, chosen }: ChoiceFacetProps) {
  const known = new Set(facet.choices.map(({ value }) => value))
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value, count: 0 }))
  const choices = [...facet.choices, ...gone]
  const boxes = choices.map(({ value, label, count }) => (
    <label key={value} className="flex min-h-8 items-center gap-2 rounded hover:bg-tint">
      <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} className="size-4 shrink-0 accent-leaf" />
      <span className="min-w-0 grow">{label}</span>
      <span className="figures text-soft">{formatNumber(count)}</span>
    </label>
  ))
  const folded = boxes.slice(initiallyShown)
  const foldedIsChosen = choices.slice(initiallyShown).some(({ value }) => chosen.includes(value))
  return (
    <>
      {boxes.slice(0, initiallyShown)}
      {folded.length > 0 && (
        <details open={foldedIsChosen || undefined}>
          <summary className="min-h-8 cursor-pointer py-1 font-medium text-leaf">
            {folded.length} more<span className="sr-only">, {facet.label}</span>
          </summary>
          {folded}
          {facet.others > 0 && <p className="text-soft">and {formatNumber(facet.others)} rarer ones: search for them by name</p>}
        </details>
      )}
    </>
  )
}
