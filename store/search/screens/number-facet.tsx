import { useId } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import type { Facet } from '#store/search/contract.ts'
import { appendUnit, formatIfNumber } from './search-url.ts'

type NumberFacetProps = {
  facet: Extract<Facet, { kind: 'number' }>
  /** its URL parameter, with ".min" or ".max" appended */
  name: string
  chosenMin: string | undefined
  chosenMax: string | undefined
}

/**
 * Selects for minimum and maximum in the steps of the facet. If more is better, the maximum is shown only when it is set; if less is
 * better, the minimum.
 */
export function NumberFacet({ facet, name, chosenMin, chosenMax }: NumberFacetProps) {
  const steps = facet.steps.length > 0 ? facet.steps : [facet.least, facet.most].map((value) => ({ value, count: undefined }))
  const uncounted = steps.map(({ value }) => ({ value, count: undefined }))
  const { better, label, unit } = facet
  return (
    <div className="flex flex-col gap-1.5">
      {(better !== 'less' || chosenMin) && (
        <BoundSelect
          name={`${name}.min`}
          label="at least"
          attributeLabel={label}
          unit={unit}
          chosen={chosenMin}
          steps={better === 'less' ? uncounted : steps}
        />
      )}
      {(better !== 'more' || chosenMax) && (
        <BoundSelect
          name={`${name}.max`}
          label="at most"
          attributeLabel={label}
          unit={unit}
          chosen={chosenMax}
          steps={better === 'less' ? steps : uncounted}
        />
      )}
    </div>
  )
}

type BoundSelectProps = {
  name: string
  label: string
  attributeLabel: string
  unit: string | undefined
  chosen: string | undefined
  steps: { value: number; count: number | undefined }[]
}

function BoundSelect({ name, label, attributeLabel, unit, chosen, steps }: BoundSelectProps) {
  const id = useId()
  // the URL may contain a value between the steps
  const between = chosen && !steps.some(({ value }) => `${value}` === chosen) ? [{ value: Number(chosen), count: undefined }] : []
  const offered = [...steps, ...between].sort((one, other) => one.value - other.value)
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="w-14 shrink-0 text-soft">
        <span className="sr-only">{attributeLabel} </span>
        {label}
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
            {appendUnit(formatIfNumber(value), unit)}
            {count !== undefined && ` (${formatNumber(count)})`}
          </option>
        ))}
      </select>
    </div>
  )
}
