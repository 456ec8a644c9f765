import type { ReactNode } from 'react'
import { DateTime } from './date-time.tsx'

/** Events in chronological order: `<Timeline label="..."><TimelineItem title="Ordered" at={placedAt} />...</Timeline>`. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {children}
    </ol>
  )
}

type Kind = 'done' | 'wrong' | 'next'

/** Marker styles: filled for a past event, tinted red for a failure, empty for a future event. */
const markerClasses: Record<Kind, string> = {
  done: 'border-leaf bg-leaf',
  wrong: 'border-bad bg-bad-tint',
  next: 'border-edge bg-panel',
}

type TimelineItemProps = {
  title: ReactNode
  /** when it happened; omitted for future events */
  at?: string
  kind?: Kind
  children?: ReactNode
}

export function TimelineItem({ title, at, kind = 'done', children }: TimelineItemProps) {
  return (
    <li className="relative flex break-inside-avoid gap-4 pb-5 last:pb-0 not-last:before:absolute not-last:before:top-5.5 not-last:before:-bottom-1.5 not-last:before:left-1.75 not-last:before:border-l-2 not-last:before:border-line">
      <span aria-hidden="true" className={`mt-1.5 size-4 shrink-0 rounded-full border-3 ${markerClasses[kind]}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className={kind === 'next' ? 'text-soft' : 'font-semibold'}>{title}</span>
          {at && (
            <span className="text-sm text-soft">
              <DateTime at={at} />
            </span>
          )}
        </p>
        {children && <div className="text-sm text-soft">{children}</div>}
      </div>
    </li>
  )
}
