import type { HTMLAttributes } from 'react'

type Look = 'listed' | 'raised' | 'sunk'

type Room = 'none' | 'close' | 'usual' | 'wide'

const rooms: Record<Room, string> = { none: '', close: 'p-3', usual: 'p-4', wide: 'p-6' }

const looks: Record<Look, string> = { listed: 'bg-panel', raised: 'bg-panel shadow', sunk: 'bg-tint' }

type PanelProps = HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li' | 'pre'
  /** listed: one of several side by side; raised: the one thing to do on a page; sunk: further facts, quieter than the page */
  look?: Look
  /** around what is in it; none where that reaches the edge */
  room?: Room
}

/** A box of things that belong together. */
export function Panel({ as: Tag = 'div', look = 'listed', room = 'usual', className = '', ...rest }: PanelProps) {
  return <Tag {...rest} className={`rounded border border-line ${rooms[room]} ${looks[look]} ${className}`} />
}
