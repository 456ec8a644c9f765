import type { ReactNode, Ref } from 'react'
import { Icon } from './icon.tsx'

type Kind = 'error' | 'success' | 'info' | 'warning'

const kindClasses: Record<Kind, string> = {
  error: 'border-bad bg-bad-tint text-bad',
  success: 'border-good bg-good-tint text-good',
  info: 'border-leaf bg-tint text-leaf',
  warning: 'border-warn bg-warn-tint text-warn',
}

type NoticeProps = {
  kind: Kind
  /** what happened; the children explain what to do */
  title?: ReactNode
  children?: ReactNode
  /** a button or a link for the next step */
  action?: ReactNode
  className?: string
  ref?: Ref<HTMLDivElement>
}

/** A message that stays on the page. Screen readers announce an error at once (`alert`), the others politely (`status`). */
export function Notice({ kind, title, children, action, className = '', ref }: NoticeProps) {
  return (
    <div
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      role={kind === 'error' ? 'alert' : 'status'}
      className={`flex gap-3 rounded border-l-4 p-4 ${kindClasses[kind]} ${className}`}
    >
      <Icon name={kind} className="mt-0.5 size-5" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? 'text-ink' : 'font-medium'}>{children}</div>}
        {action && <div className="mt-2 text-ink">{action}</div>}
      </div>
    </div>
  )
}
