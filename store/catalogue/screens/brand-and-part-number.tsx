import type { ProductWithOrderFigures } from './with-order-figures.ts'

type BrandAndPartNumberProps = {
  product: Pick<ProductWithOrderFigures, 'brand' | 'mpn'> & { sku?: string | null }
  className?: string
}

/** Brand and part number, exactly as printed on the product. One without a part number can be ordered by its SKU. */
export function BrandAndPartNumber({ product: { brand, mpn, sku }, className = '' }: BrandAndPartNumberProps) {
  if (!brand && !mpn && !sku) return null
  return (
    <p className={`text-soft ${className}`}>
      {brand} {mpn ? <span className="figures select-all">{mpn}</span> : sku && <span className="figures select-all">{sku}</span>}
    </p>
  )
}
