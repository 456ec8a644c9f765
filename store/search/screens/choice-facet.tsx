import type { ReactNode } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import type { Facet } from '#store/search/contract.ts'

const initiallyShown = 8

type ChoiceFacetProps = {
  facet: Extract<Facet, { kind: 'choice' }>
  /** its URL parameter */
  name: string
  chosen: string[]
  /** shown below the first choices */
  children: ReactNode
}

/** Checkboxes; several are combined with "or". A selected choice stays listed even if no product matches it any more. */
export function ChoiceFacet({ facet, name, chosen, children }: ChoiceFacetProps) {
  const known = new Set(facet.choices.map(({ value }) => value))
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value, count: 0 }))
  const choices = [...facet.choices, ...gone]
  const boxes = choices.map(({ value, label, count }) => (
    <CheckboxRow key={value} name={name} value={value} count={count} isChosen={chosen.includes(value)}>
      {label}
    </CheckboxRow>
  ))
  const folded = boxes.slice(initiallyShown)
  const foldedIsChosen = choices.slice(initiallyShown).some(({ value }) => chosen.includes(value))
  return (
    <>
      {boxes.slice(0, initiallyShown)}
      {children}
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

type CheckboxRowProps = { name: string; value: string; count: number | undefined; isChosen: boolean; children: ReactNode }

/** A choice with the number of products behind it. Its looks are in the style sheet: there are hundreds of them on a page. */
export const CheckboxRow = ({ name, value, count, isChosen, children }: CheckboxRowProps) => (
  <label className="choice-row">
    <input type="checkbox" name={name} value={value} defaultChecked={isChosen} />
    {children}
    {count !== undefined && <span>{formatNumber(count)}</span>}
  </label>
)
