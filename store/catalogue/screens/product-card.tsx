import type { ReactNode } from 'react'
import { amountToCents, type Cents } from '#shared/money.ts'
import { Link } from '#web/link.tsx'
import { GroupedDigits, GroupedMoney, MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Tag } from '#web/tag.tsx'
import { AddPiecesForm } from './add-pieces-form.tsx'
import { AddToCartButton } from './add-to-cart-button.tsx'
import { BrandAndPartNumber } from './brand-and-part-number.tsx'
import { BuyNow } from './buy-now.tsx'
import { OwnPrice } from './own-price.tsx'
import { ProductImage } from './product-image.tsx'
import type { ProductWithOrderFigures } from './with-order-figures.ts'

/** So many pieces are asked for, and put into the basket instead of the smallest order. */
export type AskedPieces = { pieces: number; totalCents: Cents }

type ProductCardProps = {
  product: ProductWithOrderFigures
  /** heading level of the name */
  heading: 'h2' | 'h3'
  /** in the initial viewport */
  isAboveFold?: boolean
  /** attributes that matter for a purchase besides the price */
  keyFacts?: string[] | undefined
  askedPieces?: AskedPieces | undefined
  /** shown next to the button, e.g. the compare checkbox */
  children?: ReactNode
}

/** Product card. The image is beside the name on phones, and above it from 640 px. */
export function ProductCard({ product, heading: Heading, isAboveFold = false, keyFacts = [], askedPieces, children }: ProductCardProps) {
  return (
    <Panel as="article" className="group flex h-full flex-col gap-3">
      <div className="flex gap-4 sm:flex-col sm:gap-3">
        <ProductImage product={product} isAboveFold={isAboveFold} className="aspect-3/2 w-28 self-start sm:aspect-2/1 sm:w-full" />
        <div className="min-w-0 flex-1">
          <Heading className="font-semibold text-pretty sm:text-lg">
            <Link
              to={`/products/${product._id}`}
              prefetch="intent"
              className="line-clamp-2 hover:text-leaf hover:underline hover:underline-offset-2"
            >
              {product.name}
            </Link>
          </Heading>
          <BrandAndPartNumber product={product} className="mt-1 text-sm" />
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <span>
              Price: <GroupedMoney amountCents={amountToCents(product.price)} />
              <OwnPrice product={product} />
            </span>
            {!product.inStock && <StatusBadge kind="bad">Out of stock</StatusBadge>}
          </p>
        </div>
      </div>
      {keyFacts.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {keyFacts.map((fact) => (
            <li key={fact}>
              <Tag>{fact}</Tag>
            </li>
          ))}
        </ul>
      )}
      <p className="line-clamp-3 text-sm text-soft">{product.description}</p>
      <OrderFigures product={product} askedPieces={askedPieces} />
      <div className="flex flex-wrap gap-2">
        <BuyNow product={product} className="flex-1" />
        {product.inStock && askedPieces && <AddPiecesForm key={askedPieces.pieces} product={product} quantity={askedPieces.pieces} />}
        {product.inStock && !askedPieces && <AddToCartButton product={product} />}
      </div>
      {children}
    </Panel>
  )
}

function OrderFigures({ product, askedPieces }: Pick<ProductCardProps, 'product' | 'askedPieces'>) {
  const { lowestPrice } = product
  return (
    <div className="mt-auto flex flex-col gap-1 border-t border-line pt-3 text-sm">
      <p>
        Available Quantity: <GroupedDigits number={product.available_quantity} />
      </p>
      <p>
        Minimum Order Quantity: <GroupedDigits number={product.minimum_order_quantity} />
      </p>
      <p className="text-soft group-has-[.own-price]:hidden">
        {askedPieces ? (
          <>
            <GroupedDigits number={askedPieces.pieces} /> = <MoneyAmount amountCents={askedPieces.totalCents} />
          </>
        ) : (
          <>
            minimum <GroupedDigits number={product.minimum_order_quantity} /> = <MoneyAmount amountCents={product.smallestOrderCents} />
          </>
        )}
      </p>
      {product.order_multiple !== undefined && product.order_multiple > 1 && (
        <p className="text-soft">
          in packs of <GroupedDigits number={product.order_multiple} />
        </p>
      )}
      {lowestPrice && (
        <p className="text-soft">
          <MoneyAmount amountCents={lowestPrice.unitPriceCents} /> each from <GroupedDigits number={lowestPrice.quantity} />
        </p>
      )}
    </div>
  )
}
