import type { StripeCardElement } from '@stripe/stripe-js'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Order } from '#store/orders/contract.ts'
import { recordPayment } from '#store/payments/contract.ts'
import { Button } from '#web/button.tsx'
import { Loading } from '#web/loading.tsx'
import { Notice } from '#web/notice.tsx'
import { Refusal, send } from '#web/send.ts'
import { type CardLibrary, loadCardLibrary } from './card-library.ts'

type Intent = { clientSecret: string; publishableKey: string; cardLibrary: string | null }
type CardFormProps = { order: Order; intent: Intent; onPaid: () => void }
type Ready = { library: CardLibrary; card: StripeCardElement }

/** The provider's card fields in its own frame, and one button. The fields stay mounted after a decline: a new mount would empty them. */
export function CardForm({ order, intent, onPaid }: CardFormProps) {
  const { place, ready, failed, again } = useCard(intent)
  const [step, setStep] = useState<'typing' | 'paying' | 'checking'>('typing')
  const [declined, setDeclined] = useState<string>()
  const amount = `$${order.productCost.toLocaleString('en-US')}`

  async function pay(event: FormEvent) {
    event.preventDefault()
    if (!ready) return
    setDeclined(undefined)
    setStep('paying')
    const { error, paymentIntent } = await ready.library
      .confirmCardPayment(intent.clientSecret, {
        payment_method: { card: ready.card, billing_details: { name: order.buyerName, email: order.buyerEmail } },
      })
      .catch(() => ({
        error: { message: 'The card provider cannot be reached. Check your connection and try again: you will not be charged twice.' },
        paymentIntent: undefined,
      }))
    if (error) {
      setDeclined(error.message ?? 'The card was declined')
      return setStep('typing')
    }
    setStep('checking')
    await tellUntilKnown(order._id, paymentIntent.id)
    onPaid()
  }

  return (
    <form onSubmit={pay} className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-3 rounded border border-edge bg-tint p-4">
        <legend className="px-2 font-semibold">Card</legend>
        <div ref={place} className="min-h-11" />
        {!ready && !failed && <Loading>Preparing the card form</Loading>}
        {failed && (
          <Notice
            kind="error"
            title="The card form did not load"
            action={
              <Button look="quiet" onClick={again}>
                Try again
              </Button>
            }
          />
        )}
        <p className="text-sm text-soft">Your card number goes straight to the card provider. The store never sees it.</p>
        {intent.cardLibrary !== null && <TestCards />}
      </fieldset>
      {declined && (
        <Notice kind="error" title={declined}>
          Nothing was charged. Check the card or use another one.
        </Notice>
      )}
      {step === 'checking' && <Notice kind="info" title="We are checking the payment. You will not be charged twice." />}
      <Button type="submit" disabled={!ready} busy={step !== 'typing'} busyWords={step === 'paying' ? 'Paying' : 'Checking the payment'}>
        Pay {amount}
      </Button>
    </form>
  )
}

function TestCards() {
  return (
    <p className="text-sm text-soft">
      Test mode: <span className="figures text-ink">4242 4242 4242 4242</span> succeeds,{' '}
      <span className="figures text-ink">4000 0000 0000 0002</span> is declined. Any future date, any code.
    </p>
  )
}

/** Loads the provider's library and mounts its card fields, once for each intent. */
function useCard({ publishableKey, cardLibrary }: Intent) {
  const place = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState<Ready>()
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is a reason to load again
  useEffect(() => {
    let card: StripeCardElement | undefined
    let left = false
    loadCardLibrary({ publishableKey, cardLibrary })
      .then((library) => {
        if (left || !place.current) return
        const mounted = library.elements().create('card', { hidePostalCode: true, ...look() })
        card = mounted
        mounted.on('ready', () => !left && setReady({ library, card: mounted }))
        mounted.mount(place.current)
      })
      .catch(() => !left && setFailed(true))
    return () => {
      left = true
      card?.destroy()
    }
  }, [publishableKey, cardLibrary, attempt])

  const again = () => {
    setFailed(false)
    setAttempt(attempt + 1)
  }
  return { place, ready, failed, again }
}

/** The provider's frame cannot see our styles: Stripe takes colours, the sandbox the name of a chosen theme. */
function look() {
  const { color, fontFamily } = getComputedStyle(document.body)
  return { style: { base: { color, fontFamily, fontSize: '16px' } }, theme: document.documentElement.dataset.theme }
}

const pausesSeconds = [1, 2, 4, 8, 15, 30]

/** Tells the store which transaction paid. It asks the provider itself; until it has an answer, or the webhook came first, we ask again. */
async function tellUntilKnown(orderId: string, transectionId: string): Promise<void> {
  for (const seconds of pausesSeconds) {
    try {
      await send(recordPayment, { params: { id: orderId }, body: { pay: true, transectionId } })
      return
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      if (refusal.status === 401) return // the page then asks to sign in, and shows the payment after it
      await new Promise((wait) => setTimeout(wait, seconds * 1000))
    }
  }
}
