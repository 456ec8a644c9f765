import type { ReactNode } from 'react'
import type { ToolOnShelf } from './on-shelf.ts'
import { ToolCard } from './tool-card.tsx'

type ToolGridProps<Shown extends ToolOnShelf> = {
  tools: Shown[]
  heading: 'h2' | 'h3'
  /** what a buyer of such a part decides on beside the price, in a few words each */
  factsOf?: (tool: Shown) => string[]
  /** stands below a card's button */
  below?: (tool: Shown) => ReactNode
  /** so many stand in the first view of a page */
  inFirstView?: number
}

/** Cards in one, two or three columns. Those beyond the first view are laid out when they come near. */
export function ToolGrid<Shown extends ToolOnShelf>({ tools, heading, factsOf, below, inFirstView = 6 }: ToolGridProps<Shown>) {
  return (
    <div className="@container">
      <ul className="grid grid-cols-1 gap-4 @lg:grid-cols-2 @lg:gap-6 @4xl:grid-cols-3">
        {tools.map((tool, place) => (
          <li key={tool._id} className={place < inFirstView ? undefined : 'rests-103 @lg:rests-142'}>
            <ToolCard tool={tool} heading={heading} first={place < inFirstView} facts={factsOf?.(tool)}>
              {below?.(tool)}
            </ToolCard>
          </li>
        ))}
      </ul>
    </div>
  )
}
