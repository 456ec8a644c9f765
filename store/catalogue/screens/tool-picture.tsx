import { useCallback, useState } from 'react'

type ToolPictureProps = {
  tool: { name: string; img: string }
  /** in the first view: fetched at once instead of when it comes near */
  first?: boolean
  className?: string
}

/** A box of fixed shape, so that nothing moves when the picture arrives; shown whole, as a part is judged by its edges too. A picture of its own that cannot be had gives way to the drawing of a part. */
export function ToolPicture({ tool, first = false, className = '' }: ToolPictureProps) {
  const [broken, setBroken] = useState(false)
  // It may have failed before this script was there to hear of it.
  const look = useCallback((picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth === 0) setBroken(true)
  }, [])
  const drawn = broken || tool.img.startsWith('/drawings/')
  return (
    <img
      ref={look}
      src={broken ? '/drawings/part.svg' : tool.img}
      // A drawing shows the kind of thing, which the name beside it says better.
      alt={drawn ? '' : tool.name}
      width="240"
      height="160"
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(true)}
      className={`rounded bg-tint object-contain p-2 ${className}`}
    />
  )
}
