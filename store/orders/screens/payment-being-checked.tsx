import { useEffect, useEffectEvent, useState } from 'react'
import { ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { checkPayment, type PaymentCheckResult } from './check-payment.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'

/** Delays between polls. The outcome is usually known soon, so the first ones are short; the last one repeats. */
const pollDelaysSeconds = [1, 2, 3, 5, 8, 13, 20, 30]

type PaymentBeingCheckedProps = {
  order: DisplayedOrder
  /** the intent that the card provider has confirmed in this browser, if any */
  transectionId: string | undefined
  /** called once, when polling has ended */
  onResult: (answer: Exclude<PaymentCheckResult, 'checking' | 'unreachable'>) => void
}

/** Shown instead of the card form while the outcome of a payment is unknown, so that nobody pays twice. Polls until it is known. */
export function PaymentBeingChecked({ order, transectionId, onResult }: PaymentBeingCheckedProps) {
  const access = useOrderAccess()
  const [reached, setReached] = useState(true)

  const poll = useEffectEvent(async (): Promise<boolean> => {
    const result = await checkPayment(access, order, transectionId)
    setReached(result !== 'unreachable')
    if (result === 'checking' || result === 'unreachable') return true
    onResult(result)
    return false
  })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let unmounted = false
    const schedulePoll = (round: number) => {
      const delay = pollDelaysSeconds[Math.min(round, pollDelaysSeconds.length - 1)] ?? 0
      timer = setTimeout(async () => {
        if ((await poll()) && !unmounted) schedulePoll(round + 1)
      }, delay * 1000)
    }
    schedulePoll(0)
    return () => {
      unmounted = true
      clearTimeout(timer)
    }
  }, [])

  return (
    <Notice
      kind="info"
      title="We are checking the payment. You will not be charged twice."
      ref={focusOnMount}
      action={
        <ButtonLink variant="quiet" to={access.isByLink ? access.orderUrl(order) : '/dashboard/myorder'}>
          {access.isByLink ? `Order ${order.number}` : 'My Orders'}
        </ButtonLink>
      }
    >
      <p>
        The card provider has not confirmed it yet. You need not pay again, and you may leave this page: a mail tells you when the payment
        has arrived, and {access.isByLink ? 'the page of the order' : 'My Orders'} shows it.
      </p>
      <p>
        {reached
          ? 'This page asks by itself and shows the receipt as soon as it is there.'
          : 'The store cannot be reached at the moment. This page keeps asking.'}
      </p>
    </Notice>
  )
}
