import type { Stripe } from '@stripe/stripe-js'

/** What the payment page uses of Stripe's browser library; the sandbox's library has the same three calls. */
export type CardLibrary = Pick<Stripe, 'elements' | 'confirmCardPayment'>

declare global {
  interface Window {
    CardSandbox?: (publishableKey: string) => CardLibrary
  }
}

/**
 * The card provider's library, from the provider's own origin: card digits never touch the store's.
 * @param cardLibrary where the sandbox's lies; null for Stripe's own
 * @throws when it cannot be loaded
 */
export async function loadCardLibrary({
  publishableKey,
  cardLibrary,
}: {
  publishableKey: string
  cardLibrary: string | null
}): Promise<CardLibrary> {
  if (cardLibrary === null) {
    const { loadStripe } = await import('@stripe/stripe-js/pure')
    const stripe = await loadStripe(publishableKey)
    if (!stripe) throw new Error('The card form needs a browser')
    return stripe
  }
  if (!window.CardSandbox) await loadScript(cardLibrary)
  if (!window.CardSandbox) throw new Error(`${cardLibrary} did not bring the card form`)
  return window.CardSandbox(publishableKey)
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove() // so that another try fetches it anew
      reject(new Error(`${address} cannot be loaded`))
    }
    document.head.append(script)
  })
}
