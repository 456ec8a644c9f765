import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '#web/button.tsx'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { Status } from '#web/status.tsx'
import { Tag } from '#web/tag.tsx'
import { MakerAndNumber } from './maker-and-number.tsx'
import type { ToolOnShelf } from './on-shelf.ts'
import { ToolPicture } from './tool-picture.tsx'

type ToolCardProps = {
  tool: ToolOnShelf
  /** the rank of its name among the headings of the page */
  heading: 'h2' | 'h3'
  /** in the first view */
  first?: boolean
  /** what a buyer of such a part decides on beside the price */
  facts?: string[] | undefined
  /** beside its button, e.g. the box to compare it */
  children?: ReactNode
}

/** What a buyer decides on, at a glance. On phones the picture stands beside the name, above 640 px on top. */
export function ToolCard({ tool, heading: Heading, first = false, facts = [], children }: ToolCardProps) {
  return (
    <Panel as="article" className="flex h-full flex-col gap-3">
      <div className="flex gap-4 sm:flex-col sm:gap-3">
        <ToolPicture tool={tool} first={first} className="aspect-3/2 w-28 self-start sm:aspect-2/1 sm:w-full" />
        <div className="min-w-0 flex-1">
          <Heading className="font-semibold text-pretty sm:text-lg">
            <Link to={`/products/${tool._id}`} prefetch="intent" className="hover:text-leaf hover:underline hover:underline-offset-2">
              {tool.name}
            </Link>
          </Heading>
          <MakerAndNumber tool={tool} className="mt-1 text-sm" />
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <span>
              Price: <span className="figures">$</span>
              <GroupedDigits number={tool.price} />
            </span>
            {!tool.inStock && <Status kind="bad">Out of stock</Status>}
          </p>
        </div>
      </div>
      {facts.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {facts.map((fact) => (
            <li key={fact}>
              <Tag>{fact}</Tag>
            </li>
          ))}
        </ul>
      )}
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
      <ButtonLink to={`/purchase/${tool._id}`} aria-label={`Buy Now, ${tool.name}`} look={tool.inStock ? 'offer' : 'quiet'}>
        Buy Now
      </ButtonLink>
      {children}
    </Panel>
  )
}
