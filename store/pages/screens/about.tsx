import { useState } from 'react'
import { Button } from '#web/button.tsx'
import { toast } from '#web/toast.tsx'

export function About({ sinceYear }: { sinceYear: number }) {
  return (
    <section aria-labelledby="about" className="flex flex-col items-start gap-4">
      <h2 id="about" className="text-xl sm:text-2xl">
        About Nucleus of PC
      </h2>
      <p className="max-w-read">
        Nucleus of PC has operated since {sinceYear}. We sell computer parts, and the tools to build, repair and measure with, in the
        quantities that workshops, schools and builders order.
      </p>
      <LikeButton />
    </section>
  )
}

/** Only displays a thank-you message. Likes are not counted or stored. */
function LikeButton() {
  const [liked, setLiked] = useState(false)

  function handleClick() {
    setLiked(true)
    toast('Thank you for the like')
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="quiet" className="needs-script" onClick={handleClick}>
        Give a like
      </Button>
      <p role="status" className="text-soft">
        {liked && 'Thank you. It is good to hear from you.'}
      </p>
    </div>
  )
}
