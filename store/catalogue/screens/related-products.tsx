import type { Replacement } from '#store/catalogue/product-page-contract.ts'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { OwnPrice } from './own-price.tsx'
import { ProductImage } from './product-image.tsx'
import type { ProductDetailsWithOrderFigures } from './with-order-figures.ts'

type RelatedProduct = Pick<
  ProductDetailsWithOrderFigures,
  '_id' | 'name' | 'img' | 'price' | 'minimum_order_quantity' | 'available_quantity' | 'order_multiple'
> &
  Pick<ProductDetailsWithOrderFigures, 'lowered' | 'inStock' | 'lowestPrice' | 'smallestOrderCents'> &
  Partial<Pick<Replacement, 'advantage' | 'differences' | 'losses'>>

const advantageTexts: Record<Replacement['advantage'], string> = { cheaper: 'Cheaper', better: 'Better', in_stock: 'In stock' }

/** A better part costs more: the price, which is the first difference, is not what is better. */
const orderedDifferences = ({ advantage, differences: [price, ...gains] = [] }: RelatedProduct): string[] =>
  [...(advantage === 'better' ? [...gains, price] : [price, ...gains])].filter((difference) => difference !== undefined)

/** Related products of the category, a few lines each: name, why it instead, prices, packs and availability. */
export function RelatedProducts({ products, isNarrow }: { products: RelatedProduct[]; isNarrow: boolean }) {
  return (
    <ul className={`grid grid-cols-1 gap-3 sm:grid-cols-2 ${isNarrow ? 'lg:grid-cols-1' : 'lg:grid-cols-3'}`}>
      {products.map((part) => (
        <Panel as="li" key={part._id} padding="close" className="relative flex gap-3 hover:border-ink">
          <ProductImage product={part} drawing="size=small" className="aspect-3/2 w-14 self-start sm:w-20" />
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
            {part.advantage && (
              <p className="text-sm">
                <span className="font-semibold text-leaf">{advantageTexts[part.advantage]}:</span> {orderedDifferences(part).join(', ')}
                {part.losses?.length ? (
                  <>
                    . <span className="font-semibold">Also different:</span> {part.losses.join(', ')}
                  </>
                ) : null}
              </p>
            )}
            <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
              <Amount value={part.price} className="text-base font-semibold text-ink" />
              <span>
                min <GroupedDigits number={part.minimum_order_quantity} />
              </span>
              {part.inStock ? (
                <span>
                  <GroupedDigits number={part.available_quantity} /> in stock
                </span>
              ) : (
                <StatusBadge kind="bad">Out of stock</StatusBadge>
              )}
              {part.order_multiple > 1 && (
                <span>
                  in packs of <GroupedDigits number={part.order_multiple} />
                </span>
              )}
              {part.lowestPrice && (
                <span>
                  <MoneyAmount amountCents={part.lowestPrice.unitPriceCents} /> each from{' '}
                  <GroupedDigits number={part.lowestPrice.quantity} />
                </span>
              )}
            </p>
            <OwnPrice product={part} isShort />
          </div>
        </Panel>
      ))}
    </ul>
  )
}
