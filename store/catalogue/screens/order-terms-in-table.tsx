import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import type { ProductDetailsWithOrderFigures } from './with-order-figures.ts'

const termClasses = 'block font-sans font-normal text-soft @3xl:text-wrap'

/** Below the price in a table: the lowest price of one piece, where larger quantities cost less each. */
export const LowestPrice = ({ product: { lowestPrice } }: { product: Pick<ProductDetailsWithOrderFigures, 'lowestPrice'> }) =>
  lowestPrice && (
    <span className={termClasses}>
      from <MoneyAmount amountCents={lowestPrice.unitPriceCents} />
    </span>
  )

/** Below the minimum in a table: the pieces in a pack, where single pieces are not sold. */
export const PackSize = ({ product: { order_multiple } }: { product: Pick<ProductDetailsWithOrderFigures, 'order_multiple'> }) =>
  order_multiple > 1 && (
    <span className={termClasses}>
      in packs of <GroupedDigits number={order_multiple} />
    </span>
  )
