import { BuyNow } from '#store/catalogue/screens/buy-now.tsx'
import { OwnPrice } from '#store/catalogue/screens/own-price.tsx'
import type { ProductWithOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { hotProductsRange } from '#store/constants.ts'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'

const maxHotProducts = hotProductsRange.to - hotProductsRange.from

/**
 * Up to ninety products of at most three lines. Each is laid out only near the viewport (`content-visibility`), on a phone the list itself,
 * too, so that they do not slow down the first paint.
 */
export function HotProducts({ products }: { products: Omit<ProductWithOrderFigures, 'description' | 'img'>[] }) {
  return (
    <section aria-labelledby="hot-products" className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="hot-products" className="text-xl sm:text-2xl">
          Hot Products
        </h2>
        {/* on a phone the list fills many screens */}
        <a href="#reviews" className="flex min-h-11 items-center font-medium text-leaf underline underline-offset-2 md:hidden">
          Skip these {products.length}
        </a>
      </div>
      {/* the placeholder height is that of all ninety products */}
      <ul
        className={`grid grid-cols-1 gap-x-8 border-t border-line md:grid-cols-2 xl:grid-cols-3 ${products.length === maxHotProducts ? 'max-md:rests-2400' : ''}`}
      >
        {products.map((product) => (
          <li key={product._id} className="rests-24 flex flex-col justify-between border-b border-line px-1 pt-2">
            <h3 className="text-base font-medium">
              <Link
                to={`/products/${product._id}`}
                prefetch="intent"
                className="line-clamp-2 min-h-6 underline-offset-2 hover:text-leaf hover:underline"
              >
                {product.name}
              </Link>
            </h3>
            <OwnPrice product={product} isShort />
            <div className="grid grid-cols-[4rem_3.5rem_1fr_auto] items-center gap-x-2 text-sm text-soft">
              <Amount value={product.price} className="text-base font-semibold text-ink" />
              <span>
                min <GroupedDigits number={product.minimum_order_quantity} />
              </span>
              {product.inStock ? (
                <span>
                  <GroupedDigits number={product.available_quantity} /> in stock
                </span>
              ) : (
                <span className="font-semibold text-bad">Out of stock</span>
              )}
              <BuyNow
                product={product}
                isPlain
                className="flex min-h-11 items-center font-semibold text-copper underline underline-offset-4 hover:text-copper-deep"
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
