import type { ReactNode } from 'react'
import { Scene, type SceneName } from './scene.tsx'

type EmptyProps = {
  scene: SceneName
  title: string
  /** why there is nothing, and what would change that */
  children?: ReactNode
  /** the one way on, and what else there is */
  actions?: ReactNode
  /** the rank of its title */
  heading?: 'h2' | 'h3'
}

/** In the place of a list that has nothing in it: state, reason, way on. A list that could not be loaded is no empty list, but a Notice. */
export function Empty({ scene, title, children, actions, heading: Heading = 'h2' }: EmptyProps) {
  return (
    <div className="flex flex-col items-start gap-4 rounded border border-dashed border-edge p-6 sm:flex-row sm:items-center sm:gap-8 sm:p-8">
      <Scene name={scene} className="h-auto w-40 shrink-0 sm:w-52" />
      <div className="flex min-w-0 flex-col items-start gap-3">
        <Heading className="text-xl">{title}</Heading>
        {children && <div className="max-w-read text-soft">{children}</div>}
        {actions && <div className="mt-1 flex flex-wrap gap-3">{actions}</div>}
      </div>
    </div>
  )
}
