import { ButtonLink } from '#web/button.tsx'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Status } from '#web/status.tsx'
import type { ToolOnShelf } from './on-shelf.ts'
import { ToolPicture } from './tool-picture.tsx'

type ToolCardProps = {
  tool: ToolOnShelf
  /** the rank of its name among the headings of the page */
  heading: 'h2' | 'h3'
  /** in the first view */
  first?: boolean
}

/** What a buyer decides on, at a glance. On phones the picture stands beside the name, above 640 px on top. */
export function ToolCard({ tool, heading: Heading, first = false }: ToolCardProps) {
  return (
    <article className="flex h-full flex-col gap-3 rounded border border-line bg-panel p-4">
      <div className="flex gap-4 sm:flex-col sm:gap-3">
        <ToolPicture tool={tool} first={first} className="aspect-3/2 w-28 self-start sm:aspect-2/1 sm:w-full" />
        <div className="min-w-0 flex-1">
          <Heading className="font-semibold text-pretty sm:text-lg">{tool.name}</Heading>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <span>
              Price: <span className="figures">$</span>
              <GroupedDigits number={tool.price} />
            </span>
            {!tool.inStock && <Status kind="bad">Out of stock</Status>}
          </p>
        </div>
      </div>
      <p className="line-clamp-3 text-sm text-soft">{tool.description}</p>
      <div className="mt-auto flex flex-col gap-1 border-t border-line pt-3 text-sm">
        <p>
          Available Quantity: <GroupedDigits number={tool.available_quantity} />
        </p>
        <p>
          Minimum Order Quantity: <GroupedDigits number={tool.minimum_order_quantity} />
        </p>
        <p className="text-soft">
          minimum <GroupedDigits number={tool.minimum_order_quantity} /> = <Dollars amount={tool.minimum_order_quantity * tool.price} />
        </p>
      </div>
      <ButtonLink to={`/purchase/${tool._id}`} aria-label={`Buy Now, ${tool.name}`} look={tool.inStock ? 'action' : 'quiet'}>
        Buy Now
      </ButtonLink>
    </article>
  )
}
