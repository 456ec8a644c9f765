import { BuyNow } from '#store/catalogue/screens/buy-now.tsx'
import { OwnPrice } from '#store/catalogue/screens/own-price.tsx'
import type { ProductWithOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { hotProductsRange } from '#store/constants.ts'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'

const maxHotProducts = hotProductsRange.to - hotProductsRange.from

/**
 * Up to ninety products of two lines. Each is laid out only near the viewport (`content-visibility`), on a phone the list itself,
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
        className={`grid grid-cols-1 gap-x-8 border-t border-line md:grid-cols-2 xl:grid-cols-3 ${products.length === maxHotProducts ? 'max-md:rests-1440' : ''}`}
      >
        {products.map((product) => (
          <li key={product._id} className="rests-16 grid grid-cols-[1fr_auto] items-center gap-x-3 border-b border-line px-1 py-1.5">
            <div className="min-w-0">
              <h3 className="text-sm font-medium">
                <Link
                  to={`/products/${product._id}`}
                  prefetch="intent"
                  className="line-clamp-1 min-h-6 underline-offset-2 hover:text-leaf hover:underline"
                >
                  {product.name}
                </Link>
              </h3>
              <p className="flex flex-wrap gap-x-3 text-sm text-soft">
                <Amount value={product.price} className="font-semibold text-ink" />
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
                <OwnPrice product={product} isShort />
              </p>
            </div>
            <BuyNow
              product={product}
              isPlain
              className="flex min-h-11 items-center text-sm font-semibold text-copper underline underline-offset-4 hover:text-copper-deep"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
