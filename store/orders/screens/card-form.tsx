import type { StripeCardElement, StripeError } from '@stripe/stripe-js'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formatCents } from '#shared/money.ts'
import { accountStorage } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Icon } from '#web/icon.tsx'
import { Loading } from '#web/loading.tsx'
import { Notice } from '#web/notice.tsx'
import { Tag } from '#web/tag.tsx'
import { useTheme } from '#web/theme.ts'
import { useMediaQuery } from '#web/use-media-query.ts'
import { type CardLibrary, loadCardLibrary } from './card-library.ts'
import { checkPayment } from './check-payment.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'

type Intent = { clientSecret: string; publishableKey: string; cardLibrary: string | null }
type CardFormProps = {
  order: DisplayedOrder
  intent: Intent
  /** the e-mail of the account that has opened the payment: the buyer's, or that of another member of their company; null: none has */
  openedBy: string | null
  /** the store knows the outcome: the order is paid, or has ended */
  onKnown: () => Promise<void>
  /** the card provider has confirmed this payment, but the store does not know it yet */
  onChecking: (transectionId: string) => void
  /** the payment intent was canceled while the form was open: it cannot be paid any more */
  onClosed: () => Promise<void>
}
type MountedCardForm = { library: CardLibrary; card: StripeCardElement }
type PaymentFailure = Pick<StripeError, 'type' | 'code' | 'message' | 'payment_intent'>

const connectionFailure: PaymentFailure = { type: 'api_connection_error' }
/** Intent statuses in which the provider has taken the money or is about to. */
const chargedStatuses: string[] = ['succeeded', 'processing', 'requires_capture']

/** The provider's card fields in an iframe, and a button to pay. After a decline the fields stay mounted: a new mount would empty them. */
export function CardForm(props: CardFormProps) {
  const { order, intent, openedBy } = props
  const element = useCardElement(intent)
  const { pay, step, failure, otherAccount } = useCardPayment(element.ready, props)
  return (
    <form onSubmit={pay} className="flex flex-col gap-4">
      <CardFieldset intent={intent} element={element} />
      {otherAccount && <OtherAccountNotice openedBy={openedBy ?? order.buyerEmail} transectionId={otherAccount.transectionId} />}
      {failure && !isShownInFields(failure, intent) && <PaymentFailureNotice failure={failure} />}
      <Button
        type="submit"
        disabled={!element.ready || otherAccount?.transectionId !== undefined}
        busy={step !== 'typing'}
        busyLabel={step === 'paying' ? 'Paying' : 'Checking the payment'}
        className="text-lg"
      >
        Pay {formatCents(order.totalCents)}
      </Button>
    </form>
  )
}

/** Confirms the payment at the provider, then asks the store how it stands. */
function useCardPayment(ready: MountedCardForm | undefined, { order, intent, openedBy, onKnown, onChecking, onClosed }: CardFormProps) {
  const access = useOrderAccess()
  const [step, setStep] = useState<'typing' | 'paying' | 'checking'>('typing')
  const [failure, setFailure] = useState<PaymentFailure>()
  const [otherAccount, setOtherAccount] = useState<{ transectionId?: string }>()

  async function pay(event: FormEvent) {
    event.preventDefault()
    if (!ready || step !== 'typing') return // pressing Enter in a card field submits, too
    setFailure(undefined)
    if (!access.isByLink && accountStorage.get()?.email !== openedBy) return setOtherAccount({})
    setOtherAccount(undefined)
    setStep('paying') // also during 3-D Secure, in the library's own dialog
    const { error, paymentIntent } = await ready.library
      .confirmCardPayment(intent.clientSecret, {
        payment_method: { card: ready.card, billing_details: { name: order.buyerName, email: order.buyerEmail } },
      })
      .catch(() => ({ error: connectionFailure, paymentIntent: undefined }))

    // If it was paid in another tab, or an earlier response was lost, the provider returns an error that contains the intent.
    const intentNow = paymentIntent ?? error?.payment_intent
    if (intentNow && chargedStatuses.includes(intentNow.status)) {
      setStep('checking')
      const result = await checkPayment(access, order, intentNow.id)
      if (result === 'known') await onKnown()
      else if (result === 'checking' || result === 'unreachable') return onChecking(intentNow.id)
      else if (result === 'somebody else') setOtherAccount({ transectionId: intentNow.id })
      else setFailure({ type: 'card_error', message: 'The card provider has not taken the money for this order' })
    } else if (intentNow?.status === 'canceled') {
      await onClosed()
      setFailure({ type: 'invalid_request_error', message: 'This payment was closed meanwhile' })
    } else setFailure(error ?? connectionFailure)
    setStep('typing')
  }
  return { pay, step, failure, otherAccount }
}

type CardFieldsetProps = { intent: Intent; element: ReturnType<typeof useCardElement> }

