import { Link } from 'react-router'
import type { ToolOnShelf } from '#store/catalogue/screens/on-shelf.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Status } from '#web/status.tsx'

/** Up to ninety products, a line each. Lines are laid out as they come into view, so that they cost the first view nothing. */
export function HotProducts({ tools }: { tools: Omit<ToolOnShelf, 'description' | 'img'>[] }) {
  return (
    <section aria-labelledby="hot-products" className="flex flex-col gap-6">
      <h2 id="hot-products" className="text-xl sm:text-2xl">
        Hot Products
      </h2>
      <ul className="grid gap-x-10 border-t border-line xl:grid-cols-2">
        {tools.map((tool) => (
          <li
            key={tool._id}
            className="rests-20 grid grid-cols-[1fr_auto] items-center gap-x-4 border-b border-line py-2 md:rests-14 md:grid-cols-[1fr_auto_auto]"
          >
            <h3 className="text-base font-medium text-pretty max-md:col-span-2">{tool.name}</h3>
            <p className="flex flex-wrap items-center gap-x-4 text-sm text-soft md:grid md:grid-cols-[4.5rem_5.5rem_7.5rem] md:text-right">
              <Dollars amount={tool.price} className="text-base font-semibold text-ink" />
              <span>
                min <GroupedDigits number={tool.minimum_order_quantity} />
              </span>
              {tool.inStock ? (
                <span>
                  <GroupedDigits number={tool.available_quantity} /> in stock
                </span>
              ) : (
                <Status kind="bad">Out of stock</Status>
              )}
            </p>
            <Link
              to={`/purchase/${tool._id}`}
              prefetch="intent"
              aria-label={`Buy Now, ${tool.name}`}
              className="flex min-h-11 items-center px-2 font-semibold text-copper underline underline-offset-4 hover:text-copper-deep"
            >
              Buy Now
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
