import type { ReactNode } from 'react'

/** A fact in a word or two, e.g. "DDR5" on a card. It says nothing of how things stand: that is a Status. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="inline-block rounded bg-tint px-1.5 text-sm">{children}</span>
}
