import { useState } from 'react'
import { shareCart } from '#store/cart/contract.ts'
import { Button } from '#web/button.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { callCart } from './call-cart.ts'

/** Makes a link to what is in the basket now. */
export function ShareCart() {
  const [url, setUrl] = useState<string>()
  const { submit, busy, refusal } = useSubmit({
    send: () => callCart(shareCart, {}),
    onDone: (shared) => setUrl(shared.url),
  })
  return (
    <section aria-label="Share" className="needs-script flex flex-col items-start gap-2 print:hidden">
      {url ? (
        <>
          <p>Whoever has this link sees these parts and quantities, and nothing of you. It works for 90 days.</p>
          <p className="max-w-full">
            <a href={url} className="figures break-all text-leaf underline underline-offset-2">
              {url}
            </a>{' '}
            <CopyButton label="the link" text={url} />
          </p>
        </>
      ) : (
        <Button variant="quiet" busy={busy} onClick={() => submit()}>
          Share as a link
        </Button>
      )}
      {refusal && <Notice kind="error">{refusal.message}</Notice>}
    </section>
  )
}
