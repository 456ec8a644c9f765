import type { ReactNode } from 'react'

/**
 * Amounts one below the other, as on a bill:
 * `<PriceBreakdownList><PriceBreakdownLine label="25 x $16">$400</PriceBreakdownLine><PriceBreakdownLine label="Total" isTotal>...`.
 */
export function PriceBreakdownList({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col">{children}</dl>
}

export function PriceBreakdownLine({ label, isTotal = false, children }: { label: ReactNode; isTotal?: boolean; children: ReactNode }) {
  return (
    <div
      className={`flex items-baseline justify-between gap-6 py-1.5 ${isTotal ? 'mt-1 border-t-2 border-ink pt-2 text-lg font-semibold' : ''}`}
    >
      <dt className="min-w-0">{label}</dt>
      <dd className={`figures whitespace-nowrap ${isTotal ? 'text-xl' : ''}`}>{children}</dd>
    </div>
  )
}
