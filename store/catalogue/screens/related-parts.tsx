import { Link } from 'react-router'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { Status } from '#web/status.tsx'
import type { PartOnShelf } from './on-shelf.ts'
import { ToolPicture } from './tool-picture.tsx'

/** Others of the category, one line or two each: what they are, what one costs, and whether they are there. */
export function RelatedParts({ parts }: { parts: Omit<PartOnShelf, 'description' | 'specs'>[] }) {
  return (
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {parts.map((part) => (
        <Panel as="li" key={part._id} room="close" className="relative flex gap-3 hover:border-ink">
          <ToolPicture tool={part} className="aspect-3/2 w-20 self-start" />
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <h3 className="text-base font-medium">
              <Link
                to={`/products/${part._id}`}
                prefetch="intent"
                className="line-clamp-3 underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {part.name}
              </Link>
            </h3>
            <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
              <Dollars amount={part.price} className="text-base font-semibold text-ink" />
              <span>
                min <GroupedDigits number={part.minimum_order_quantity} />
              </span>
              {part.inStock ? (
                <span>
                  <GroupedDigits number={part.available_quantity} /> in stock
                </span>
              ) : (
                <Status kind="bad">Out of stock</Status>
              )}
            </p>
          </div>
        </Panel>
      ))}
    </ul>
  )
}
