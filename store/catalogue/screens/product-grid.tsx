import type { ReactNode } from 'react'
import { type AskedPieces, ProductCard } from './product-card.tsx'
import type { ProductWithOrderFigures } from './with-order-figures.ts'

type GridProduct = ProductWithOrderFigures & { askedPieces?: AskedPieces | undefined }

type ProductGridProps<Shown extends GridProduct> = {
  products: Shown[]
  heading: 'h2' | 'h3'
  /** attributes that matter for a purchase besides the price, as short texts */
  getKeyFacts?: (tool: Shown) => string[]
  /** shown below the button of a card */
  renderBelow?: (tool: Shown) => ReactNode
  /** number of cards in the initial viewport */
  aboveFoldCount?: number
}

/** Cards in one, two or three columns. Cards below the initial viewport are laid out when they come near it. */
export function ProductGrid<Shown extends GridProduct>({
  products,
  heading,
  getKeyFacts,
  renderBelow,
  aboveFoldCount = 6,
}: ProductGridProps<Shown>) {
  return (
    <div className="@container">
      <ul className="grid grid-cols-1 gap-4 @lg:grid-cols-2 @lg:gap-6 @4xl:grid-cols-3">
        {products.map((tool, place) => (
          <li key={tool._id} className={place < aboveFoldCount ? undefined : 'rests-103 @lg:rests-142'}>
            <ProductCard
              product={tool}
              heading={heading}
              isAboveFold={place < aboveFoldCount}
              keyFacts={getKeyFacts?.(tool)}
              askedPieces={tool.askedPieces}
            >
              {renderBelow?.(tool)}
            </ProductCard>
          </li>
        ))}
      </ul>
    </div>
  )
}
