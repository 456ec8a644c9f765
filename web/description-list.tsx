import type { ReactNode } from 'react'

/** Name-value pairs of one item: `<DescriptionList><DescriptionItem name="Part number">...</DescriptionItem></DescriptionList>`. */
export function DescriptionList({ className = '', children }: { className?: string; children: ReactNode }) {
  return <dl className={`grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 sm:gap-x-6 ${className}`}>{children}</dl>
}

export function DescriptionItem({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
