import type { Purchase } from '#store/orders/contract.ts'

/** Name, brand and part number of the product, as they were when the order was placed. */
export function OrderedProduct({ order, className = '' }: { order: Pick<Purchase, 'productName' | 'brand' | 'mpn'>; className?: string }) {
  return (
    <div className="min-w-0">
      <p className={`font-semibold ${className}`}>{order.productName}</p>
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
