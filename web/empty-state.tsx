import type { ReactNode } from 'react'
import { Illustration, type IllustrationName } from './illustration.tsx'

type EmptyStateProps = {
  illustration: IllustrationName
  title: string
  /** why the list is empty and what would change that */
  children?: ReactNode
  /** the main action first, then alternatives */
  actions?: ReactNode
  /** the level of the title */
  heading?: 'h2' | 'h3'
}

/** Replaces an empty list: state, reason, next action. A list that failed to load is displayed as a Notice instead. */
export function EmptyState({ illustration, title, children, actions, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-4 rounded border border-dashed border-edge p-6 sm:flex-row sm:items-center sm:gap-8 sm:p-8">
      <Illustration name={illustration} className="h-auto w-40 shrink-0 sm:w-52" />
      <div className="flex min-w-0 flex-col items-start gap-3">
        <Heading className="text-xl">{title}</Heading>
        {children && <div className="max-w-read text-soft">{children}</div>}
        {actions && <div className="mt-1 flex flex-wrap gap-3">{actions}</div>}
      </div>
    </div>
  )
}
