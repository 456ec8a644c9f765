import { useCallback, useState } from 'react'

type PortraitProps = {
  /** '' where there is none */
  src: string
  size: 48 | 96
  /** told when the picture cannot be had and the drawn one stands in */
  onBroken?: (src: string) => void
}

const sizes = { 48: 'size-12', 96: 'size-24' }

/** The picture of a person beside their name, in a box of fixed size; a missing or broken one gives way to the drawn avatar. */
export function Portrait({ src, size, onBroken }: PortraitProps) {
  const [broken, setBroken] = useState<string>()
  const giveWay = useCallback(() => {
    setBroken(src)
    onBroken?.(src)
  }, [src, onBroken])
  // It may have failed before this script was there to hear of it.
  const look = useCallback(
    (picture: HTMLImageElement | null) => {
      if (picture?.complete && picture.naturalWidth === 0) giveWay()
    },
    [giveWay],
  )
  return (
    <img
      ref={look}
      src={src && src !== broken ? src : '/drawings/avatar.svg'}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={giveWay}
      className={`shrink-0 self-start rounded-full bg-tint object-cover ${sizes[size]}`}
    />
  )
}
