import { OwnPrice } from '#store/catalogue/screens/own-price.tsx'
import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { HomeSection, OfferedProduct } from './home-sections.ts'

/** What sells, what is lowered and what is new: a row of small tiles each, on a phone one to scroll. */
export function HomeSectionTiles({ section: { kind, title, products, all } }: { section: HomeSection }) {
  return (
    <section aria-labelledby={`section-${kind}`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={`section-${kind}`} className="text-xl">
          {title}
        </h2>
        {all && <TextLink to={all.to}>{all.text}</TextLink>}
      </div>
      <ul className="row-to-scroll snap-x gap-3 lg:grid lg:grid-cols-6">
        {products.map((product) => (
          <Panel
            as="li"
            key={product._id}
            padding="none"
            className="relative flex w-40 shrink-0 snap-start flex-col hover:border-leaf lg:w-auto"
          >
            <ProductTile product={product} />
          </Panel>
        ))}
      </ul>
    </section>
  )
}

function ProductTile({ product }: { product: OfferedProduct }) {
  const { _id, name } = product
  return (
    <>
      <ProductImage product={product} className="aspect-3/2 h-auto w-full rounded-b-none" />
      <div className="flex flex-1 flex-col gap-1 p-3 text-sm">
        <h3 className="text-sm font-medium">
          <Link
            to={`/products/${_id}`}
            prefetch="intent"
            className="line-clamp-2 underline-offset-2 after:absolute after:inset-0 hover:underline"
          >
            {name}
          </Link>
        </h3>
        <PriceAndStock product={product} priceClassName="text-base font-semibold text-ink" className="mt-auto" />
      </div>
    </>
  )
}

type PriceAndStockProps = { product: OfferedProduct; priceClassName: string; className?: string }

/** What is offered is in stock. */
export function PriceAndStock({ product, priceClassName, className = '' }: PriceAndStockProps) {
  const { price, minimum_order_quantity: minimum, available_quantity: available } = product
  return (
    <div className={`text-sm text-soft ${className}`}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Amount value={price} className={priceClassName} />
        {minimum > 1 && (
          <span>
            min <GroupedDigits number={minimum} />
          </span>
        )}
        <span>
          <GroupedDigits number={available} /> in stock
        </span>
      </p>
      <OwnPrice product={product} isShort />
    </div>
  )
}
