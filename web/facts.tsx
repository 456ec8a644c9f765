import type { ReactNode } from 'react'

/** What is known of one thing, line by line: `<Facts><Fact name="Part number">...</Fact></Facts>`. */
export function Facts({ className = '', children }: { className?: string; children: ReactNode }) {
  return <dl className={`grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 sm:gap-x-6 ${className}`}>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
