import type { ProductWithOrderFigures } from './with-order-figures.ts'

type BrandAndPartNumberProps = {
  product: Pick<ProductWithOrderFigures, 'brand' | 'mpn'> & { sku?: string | null }
  className?: string
}

/** Brand and part number, exactly as printed on the product; the shop's own number where the maker's is not known. */
export function BrandAndPartNumber({ product: { brand, mpn, sku }, className = '' }: BrandAndPartNumberProps) {
  if (!brand && !mpn && !sku) return null
  return (
    <p className={`text-soft ${className}`}>
      {brand} {!mpn && sku && 'SKU '}
      {(mpn || sku) && <span className="figures select-all">{mpn ?? sku}</span>}
    </p>
  )
}
