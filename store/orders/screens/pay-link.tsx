import { type ComponentProps, type MouseEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Purchase } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { useOrderAccess } from './order-access.ts'

type PayLinkProps = Omit<ComponentProps<typeof ButtonLink>, 'to' | 'onClick'> & { order: Pick<Purchase, '_id'> }

const retryIntervalMilliseconds = 3000

/**
 * A link to the payment page of an order. When a route module cannot be fetched, react-router reloads the page, which leaves an empty
 * window without a network. So a request to /healthz comes first, and the current page stays until that succeeds.
 */
export function PayLink({ order, ...rest }: PayLinkProps) {
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState(false)
  const to = useOrderAccess().paymentUrl(order)

  useEffect(() => {
    if (!waiting) return
    let stopped = false
    const retry = async () => {
      // Load a new document: a browser may cache the failed load of a module script and never request it again in this one.
      if ((await isStoreReachable()) && !stopped) location.assign(to)
    }
    const timer = setInterval(retry, retryIntervalMilliseconds)
    addEventListener('online', retry)
    return () => {
      stopped = true
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  }, [waiting, to])

  async function onPress(event: MouseEvent) {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (opensElsewhere) return
    event.preventDefault()
    if (await isStoreReachable()) await navigate(to)
    else setWaiting(true)
  }

  return (
    <>
      <ButtonLink {...rest} to={to} prefetch="none" onClick={onPress} />
      {waiting && (
        <p role="alert" className="basis-full text-sm font-medium whitespace-normal text-bad">
          The store cannot be reached, and nothing was charged. Check your connection: this page stays, and goes on to the payment by
          itself.
        </p>
      )}
    </>
  )
}

const isStoreReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
