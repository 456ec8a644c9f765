import { useCallback, useState } from 'react'

type ProductImageProps = {
  product: { name: string; img: string }
  /** in the initial viewport: loaded eagerly instead of lazily */
  isAboveFold?: boolean
  className?: string
}

/**
 * Image in a box of fixed aspect ratio, which avoids layout shifts. Shown whole, because its edges matter for judging a product. Falls back
 * to a generic drawing if it cannot be loaded.
 */
export function ProductImage({ product, isAboveFold = false, className = '' }: ProductImageProps) {
  const [broken, setBroken] = useState(false)
  // It may have failed to load before hydration.
  const checkIfBroken = useCallback((picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth === 0) setBroken(true)
  }, [])
  const isDrawing = broken || product.img.startsWith('/drawings/')
  return (
    <img
      ref={checkIfBroken}
      src={broken ? '/drawings/part.svg' : product.img}
      // A drawing shows only the category, which the name next to it conveys better.
      alt={isDrawing ? '' : product.name}
      width="240"
      height="160"
      loading={isAboveFold ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(true)}
      className={`rounded bg-tint object-contain p-2 ${className}`}
    />
  )
}
