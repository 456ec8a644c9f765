import type { ToolOnShelf } from './on-shelf.ts'
import { ToolCard } from './tool-card.tsx'

/** Cards in one, two or three columns. Those beyond the first view are laid out when they come near. */
export function ToolGrid({ tools, heading }: { tools: ToolOnShelf[]; heading: 'h2' | 'h3' }) {
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3">
      {tools.map((tool, place) => (
        <li key={tool._id} className={place < inFirstView ? undefined : 'rests-120'}>
          <ToolCard tool={tool} heading={heading} first={place < inFirstView} />
        </li>
      ))}
    </ul>
  )
}

const inFirstView = 6
