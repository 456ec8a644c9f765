import type { ReactNode } from 'react'

/** A fact in one or two words, e.g. "DDR5" on a card. For a status use StatusBadge. `framed` is for panels with a tinted background. */
export function Tag({ framed = false, children }: { framed?: boolean; children: ReactNode }) {
  return <span className={`inline-block rounded px-1.5 text-sm ${framed ? 'border border-line bg-panel' : 'bg-tint'}`}>{children}</span>
}
