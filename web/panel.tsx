import type { HTMLAttributes } from 'react'

type PanelVariant = 'listed' | 'raised' | 'sunk'

type PanelPadding = 'none' | 'close' | 'usual' | 'wide'

const paddingClasses: Record<PanelPadding, string> = { none: '', close: 'p-3', usual: 'p-4', wide: 'p-6' }

const variantClasses: Record<PanelVariant, string> = { listed: 'bg-panel', raised: 'bg-panel shadow', sunk: 'bg-tint' }

type PanelProps = HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li' | 'pre'
  /** listed: one of several items; raised: the main action of a page; sunk: secondary information */
  variant?: PanelVariant
  /** padding around the children; `none` for children that reach the edge */
  padding?: PanelPadding
}

export function Panel({ as: Tag = 'div', variant = 'listed', padding = 'usual', className = '', ...rest }: PanelProps) {
  return <Tag {...rest} className={`rounded border border-line ${paddingClasses[padding]} ${variantClasses[variant]} ${className}`} />
}
