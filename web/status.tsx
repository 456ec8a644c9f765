import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Kind = 'good' | 'bad' | 'neutral'

const looks: Record<Kind, { colours: string; icon: IconName }> = {
  good: { colours: 'bg-good-tint text-good', icon: 'check' },
  bad: { colours: 'bg-bad-tint text-bad', icon: 'error' },
  neutral: { colours: 'bg-tint text-soft', icon: 'info' },
}

/** A small tag: the word says it, the icon and the colour only help. */
export function Status({ kind, children }: { kind: Kind; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-sm font-semibold whitespace-nowrap ${looks[kind].colours}`}>
      <Icon name={looks[kind].icon} className="size-4" />
      {children}
    </span>
  )
}
