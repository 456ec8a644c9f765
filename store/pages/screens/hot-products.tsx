import { Link } from 'react-router'
import type { ToolOnShelf } from '#store/catalogue/screens/on-shelf.ts'
import { hotProducts } from '#store/constants.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'

const most = hotProducts.to - hotProducts.from

/**
 * Up to ninety products, three lines each at most. They are laid out as they come into view, on a phone the list itself too, so that they cost
 * the first view nothing.
 */
export function HotProducts({ tools }: { tools: Omit<ToolOnShelf, 'description' | 'img'>[] }) {
  return (
    <section aria-labelledby="hot-products" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="hot-products" className="text-xl sm:text-2xl">
          Hot Products
        </h2>
        {/* on a phone they fill many screens */}
        <a href="#reviews" className="flex min-h-11 items-center font-medium text-leaf underline underline-offset-2 md:hidden">
          Skip these {tools.length}
        </a>
      </div>
      {/* the height of all ninety is known */}
      <ul
        className={`grid grid-cols-1 gap-x-8 border-t border-line md:grid-cols-2 xl:grid-cols-3 ${tools.length === most ? 'max-md:rests-2400' : ''}`}
      >
        {tools.map((tool) => (
          <li key={tool._id} className="rests-24 flex flex-col justify-between border-b border-line px-1 pt-2">
            <h3 className="text-base font-medium">
              <Link
                to={`/products/${tool._id}`}
                prefetch="intent"
                className="line-clamp-2 min-h-6 underline-offset-2 hover:text-leaf hover:underline"
              >
                {tool.name}
              </Link>
            </h3>
            <div className="grid grid-cols-[4rem_3.5rem_1fr_auto] items-center gap-x-2 text-sm text-soft">
              <Dollars amount={tool.price} className="text-base font-semibold text-ink" />
              <span>
                min <GroupedDigits number={tool.minimum_order_quantity} />
              </span>
              {tool.inStock ? (
                <span>
                  <GroupedDigits number={tool.available_quantity} /> in stock
                </span>
              ) : (
                <span className="font-semibold text-bad">Out of stock</span>
              )}
              <Link
                to={`/purchase/${tool._id}`}
                prefetch="intent"
                aria-label={`Buy Now, ${tool.name}`}
                className="flex min-h-11 items-center font-semibold text-copper underline underline-offset-4 hover:text-copper-deep"
              >
                Buy Now
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
