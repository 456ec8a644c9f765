import type { StripeCardElement, StripeError } from '@stripe/stripe-js'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { inFigures } from '#store/in-figures.ts'
import type { Order } from '#store/orders/contract.ts'
import { account } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Icon } from '#web/icon.tsx'
import { Loading } from '#web/loading.tsx'
import { useMedia } from '#web/media.ts'
import { Notice } from '#web/notice.tsx'
import { Tag } from '#web/tag.tsx'
import { useTheme } from '#web/theme.ts'
import { type CardLibrary, loadCardLibrary } from './card-library.ts'
import { howItStands } from './how-it-stands.ts'

type Intent = { clientSecret: string; publishableKey: string; cardLibrary: string | null }
type CardFormProps = {
  order: Order
  intent: Intent
  /** the order is paid, or the store knows in another way how it stands */
  onKnown: () => Promise<void>
  /** the card provider has confirmed this payment, and the store cannot say so yet */
  onChecking: (transectionId: string) => void
  /** no card can pay this any more: it ended while it was open here */
  onClosed: () => Promise<void>
}
type Ready = { library: CardLibrary; card: StripeCardElement }
type Failure = Pick<StripeError, 'type' | 'code' | 'message' | 'payment_intent'>

const unreachable: Failure = { type: 'api_connection_error' }
/** The provider has the money, or is about to. */
const taken: string[] = ['succeeded', 'processing', 'requires_capture']

/** The provider's card fields in its own frame, and one button. The fields stay mounted after a decline: a new mount would empty them. */
export function CardForm({ order, intent, onKnown, onChecking, onClosed }: CardFormProps) {
  const { place, ready, failed, again } = useCard(intent)
  const [step, setStep] = useState<'typing' | 'paying' | 'checking'>('typing')
  const [failure, setFailure] = useState<Failure>()
  const [elsewhere, setElsewhere] = useState<{ transectionId?: string }>()
  const amount = `$${inFigures(order.productCost)}`

  async function pay(event: FormEvent) {
    event.preventDefault()
    if (!ready || step !== 'typing') return // Enter in a card field is a press, too
    setFailure(undefined)
    if (account.get()?.email !== order.buyerEmail) return setElsewhere({})
    setElsewhere(undefined)
    setStep('paying') // also while the bank asks, in the library's own dialog
    const { error, paymentIntent } = await ready.library
      .confirmCardPayment(intent.clientSecret, {
        payment_method: { card: ready.card, billing_details: { name: order.buyerName, email: order.buyerEmail } },
      })
      .catch(() => ({ error: unreachable, paymentIntent: undefined }))

    // Paid in another tab, or an earlier answer got lost: the provider takes no money twice, and says so in the error's intent.
    const now = paymentIntent ?? error?.payment_intent
    if (now && taken.includes(now.status)) {
      setStep('checking')
      const answer = await howItStands(order, now.id)
      if (answer === 'known') await onKnown()
      else if (answer === 'checking' || answer === 'unreachable') return onChecking(now.id)
      else if (answer === 'somebody else') setElsewhere({ transectionId: now.id })
      else setFailure({ type: 'card_error', message: 'The card provider has not taken the money for this order' })
    } else if (now?.status === 'canceled') {
      await onClosed()
      setFailure({ type: 'invalid_request_error', message: 'This payment was closed meanwhile' })
    } else setFailure(error ?? unreachable)
    setStep('typing')
  }

  return (
    <form onSubmit={pay} className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-3 rounded border border-edge bg-tint p-4 sm:p-5">
        <legend className="sr-only">Card</legend>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p aria-hidden="true" className="flex items-center gap-2 font-semibold">
            <Icon name="lock" className="size-5 text-leaf" />
            Pay by card
          </p>
          <ul aria-label="Cards that are taken" className="flex gap-1.5">
            {['Visa', 'Mastercard', 'American Express'].map((mark) => (
              <li key={mark} className="font-semibold">
                <Tag framed>{mark}</Tag>
              </li>
            ))}
          </ul>
        </div>
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
          >
            Nothing was charged. Check your connection, then try again.
          </Notice>
        )}
        <p className="text-sm text-soft">
          Your card number goes straight to the card provider{intent.cardLibrary === null && ', Stripe'}. The store never sees it.
        </p>
        {intent.cardLibrary !== null && <TestCards />}
      </fieldset>
      {elsewhere && <SomebodyElse buyerEmail={order.buyerEmail} transectionId={elsewhere.transectionId} />}
      {failure && !isSaidInFields(failure, intent) && <FailedPayment failure={failure} />}
      <Button
        type="submit"
        disabled={!ready || elsewhere?.transectionId !== undefined}
        busy={step !== 'typing'}
        busyWords={step === 'paying' ? 'Paying' : 'Checking the payment'}
        className="text-lg"
      >
        Pay {amount}
      </Button>
    </form>
  )
}

