import { useCallback, useState } from 'react'

type AvatarProps = {
  /** '' if there is none */
  src: string
  size: 48 | 96
  /** called when the image fails to load and the placeholder is used */
  onLoadError?: (src: string) => void
}

const sizeClasses = { 48: 'size-12', 96: 'size-24' }

/** A profile image in a box of fixed size. A missing or broken image is replaced by the placeholder avatar. */
export function Avatar({ src, size, onLoadError }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const showPlaceholder = useCallback(() => {
    setBroken(src)
    onLoadError?.(src)
  }, [src, onLoadError])
  // The image may have failed before hydration, when no error handler was attached.
  const checkLoaded = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) showPlaceholder()
    },
    [showPlaceholder],
  )
  return (
    <img
      ref={checkLoaded}
      src={src && src !== broken ? src : '/drawings/avatar.svg'}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={showPlaceholder}
      className={`shrink-0 self-start rounded-full bg-tint object-cover ${sizeClasses[size]}`}
    />
  )
}
