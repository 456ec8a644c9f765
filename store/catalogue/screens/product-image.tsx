import { useCallback, useState } from 'react'
import { drawingUrl } from './drawing-url.ts'

type ProductImageProps = {
  product: { name: string; img: string }
  /** in the initial viewport: loaded eagerly instead of lazily */
  isAboveFold?: boolean
  className?: string
  /** how the drawing of a part is asked for: `size=small` where it is not wider than a thumb */
  drawing?: string
  /** what a drawing says besides the name next to it */
  description?: string | undefined
}

/**
 * Image in a box of fixed aspect ratio, which avoids layout shifts. Shown whole, because its edges matter for judging a product. Falls back
 * to a generic drawing if it cannot be loaded.
 */
export function ProductImage({ product, isAboveFold = false, className = '', drawing = '', description = '' }: ProductImageProps) {
  const [broken, setBroken] = useState(false)
  // It may have failed to load before hydration.
  const checkIfBroken = useCallback((picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth === 0) setBroken(true)
  }, [])
  const isDrawing = broken || product.img.startsWith('/drawings/')
  return (
    <img
      ref={checkIfBroken}
      src={broken ? '/drawings/part.svg' : drawingUrl(product.img, drawing)}
      // A drawing shows what stands next to it in words, unless it has a description.
      alt={broken ? '' : isDrawing ? description : product.name}
      width="240"
      height="160"
      loading={isAboveFold ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(true)}
      className={`rounded bg-tint object-contain p-2 ${className}`}
    />
  )
}

/** A square not wider than a thumb, in which a drawing leaves its thin lines out. */
export function ProductThumbnail({ className = '', ...props }: Omit<ProductImageProps, 'drawing' | 'description'>) {
  return <ProductImage {...props} drawing="size=small" className={`aspect-square ${className}`} />
}
