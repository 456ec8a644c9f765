import type { Order } from '#store/orders/contract.ts'

/** What was ordered: its name, and below it maker and part number, as they were when it was. */
export function OrderedPart({ order, className = '' }: { order: Pick<Order, 'productName' | 'brand' | 'mpn'>; className?: string }) {
  return (
    <div className="min-w-0">
      <p className={`font-semibold ${className}`}>{order.productName}</p>
      <PartNumber order={order} />
    </div>
  )
}

/** Maker and part number, where they are known. */
export function PartNumber({ order: { brand, mpn } }: { order: Pick<Order, 'brand' | 'mpn'> }) {
  if (!brand && !mpn) return null
  return (
    <span className="block font-normal text-soft">
      {brand} {mpn && <span className="figures select-all">{mpn}</span>}
    </span>
  )
}
