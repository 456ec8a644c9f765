import { type ComponentProps, type MouseEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Order } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'

type PayLinkProps = Omit<ComponentProps<typeof ButtonLink>, 'to' | 'onClick'> & { order: Pick<Order, '_id'> }

const asksAgainMilliseconds = 3000

/**
 * The way to the payment page of an order. The router answers a page that cannot be fetched with a reload, which without a network leaves
 * an empty window: so the store is asked first, and until it answers what is shown stays. It does not prefetch either: without a network the
 * router answers that with a reload as well, see `loadRouteModule` in react-router.
 */
export function PayLink({ order, ...rest }: PayLinkProps) {
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState(false)
  const to = `/dashboard/payment/${order._id}`

  useEffect(() => {
    if (!waiting) return
    let left = false
    const goOn = async () => {
      // As a new document: a browser may keep what it could not load of a page's script, and never ask for it again.
      if ((await isReachable()) && !left) location.assign(to)
    }
    const timer = setInterval(goOn, asksAgainMilliseconds)
    addEventListener('online', goOn)
    return () => {
      left = true
      clearInterval(timer)
      removeEventListener('online', goOn)
    }
  }, [waiting, to])

  async function press(event: MouseEvent) {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (opensElsewhere) return
    event.preventDefault()
    if (await isReachable()) await navigate(to)
    else setWaiting(true)
  }

  return (
    <>
      <ButtonLink {...rest} to={to} prefetch="none" onClick={press} />
      {waiting && (
        <p role="alert" className="basis-full text-sm font-medium whitespace-normal text-bad">
          The store cannot be reached, and nothing was charged. Check your connection: this page stays, and goes on to the payment by
          itself.
        </p>
      )}
    </>
  )
}

const isReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
