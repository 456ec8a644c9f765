import { storeCurrency } from '#shared/currency.ts'
import type { Facet } from '#store/search/contract.ts'
import { AmountError, AmountField } from './amount-field.tsx'
import { CheckboxRow } from './choice-facet.tsx'
import { formatFacetNumber } from './search-url.ts'

export type NumericFacet = Extract<Facet, { kind: 'number' }>

type NumberFacetProps = {
  facet: NumericFacet
  /** the values of a parameter that are asked for */
  chosen(name: string): string[]
  error: string | undefined
}

/** From and to, with a histogram of what there is; common numbers, and what is not stated. */
export function NumberFacet({ facet, chosen, error }: NumberFacetProps) {
  const { key, label, unit, common, unknown, price_per } = facet
  const [min, max] = [chosen(`${key}.min`)[0], chosen(`${key}.max`)[0]]
  const values = chosen(key)
  const gone = values
    .filter((value) => !common.some((one) => `${one.value}` === value))
    .map((value) => ({ value: Number(value), count: 0 }))
  const isUnknownChosen = chosen(`${key}.unknown`).length > 0
  const isAmount = key === 'price' || price_per !== undefined
  const symbol = isAmount ? ` ${storeCurrency().symbol}` : ''
  const errorId = error && `${key}-error`
  return (
    <>
      <Histogram facet={facet} min={min} max={max} />
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
      {(facet.histogram || facet.most > 0) && (
        <p className="text-soft">
          Found from <span className="figures">{formatFacetNumber(facet, facet.least)}</span> to{' '}
          <span className="figures">{formatFacetNumber(facet, facet.most)}</span>
        </p>
      )}
      {common.length + gone.length > 0 && (
        <div className="grid grid-cols-2 gap-x-3">
          {[...common, ...gone].map(({ value, count }) => (
            <CheckboxRow key={value} name={key} value={`${value}`} count={count} isChosen={values.includes(`${value}`)}>
              {formatFacetNumber(facet, value)}
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
      <span className="text-soft">Not stated</span>
    </CheckboxRow>
  )
}

const barHeight = 20

/**
 * How the products are spread, with a handle at either end for who has a script: `moveHandle` of range-handles.ts writes what a handle
 * points at into the field.
 */
function Histogram({
  facet: { key, label, histogram },
  min,
  max,
}: {
  facet: NumericFacet
  min: string | undefined
  max: string | undefined
}) {
  if (!histogram) return null
  const { bounds, counts } = histogram
  const most = Math.max(...counts)
  const last = counts.length
  const from =
    min === undefined
      ? 0
      : Math.max(
          0,
          bounds.findLastIndex((bound) => bound <= Number(min)),
        )
  const above = max === undefined ? -1 : bounds.findIndex((bound) => bound >= Number(max))
  const to = above < 0 ? last : above
  const textOf = (nth: number, end: number) => (nth === end ? 'any' : `${bounds[nth]}`)
  let [inside, outside] = ['', '']
  for (const [nth, count] of counts.entries()) {
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * barHeight))
    const bar = `M${nth} 0v-${height}h.9v${height}`
    if (nth >= from && nth < Math.max(to, from + 1)) inside += bar
    else outside += bar
  }
  return (
    <div className="relative mt-1 mb-1 px-2 pb-2.5">
      <svg aria-hidden="true" viewBox={`0 -${barHeight} ${last} ${barHeight}`} preserveAspectRatio="none" className="block h-9 w-full">
        <path d={inside} className="fill-leaf" />
        <path d={outside} className="fill-edge" />
      </svg>
      <div data-bounds={bounds.join()} className="needs-script handles">
        <input
          type="range"
          data-of={`${key}.min`}
          aria-label={`${label}, lowest`}
          aria-valuetext={textOf(from, 0)}
          max={last}
          defaultValue={from}
        />
        <input
          type="range"
          data-of={`${key}.max`}
          aria-label={`${label}, highest`}
          aria-valuetext={textOf(to, last)}
          max={last}
          defaultValue={to}
        />
      </div>
    </div>
  )
}
