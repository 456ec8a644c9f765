import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Kind = 'good' | 'bad' | 'neutral'

const kindStyles: Record<Kind, { colours: string; icon: IconName }> = {
  good: { colours: 'bg-good-tint text-good', icon: 'check' },
  bad: { colours: 'bg-bad-tint text-bad', icon: 'error' },
  neutral: { colours: 'bg-tint text-soft', icon: 'info' },
}

/** A status label. The text carries the meaning; icon and colour are redundant. */
export function StatusBadge({ kind, children }: { kind: Kind; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-sm font-semibold whitespace-nowrap ${kindStyles[kind].colours}`}
    >
      <Icon name={kindStyles[kind].icon} className="size-4" />
      {children}
    </span>
  )
}
