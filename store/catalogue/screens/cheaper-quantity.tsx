import { formatNumber } from '#shared/format-number.ts'
import type { SettledQuantity } from '#store/catalogue/settle-quantity.ts'
import { MoneyAmount } from '#web/money.tsx'

/** Says of a larger quantity that it costs no more, and takes it when its button is pressed. */
export function CheaperQuantity({ cheaper, onTake }: { cheaper: NonNullable<SettledQuantity['cheaper']>; onTake: () => void }) {
  const { quantity, totalCents } = cheaper
  return (
    <p>
      {formatNumber(quantity)} pieces cost <MoneyAmount amountCents={totalCents} />, no more than these.{' '}
      <button type="button" className="min-h-6 font-medium text-leaf underline underline-offset-2 hover:text-ink" onClick={onTake}>
        Take {formatNumber(quantity)}
      </button>
    </p>
  )
}