/** The place of the provider's fields, with the cards that are taken. */
function CardFieldset({ intent, element: { place, ready, failed, retry } }: CardFieldsetProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded border border-edge bg-tint p-4 sm:p-5">
      <legend className="sr-only">Card</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p aria-hidden="true" className="flex items-center gap-2 font-semibold">
          <Icon name="lock" className="size-5 text-leaf" />
          Pay by card
        </p>
        <CardsTaken />
      </div>
      <div ref={place} className="min-h-11" />
      {!ready && !failed && <Loading>Preparing the card form</Loading>}
      {failed && <NotLoadedNotice onRetry={retry} />}
      <p className="text-sm text-soft">
        Your card number goes straight to the card provider{intent.cardLibrary === null && ', Stripe'}. The store never sees it.
      </p>
      {intent.cardLibrary !== null && <TestCards />}
    </fieldset>
  )
}

function CardsTaken() {
  return (
    <ul aria-label="Cards that are taken" className="flex gap-1.5">
      {['Visa', 'Mastercard', 'American Express'].map((mark) => (
        <li key={mark} className="font-semibold">
          <Tag framed>{mark}</Tag>
        </li>
      ))}
    </ul>
  )
}

function NotLoadedNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      kind="error"
      title="The card form did not load"
      action={
        <Button variant="quiet" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Nothing was charged. Check your connection, then try again.
    </Notice>
  )
}

/** Another account has signed in in another window since this one has opened the payment. */
export function OtherAccountNotice({ openedBy, transectionId }: { openedBy: string; transectionId: string | undefined }) {
  const action = <ButtonLink to={`/login?${new URLSearchParams({ from: location.pathname })}`}>Sign in again</ButtonLink>
  return transectionId ? (
    <Notice kind="warning" title="The card provider has confirmed the payment" ref={focusOnMount} action={action}>
      This browser is signed in as somebody else by now: sign in as {openedBy} to see the receipt. Transaction ID:{' '}
      <span className="figures break-all">{transectionId}</span>
    </Notice>
  ) : (
    <Notice kind="error" title="This browser is signed in as somebody else by now" ref={focusOnMount} action={action}>
      Nothing was charged. Sign in as {openedBy} to pay this order.
    </Notice>
  )
}

/** The sandbox shows validation errors below its fields. Stripe's single field does not, so the page shows them. */
const isShownInFields = ({ type }: PaymentFailure, { cardLibrary }: Intent): boolean => type === 'validation_error' && cardLibrary !== null

function PaymentFailureNotice({ failure }: { failure: PaymentFailure }) {
  if (failure.type === 'api_connection_error' || failure.type === 'api_error')
    return (
      <Notice kind="error" title="The card provider did not answer" ref={focusOnMount}>
        We do not know whether the payment went through. Check your connection, then press Pay again: you will not be charged twice.
      </Notice>
    )
  return (
    <Notice kind="error" title={failure.message ?? 'The card was declined'} ref={focusOnMount}>
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

const loadTimeoutMilliseconds = 10_000

/** Loads the provider's library and mounts its card fields, once per intent. If they load after the timeout they are still used. */
function useCardElement({ publishableKey, cardLibrary }: Intent) {
  const place = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState<MountedCardForm>()
  const [failed, setFailed] = useState<'refused' | 'late'>()
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is a reason to load again
  useEffect(() => {
    let card: StripeCardElement | undefined
    let unmounted = false
    const timeout = setTimeout(() => setFailed('late'), loadTimeoutMilliseconds)
    const onLoadError = () => {
      clearTimeout(timeout)
      if (!unmounted) setFailed('refused')
    }
    loadCardLibrary({ publishableKey, cardLibrary })
      .then((library) => {
        if (unmounted || !place.current) return
        const mounted = library.elements().create('card', { hidePostalCode: true, ...cardElementStyle() })
        card = mounted
        mounted.on('ready', () => {
          clearTimeout(timeout)
          if (unmounted) return
          setFailed(undefined)
          setReady({ library, card: mounted })
        })
        mounted.mount(place.current)
      })
      .catch(onLoadError)
    return () => {
      unmounted = true
      clearTimeout(timeout)
      card?.destroy()
    }
  }, [publishableKey, cardLibrary, attempt])

  // The colours can change while the form is open: by the theme switch in the footer or by the system's colour scheme.
  const theme = useTheme()
  const dark = useMediaQuery('(prefers-color-scheme: dark)')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is a reason to look again
  useEffect(() => ready?.card.update(cardElementStyle()), [ready, theme, dark])

  const retry = () => {
    // While a script is still loading, the browser joins a second request for it to the first. Only a reload sends a new one. No input is
    // lost, since the fields are not there yet.
    if (failed === 'late') return location.reload()
    setFailed(undefined)
    setAttempt(attempt + 1)
  }
  return { place, ready, failed, retry }
}

/** The provider's iframe does not inherit the page's styles: Stripe takes colours, the sandbox takes the name of the chosen theme. */
function cardElementStyle() {
  const { color, fontFamily } = getComputedStyle(document.body)
  return { style: { base: { color, fontFamily, fontSize: '16px' } }, theme: document.documentElement.dataset.theme }
}
