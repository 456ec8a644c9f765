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
      <Like />
    </section>
  )
}

/** Nothing is counted or kept: the shop says thank you, and that is all. */
function Like() {
  const [liked, setLiked] = useState(false)

  function thank() {
    setLiked(true)
    toast('Thank you for the like')
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button look="quiet" className="needs-script" onClick={thank}>
        Give a like
      </Button>
      <p role="status" className="text-soft">
        {liked && 'Thank you. It is good to hear from you.'}
      </p>
    </div>
  )
}
