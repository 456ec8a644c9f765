import type { ProductWithOrderFigures } from './with-order-figures.ts'

type BrandAndPartNumberProps = { product: Pick<ProductWithOrderFigures, 'brand' | 'mpn'>; className?: string }

/** Brand and part number, exactly as printed on the product. */
export function BrandAndPartNumber({ product: { brand, mpn }, className = '' }: BrandAndPartNumberProps) {
  if (!brand && !mpn) return null
  return (
    <p className={`text-soft ${className}`}>
      {brand} {mpn && <span className="figures select-all">{mpn}</span>}
    </p>
  )
}
