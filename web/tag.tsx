import type { ReactNode } from 'react'

/** A fact in a word or two, e.g. "DDR5" on a card. It says nothing of how things stand: that is a Status. Framed on a panel, whose ground is the tint's. */
export function Tag({ framed = false, children }: { framed?: boolean; children: ReactNode }) {
  return <span className={`inline-block rounded px-1.5 text-sm ${framed ? 'border border-line bg-panel' : 'bg-tint'}`}>{children}</span>
}
