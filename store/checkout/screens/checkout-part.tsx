import type { ReactNode } from 'react'
import { Panel } from '#web/panel.tsx'

/** A part of the checkout with its heading. */
export function CheckoutPart({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <Panel as="section" id={id} variant="raised" aria-label={title} className="flex flex-col gap-4 sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </Panel>
  )
}
