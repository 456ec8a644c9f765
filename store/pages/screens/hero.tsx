import { ButtonLink } from '#web/button.tsx'

/** What is sold, to whom, in what quantities; enough by itself, whatever follows. */
export function Hero({ range }: { range: { count: number; inStock: number } }) {
  return (
    <section aria-labelledby="hero" className="on-board overflow-hidden">
      <div className="mx-auto grid max-w-page items-center gap-x-8 px-4 sm:px-6 md:grid-cols-[3fr_2fr]">
        <div className="flex flex-col items-start gap-5 py-10 md:py-16">
          <h1 id="hero" tabIndex={-1} className="text-3xl sm:text-4xl lg:text-5xl">
            Computer parts and tools for workshops and builders, by the piece or by the hundred
          </h1>
          <p className="max-w-read text-lg text-silk-soft">Price, stock and smallest order stand on every product, before you sign in.</p>
          <ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>
          {range.count > 0 && (
            <p className="figures text-sm text-silk-soft">
              {range.count} products, {range.inStock} in stock
            </p>
          )}
        </div>
        <img src="/drawings/hero.svg" alt="" width="720" height="480" fetchPriority="high" className="h-auto w-full max-md:hidden" />
      </div>
    </section>
  )
}
