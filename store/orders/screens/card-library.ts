import type { Stripe } from '@stripe/stripe-js'

/** The part of Stripe's browser library that the payment page uses; the sandbox's library implements the same. */
export type CardLibrary = Pick<Stripe, 'elements' | 'confirmCardPayment'>

declare global {
  interface Window {
    CardSandbox?: (publishableKey: string) => CardLibrary
  }
}

/**
 * Loads the card provider's library from the provider's own origin, so that card numbers never reach the store's.
 * @param cardLibrary URL of the sandbox's library; null for Stripe's own
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

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove() // so that another attempt fetches it again
      reject(new Error(`${url} cannot be loaded`))
    }
    document.head.append(script)
  })
}
