import { useEffect, useEffectEvent, useState } from 'react'
import type { Order } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { type Answer, howItStands } from './how-it-stands.ts'

/** Soon at first, when it is most likely known by then; the last pause goes on. */
const pausesSeconds = [1, 2, 3, 5, 8, 13, 20, 30]

type BeingCheckedProps = {
  order: Order
  /** what the card provider has confirmed in this browser, if it has */
  transectionId: string | undefined
  /** there is nothing more to wait for */
  onAnswer: (answer: Exclude<Answer, 'checking' | 'unreachable'>) => void
}

/** The money may have been taken, and nobody can say so yet: no card form, no hurry. Asks by itself until it is known. */
export function BeingChecked({ order, transectionId, onAnswer }: BeingCheckedProps) {
  const [reached, setReached] = useState(true)

  const ask = useEffectEvent(async (): Promise<boolean> => {
    const answer = await howItStands(order, transectionId)
    setReached(answer !== 'unreachable')
    if (answer === 'checking' || answer === 'unreachable') return true
    onAnswer(answer)
    return false
  })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let left = false
    const waitAndAsk = (round: number) => {
      const pause = pausesSeconds[Math.min(round, pausesSeconds.length - 1)] ?? 0
      timer = setTimeout(async () => {
        if ((await ask()) && !left) waitAndAsk(round + 1)
      }, pause * 1000)
    }
    waitAndAsk(0)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [])

  return (
    <Notice
      kind="info"
      title="We are checking the payment. You will not be charged twice."
      ref={focused}
      action={
        <ButtonLink look="quiet" to="/dashboard/myorder">
          My Orders
        </ButtonLink>
      }
    >
      <p>
        The card provider has not confirmed it yet. You need not pay again, and you may leave this page: a mail tells you when the payment
        has arrived, and My Orders shows it.
      </p>
      <p>
        {reached
          ? 'This page asks by itself and shows the receipt as soon as it is there.'
          : 'The store cannot be reached at the moment. This page keeps asking.'}
      </p>
    </Notice>
  )
}
