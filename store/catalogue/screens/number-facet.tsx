import { useId } from 'react'
import type { Facet } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { asFigure, withUnit } from './browsing.ts'

type NumberFacetProps = {
  facet: Extract<Facet, { kind: 'number' }>
  /** its name in the address, to which ".min" and ".max" are added */
  name: string
  least: string | undefined
  most: string | undefined
}

/** From and to, in steps that part what there is. Where more is better, "at least" is enough, where less is, "at most". */
export function NumberFacet({ facet, name, least, most }: NumberFacetProps) {
  const steps = facet.steps.length > 0 ? facet.steps : [facet.least, facet.most].map((value) => ({ value, count: undefined }))
  const uncounted = steps.map(({ value }) => ({ value, count: undefined }))
  const { better, label, unit } = facet
  return (
    <div className="flex flex-col gap-1.5">
      {(better !== 'less' || least) && (
        <Bound name={`${name}.min`} words="at least" of={label} unit={unit} chosen={least} steps={better === 'less' ? uncounted : steps} />
      )}
      {(better !== 'more' || most) && (
        <Bound name={`${name}.max`} words="at most" of={label} unit={unit} chosen={most} steps={better === 'less' ? steps : uncounted} />
      )}
    </div>
  )
}

type BoundProps = {
  name: string
  words: string
  of: string
  unit: string | undefined
  chosen: string | undefined
  steps: { value: number; count: number | undefined }[]
}

function Bound({ name, words, of, unit, chosen, steps }: BoundProps) {
  const id = useId()
  // an address may ask for a value between the steps
  const between = chosen && !steps.some(({ value }) => `${value}` === chosen) ? [{ value: Number(chosen), count: undefined }] : []
  const offered = [...steps, ...between].sort((one, other) => one.value - other.value)
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="w-14 shrink-0 text-soft">
        <span className="sr-only">{of} </span>
        {words}
      </label>
      <select
        id={id}
        name={name}
        defaultValue={chosen ?? ''}
        className="figures min-h-9 min-w-0 grow rounded border border-edge bg-panel px-2 text-ink hover:border-ink"
      >
        <option value="">any</option>
        {offered.map(({ value, count }) => (
          <option key={value} value={value}>
            {withUnit(asFigure(value), unit)}
            {count !== undefined && ` (${inFigures(count)})`}
          </option>
        ))}
      </select>
    </div>
  )
}
