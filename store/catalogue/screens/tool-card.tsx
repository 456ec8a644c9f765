import { ButtonLink } from '#web/button.tsx'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Status } from '#web/status.tsx'
import type { ToolOnShelf } from './on-shelf.ts'
import { ToolPicture } from './tool-picture.tsx'

/** What a buyer decides on, at a glance. On phones the picture stands beside the name, above 640 px on top. */
export function ToolCard({ tool, first = false }: { tool: ToolOnShelf; first?: boolean }) {
  return (
    <article className="flex h-full flex-col gap-3 rounded border border-line bg-panel p-4">
      <div className="flex gap-4 sm:flex-col sm:gap-3">
        <ToolPicture tool={tool} first={first} className="w-28 self-start sm:w-full" />
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold text-pretty sm:text-lg">{tool.name}</h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <span>
              Price: $<GroupedDigits number={tool.price} />
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
      <ButtonLink to={`/purchase/${tool._id}`} aria-label={`Buy Now, ${tool.name}`}>
        Buy Now
      </ButtonLink>
    </article>
  )
}
