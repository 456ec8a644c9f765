import type { HTMLAttributes } from 'react'

type Look = 'listed' | 'raised' | 'sunk'

const looks: Record<Look, string> = { listed: 'bg-panel', raised: 'bg-panel shadow', sunk: 'bg-tint' }

type PanelProps = HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li'
  /** listed: one of several side by side; raised: the one thing to do on a page; sunk: further facts, quieter than the page */
  look?: Look
}

/** A box of things that belong together. */
export function Panel({ as: Tag = 'div', look = 'listed', className = '', ...rest }: PanelProps) {
  return <Tag {...rest} className={`rounded border border-line p-4 ${looks[look]} ${className}`} />
}
