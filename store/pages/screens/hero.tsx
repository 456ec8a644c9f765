import { ButtonLink } from '#web/button.tsx'
import { GroupedDigits } from '#web/money.tsx'

type Range = { count: number; inStock: number; smallestOrder: number }

/** What is sold, to whom, in what quantities; enough by itself, whatever follows. */
export function Hero({ range }: { range: Range }) {
  return (
    <section aria-labelledby="hero" className="on-board overflow-hidden border-t border-trace">
      <div className="mx-auto grid max-w-page gap-x-8 px-4 sm:px-6 md:grid-cols-2 lg:grid-cols-[7fr_6fr]">
        <div className="flex flex-col items-start gap-5 py-10 md:py-14">
          <h1 id="hero" tabIndex={-1} className="text-2xl sm:text-3xl lg:text-5xl">
            Computer parts and tools in quantities, for workshops and builders
          </h1>
          <p className="max-w-read text-silk-soft sm:text-lg">
            {range.count > 0 && `Orders start at ${range.smallestOrder === 1 ? '1 piece' : `${range.smallestOrder} pieces`}. `}
            Price, stock and minimum stand on every product, before you sign in.
          </p>
          <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-3">
            <ButtonLink to="/allproducts">{range.count > 0 ? `See all ${range.count} products` : 'See all products'}</ButtonLink>
            {range.count > 0 && (
              <p className="text-silk-soft">
                <GroupedDigits number={range.inStock} /> of them in stock
              </p>
            )}
          </div>
        </div>
        {/* The board comes from under the bar and fades towards the words. */}
        <img
          src="/drawings/hero.svg"
          alt=""
          width="720"
          height="480"
          fetchPriority="high"
          className="h-auto w-full mask-l-from-75% mask-l-to-100% max-md:hidden"
        />
      </div>
    </section>
  )
}
