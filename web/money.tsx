import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'

/** Whole dollars: $1,250. */
export function Dollars({ amount, className = '' }: { amount: number; className?: string }) {
  return <span className={`figures whitespace-nowrap ${className}`}>${inFigures(amount)}</span>
}

/** Dollars with their cents, where there are some. */
export function Amount({ amountCents, className = '' }: { amountCents: number; className?: string }) {
  return <span className={`figures whitespace-nowrap ${className}`}>{inDollars(amountCents)}</span>
}

/** A whole number, seen as everywhere: 1,250. Its text stays plain ("1250", to be copied as such), since the commas are drawn beside it. */
export function GroupedDigits({ number }: { number: number }) {
  const [first, ...others] = inFigures(number).split(',')
  return (
    <span className="figures whitespace-nowrap">
      {first}
      {others.map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group of digits is its place
        <span key={place} className="before:content-[',']">
          {group}
        </span>
      ))}
    </span>
  )
}
