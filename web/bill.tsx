import type { ReactNode } from 'react'

/** Amounts one below the other, as on a bill: `<Bill><Sum of="25 x $16">$400</Sum><Sum of="Total" final>$400</Sum></Bill>`. */
export function Bill({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col">{children}</dl>
}

/** One amount, and what it is for; the final one is what it comes to. */
export function Sum({ of, final = false, children }: { of: ReactNode; final?: boolean; children: ReactNode }) {
  return (
    <div
      className={`flex items-baseline justify-between gap-6 py-1.5 ${final ? 'mt-1 border-t-2 border-ink pt-2 text-lg font-semibold' : ''}`}
    >
      <dt className="min-w-0">{of}</dt>
      <dd className={`figures whitespace-nowrap ${final ? 'text-xl' : ''}`}>{children}</dd>
    </div>
  )
}