/** In another window somebody else has signed in: the order is not theirs. */
export function SomebodyElse({ buyerEmail, transectionId }: { buyerEmail: string; transectionId: string | undefined }) {
  const action = <ButtonLink to={`/login?${new URLSearchParams({ from: location.pathname })}`}>Sign in as the buyer</ButtonLink>
  return transectionId ? (
    <Notice kind="warning" title="The card provider has confirmed the payment" ref={focused} action={action}>
      This browser is signed in as somebody else by now: sign in as {buyerEmail} to see the receipt. TransectionID:{' '}
      <span className="figures break-all">{transectionId}</span>
    </Notice>
  ) : (
    <Notice kind="error" title="This browser is signed in as somebody else by now" ref={focused} action={action}>
      Nothing was charged. Sign in as {buyerEmail} to pay this order.
    </Notice>
  )
}

/** The sandbox says below each of its fields what is wrong with it; Stripe's one field leaves the words to the page. */
const isSaidInFields = ({ type }: Failure, { cardLibrary }: Intent): boolean => type === 'validation_error' && cardLibrary !== null

function FailedPayment({ failure }: { failure: Failure }) {
  if (failure.type === 'api_connection_error' || failure.type === 'api_error')
    return (
      <Notice kind="error" title="The card provider did not answer" ref={focused}>
        We do not know whether the payment went through. Check your connection, then press Pay again: you will not be charged twice.
      </Notice>
    )
  return (
    <Notice kind="error" title={failure.message ?? 'The card was declined'} ref={focused}>
      Nothing was charged.{' '}
      {failure.code === 'payment_intent_authentication_failure'
        ? 'Press Pay again to be asked once more, or use another card.'
        : 'Check the card or use another one.'}
    </Notice>
  )
}

function TestCards() {
  return (
    <p className="text-sm text-soft">
      Test mode: <span className="figures text-ink">4242 4242 4242 4242</span> succeeds,{' '}
      <span className="figures text-ink">4000 0000 0000 3220</span> asks for <span className="whitespace-nowrap">3-D Secure</span>,{' '}
      <span className="figures text-ink">4000 0000 0000 0002</span> is declined. Any future date, any code.
    </p>
  )
}

const patienceMilliseconds = 10_000

/** Loads the provider's library and mounts its card fields, once for each intent. What comes after all, though late, is used. */
function useCard({ publishableKey, cardLibrary }: Intent) {
  const place = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState<Ready>()
  const [failed, setFailed] = useState<'refused' | 'late'>()
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is a reason to load again
  useEffect(() => {
    let card: StripeCardElement | undefined
    let left = false
    const late = setTimeout(() => setFailed('late'), patienceMilliseconds)
    const giveUp = () => {
      clearTimeout(late)
      if (!left) setFailed('refused')
    }
    loadCardLibrary({ publishableKey, cardLibrary })
      .then((library) => {
        if (left || !place.current) return
        const mounted = library.elements().create('card', { hidePostalCode: true, ...look() })
        card = mounted
        mounted.on('ready', () => {
          clearTimeout(late)
          if (left) return
          setFailed(undefined)
          setReady({ library, card: mounted })
        })
        mounted.mount(place.current)
      })
      .catch(giveUp)
    return () => {
      left = true
      clearTimeout(late)
      card?.destroy()
    }
  }, [publishableKey, cardLibrary, attempt])

  // The colours may change while a card is being typed: by the footer's choice, or in the evening.
  const theme = useTheme()
  const dark = useMedia('(prefers-color-scheme: dark)')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is a reason to look again
  useEffect(() => ready?.card.update(look()), [ready, theme, dark])

  const again = () => {
    // A browser asked again for what it is still fetching waits with it: only a fresh page asks anew. Nothing is typed yet.
    if (failed === 'late') return location.reload()
    setFailed(undefined)
    setAttempt(attempt + 1)
  }
  return { place, ready, failed, again }
}

/** The provider's frame cannot see our styles: Stripe takes colours, the sandbox the name of a chosen theme. */
function look() {
  const { color, fontFamily } = getComputedStyle(document.body)
  return { style: { base: { color, fontFamily, fontSize: '16px' } }, theme: document.documentElement.dataset.theme }
}
