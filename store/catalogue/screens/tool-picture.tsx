import { useState } from 'react'

type ToolPictureProps = {
  tool: { name: string; img: string }
  /** in the first view: fetched at once instead of when it comes near */
  first?: boolean
  className?: string
}

/** A box of 3:2, so that nothing moves when the picture arrives. A picture of its own that cannot be had gives way to the drawing of a part. */
export function ToolPicture({ tool, first = false, className = '' }: ToolPictureProps) {
  const [broken, setBroken] = useState(false)
  const drawn = broken || tool.img.startsWith('/drawings/')
  return (
    <img
      src={broken ? '/drawings/part.svg' : tool.img}
      // A drawing shows the kind of thing, which the name beside it says better.
      alt={drawn ? '' : tool.name}
      width="240"
      height="160"
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(true)}
      className={`aspect-3/2 rounded bg-tint ${drawn ? 'object-contain p-2' : 'object-cover'} ${className}`}
    />
  )
}
