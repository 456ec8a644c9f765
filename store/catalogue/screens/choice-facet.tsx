import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'

const firstShown = 8

type ChoiceFacetProps = {
  facet: Extract<Facet, { kind: 'choice' }>
  /** its name in the address */
  name: string
  chosen: string[]
}

/** Boxes to tick, several of which are "or". One that is ticked stays where it is, also when nothing fits it any more. */
export function ChoiceFacet({ facet, name, chosen }: ChoiceFacetProps) {
  const known = new Set(facet.choices.map(({ value }) => value))
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value, count: 0 }))
  const choices = [...facet.choices, ...gone]
  const boxes = choices.map(({ value, label, count }) => (
    <label key={value} className="flex min-h-8 items-center gap-2 rounded hover:bg-tint">
      <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} className="size-4 shrink-0 accent-leaf" />
      <span className="min-w-0 grow">{label}</span>
      <span className="figures text-soft">{inFigures(count)}</span>
    </label>
  ))
  const folded = boxes.slice(firstShown)
  const foldedIsChosen = choices.slice(firstShown).some(({ value }) => chosen.includes(value))
  return (
    <>
      {boxes.slice(0, firstShown)}
      {folded.length > 0 && (
        <details open={foldedIsChosen || undefined}>
          <summary className="min-h-8 cursor-pointer py-1 font-medium text-leaf">
            {folded.length} more<span className="sr-only">, {facet.label}</span>
          </summary>
          {folded}
          {facet.others > 0 && <p className="text-soft">and {inFigures(facet.others)} rarer ones: search for them by name</p>}
        </details>
      )}
    </>
  )
}
