import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, formatCents } from '#shared/money.ts'

/** An amount as the API sends it: 1250 is $1,250, 12.5 is $12.50. */
export const Amount = ({ value, className }: { value: number; className?: string | undefined }) => (
  <MoneyAmount amountCents={amountToCents(value)} className={className} />
)

/** In the store's currency, with cents unless they are zero: $12.50, $400. */
export function MoneyAmount({ amountCents, className = '' }: { amountCents: number; className?: string | undefined }) {
  return <span className={`figures whitespace-nowrap ${className}`}>{formatCents(amountCents)}</span>
}

/** Properties of a field for an amount. */
export const moneyFieldProps = () => ({ inputMode: 'decimal', startAdornment: storeCurrency().symbol }) as const

/** A whole number displayed with thousands separators: 1,250. The commas are CSS content, so the text is copied as "1250". */
export const GroupedDigits = ({ number }: { number: number }) => <GroupedText text={formatNumber(number)} />

/** The same for an amount: $1,250.50, copied as "$1250.50". */
export const GroupedMoney = ({ amountCents }: { amountCents: number }) => <GroupedText text={formatCents(amountCents)} />

function GroupedText({ text }: { text: string }) {
  const [first, ...others] = text.split(',')
  return (
    <span className="figures whitespace-nowrap">
      {first}
      {others.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number never change their order
        <span key={index} className="before:content-[',']">
          {group}
        </span>
      ))}
    </span>
  )
}
