/*
 * The postMessage protocol between the library in the shop's page and its frames. Every message contains the name of its card element or
 * the path of its challenge, and both sides check the origin and source of every message.
 */

export type Theme = 'light' | 'dark'

/** The subset of Stripe's `style` option that the frame supports. */
export type CardStyle = {
  base?: { color?: string; fontFamily?: string; '::placeholder'?: { color?: string } }
  invalid?: { color?: string }
}

/** Without `theme` the frame uses the system's colour scheme. */
export type CardOptions = { theme?: Theme; style?: CardStyle; disabled?: boolean }

export type FieldError = { type: 'validation_error'; code: string; message: string }

/** The change event of Stripe's card element. */
export type CardChangeEvent = {
  elementType: 'card'
  complete: boolean
  empty: boolean
  brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'
  error: FieldError | undefined
  value: { postalCode: string }
}

export type ClientPaymentIntent = {
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
  payment_intent?: ClientPaymentIntent
}

export type PaymentResult = { paymentIntent: ClientPaymentIntent; error?: undefined } | { error: PaymentError; paymentIntent?: undefined }

/** The result when the sandbox is unreachable. Whether the card was charged is then unknown. */
export const UNREACHABLE: PaymentResult = {
  error: {
    type: 'api_connection_error',
    message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
  },
}

export type BillingDetails = { name?: string; email?: string; phone?: string }

export type MessageToFrame = { cardElement: string } & (
  | { ask: 'update'; options: CardOptions }
  | { ask: 'focus' | 'blur' | 'clear' }
  | { ask: 'confirm'; call: string; publishableKey: string; clientSecret: string; billing: BillingDetails }
)

export type MessageFromFrame = { cardElement: string } & (
  | { tell: 'ready' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { tell: 'change'; change: CardChangeEvent }
  | { tell: 'height'; heightPx: number }
  | { tell: 'confirmed'; call: string; result: PaymentResult }
)

/** Messages from the bank's page to the dialog that shows it. `challenge` is the path of the page. */
export type MessageFromChallenge = { challenge: string } & ({ tell: 'answered' | 'cancel' } | { tell: 'height'; heightPx: number })
