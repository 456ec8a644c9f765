import { useState } from 'react'
import { pictureAddress } from '#store/picture-address.ts'
import { Portrait } from '#web/portrait.tsx'
import { useSettled } from '#web/settled.ts'

const fit = pictureAddress('')

/** Shows what stands at the address that is being typed, once typing pauses: half an address would be fetched in vain. */
export function PicturePreview({ address }: { address: string }) {
  const [settled] = useSettled(address)
  const [broken, setBroken] = useState<string>()
  const picture = fit.safeParse(settled).data ?? ''
  return (
    <div className="flex items-center gap-4">
      <Portrait key={picture} src={picture} size={96} onBroken={setBroken} />
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
