import { useState } from 'react'
import { imageUrlSchema } from '#shared/image-url-schema.ts'
import { Avatar } from '#web/avatar.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'

const imageUrl = imageUrlSchema('')

/** Preview of the image at the typed URL, debounced, so that incomplete URLs are not requested. */
export function ImagePreview({ imageAddress }: { imageAddress: string }) {
  const [debouncedAddress] = useDebouncedText(imageAddress)
  const [broken, setBroken] = useState<string>()
  const picture = imageUrl.safeParse(debouncedAddress).data ?? ''
  return (
    <div className="flex items-center gap-4">
      <Avatar key={picture} src={picture} size={96} onLoadError={setBroken} />
      <p role="status" className="text-sm text-soft">
        {picture === '' && 'The drawn picture stands in until there is an address.'}
        {picture !== '' &&
          (picture === broken
            ? 'No picture could be loaded from this address: the drawn one stands in.'
            : 'This is how the picture will be shown.')}
      </p>
    </div>
  )
}
