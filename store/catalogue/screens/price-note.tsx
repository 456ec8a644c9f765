import { formatDay } from '#shared/format-day.ts'
import { shopDay } from '#shared/shop-day.ts'
import { Link } from '#web/link.tsx'
import { useSaleTerms } from '#web/sale-terms.ts'

type PriceNoteProps = {
  /** what the prices are called where the note stands by itself */
  of?: string
  className?: string
}

/**
 * Whether prices contain tax, and that delivery is charged besides: "plus tax and delivery". European law wants it beside prices or clearly
 * belonging to them (in Germany § 6 PAngV). Nothing where prices are all that buyers pay.
 */
export function PriceNote({ of, className = 'text-sm text-soft' }: PriceNoteProps) {
  const { tax, chargesDelivery } = useSaleTerms()
  if (tax === null && !chargesDelivery) return null
  const besides = tax === 'included' ? 'incl. tax' : tax === 'excluded' ? 'plus tax' : ''
  return (
    <p className={className}>
      {of && `${of} `}
      {besides}
      {chargesDelivery && (
        <>
          {tax === 'included' ? ', plus ' : tax === 'excluded' ? ' and ' : 'plus '}
          <Link to="/help#delivery" className="underline underline-offset-2">
            delivery
          </Link>
        </>
      )}
    </p>
  )
}

/** For `PrintedSource`, in a loader: a page is kept for a minute at most. */
export const printedDay = (): string => formatDay(shopDay(new Date()))

/** On paper alone: whose prices these are, and of which day. */
export function PrintedSource({ day }: { day: string }) {
  return <p className="mb-3 hidden text-sm print:block">Nucleus of PC, prices and stock of {day}</p>
}
