/*
 * What the library in the shop's page and its frames say to one another. Every message carries the name of its card element or the path
 * of its challenge, and both sides check origin and source of every message.
 */

export type Theme = 'light' | 'dark'

/** The part of Stripe's `style` option that the frame knows. */
export type CardStyle = {
  base?: { color?: string; fontFamily?: string; '::placeholder'?: { color?: string } }
  invalid?: { color?: string }
}

/** Without `theme` the frame follows the system. */
export type CardOptions = { theme?: Theme; style?: CardStyle; disabled?: boolean }

export type FieldError = { type: 'validation_error'; code: string; message: string }

/** A change event, as Stripe's card element has it. */
export type CardChange = {
  elementType: 'card'
  complete: boolean
  empty: boolean
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'
  error: FieldError | undefined
  value: { postalCode: string }
}

export type PaymentIntentSeen = {
  id: string
  status: string
  amount: number
  currency: string
  client_secret: string
  last_payment_error?: PaymentError | null
  next_action?: { use_stripe_sdk?: { stripe_js?: string } } | null
}

export type PaymentError = {
  type: string
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: PaymentIntentSeen
}

export type PaymentResult = { paymentIntent: PaymentIntentSeen; error?: undefined } | { error: PaymentError; paymentIntent?: undefined }

/** What both sides answer when the sandbox could not be asked or did not answer: whether money was taken is then unknown. */
export const UNREACHABLE: PaymentResult = {
  error: {
    type: 'api_connection_error',
    message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
  },
}

export type BillingDetails = { name?: string; email?: string; phone?: string }

export type ToFrame = { cardElement: string } & (
  | { ask: 'update'; options: CardOptions }
  | { ask: 'focus' | 'blur' | 'clear' }
  | { ask: 'confirm'; call: string; publishableKey: string; clientSecret: string; billing: BillingDetails }
)

export type FromFrame = { cardElement: string } & (
  | { tell: 'ready' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { tell: 'change'; change: CardChange }
  | { tell: 'height'; heightPx: number }
  | { tell: 'confirmed'; call: string; result: PaymentResult }
)

/** What the bank's page says to the dialog that shows it. `challenge` is its path. */
export type FromChallenge = { challenge: string } & ({ tell: 'answered' | 'cancel' } | { tell: 'height'; heightPx: number })
