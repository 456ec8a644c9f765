import { storeCurrency } from '#shared/currency.ts'
import { AmountError, AmountField } from './amount-field.tsx'
import { CheckboxRow } from './choice-facet.tsx'
import type { Bars, PageNumberFacet } from './page-facets.ts'

type NumberFacetProps = {
  facet: PageNumberFacet
  /** the values of a parameter that are asked for */
  chosen(name: string): string[]
  error: string | undefined
}

/** From and to, with a histogram of what there is; common numbers, and what is not stated. */
export function NumberFacet({ facet, chosen, error }: NumberFacetProps) {
  const { key, label, unit, common, unknown, price_per, bars, range } = facet
  const [min, max] = [chosen(`${key}.min`)[0], chosen(`${key}.max`)[0]]
  const values = chosen(key)
  const isUnknownChosen = chosen(`${key}.unknown`).length > 0
  const isAmount = key === 'price' || price_per !== undefined
  const symbol = isAmount ? ` ${storeCurrency().symbol}` : ''
  const errorId = error && `${key}-error`
  return (
    <>
      {bars && <Histogram name={key} label={label} bars={bars} />}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <AmountField name={`${key}.min`} of={label} before={`from${symbol}`} value={min} errorId={errorId} />
        <AmountField
          name={`${key}.max`}
          of={label}
          before={`to${symbol}`}
          value={max}
          errorId={errorId}
          after={isAmount ? undefined : unit}
        />
      </div>
      <AmountError id={errorId}>{error}</AmountError>
      {range && <p className="text-soft">{range}</p>}
      {common.length > 0 && (
        <div className="grid grid-cols-2 gap-x-3">
          {common.map(({ value, label, count }) => (
            <CheckboxRow key={value} name={key} value={`${value}`} count={count} isChosen={values.includes(`${value}`)}>
              {label}
            </CheckboxRow>
          ))}
        </div>
      )}
      <NotStated name={key} count={unknown} isChosen={isUnknownChosen} />
    </>
  )
}

/** The choice of what does not state it, beside the others of its filter. */
export function NotStated({ name, count, isChosen }: { name: string; count: number; isChosen: boolean }) {
  if (count === 0 && !isChosen) return null
  return (
    <CheckboxRow name={`${name}.unknown`} value="yes" count={count} isChosen={isChosen}>
      <i>Not stated</i>
    </CheckboxRow>
  )
}

/**
 * How the products are spread, with a handle at either end for who has a script: `moveHandle` of range-handles.ts writes what a handle
 * points at into the field.
 */
function Histogram({ name, label, bars }: { name: string; label: string; bars: Bars }) {
  const { bounds, inside, outside, from, to } = bars
  const last = bounds.length - 1
  const handle = (end: string, word: string, at: number, free: number) => (
    <input
      type="range"
      data-of={name + end}
      aria-label={`${label}, ${word}`}
      aria-valuetext={at === free ? 'any' : `${bounds[at]}`}
      max={last}
      defaultValue={at}
    />
  )
  return (
    <div className="relative mt-1 mb-1 px-2 pb-2.5">
      <svg aria-hidden="true" viewBox={`0 -20 ${last} 20`} preserveAspectRatio="none" className="block h-9 w-full">
        <path d={inside} className="fill-leaf" />
        <path d={outside} className="fill-edge" />
      </svg>
      <div data-bounds={bounds.join()} className="needs-script handles">
        {handle('.min', 'lowest', from, 0)}
        {handle('.max', 'highest', to, last)}
      </div>
    </div>
  )
}
