import type { ReactNode } from 'react'
import type { Purchase } from '#store/orders/contract.ts'

type OrderedProductProps = {
  order: Pick<Purchase, 'productName' | 'brand' | 'mpn'>
  /** e.g. as a link */
  name?: ReactNode
  className?: string
}

/** Name, brand and part number of the product, as they were when the order was placed. */
export function OrderedProduct({ order, name = order.productName, className = '' }: OrderedProductProps) {
  return (
    <div className="min-w-0">
      <p className={`font-semibold ${className}`}>{name}</p>
      <OrderedPartNumber order={order} />
    </div>
  )
}

export function OrderedPartNumber({ order: { brand, mpn } }: { order: Pick<Purchase, 'brand' | 'mpn'> }) {
  if (!brand && !mpn) return null
  return (
    <span className="block font-normal text-soft">
      {brand} {mpn && <span className="figures select-all">{mpn}</span>}
    </span>
  )
}
