import Stripe from 'stripe'
import { Refusal } from '#platform/refusal.ts'

/** The card provider as the store knows it: Stripe itself or the sandbox, by its address alone. */
export type CardProvider = {
  stripe: Stripe
  publishableKey: string
  webhookSecret: string
  /** where the browser's card library lies; null for Stripe's own */
  library: string | null
  /** what a page must be allowed to load */
  origins: { script: string; frames: string; calls: string }
}

type Keys = { secretKey: string; publishableKey: string; webhookSecret: string }
type Sandbox = Keys & { origin: string; host: string; port: number; protocol: 'http' | 'https'; library: string }

/** A question is asked at most twice, and each waited for six seconds: whoever waits for it hears within a quarter of a minute. */
const settings = { apiVersion: '2026-10-28.endive', maxNetworkRetries: 1, timeout: 6000, telemetry: false } as const

/** How long a call of the store may take that asks the provider, as many questions as it has. */
export const answerWithinMs = 30_000

/**
 * Stripe itself, or whoever speaks its API elsewhere.
 * @param apiUrl that provider's origin, such as `https://cards.example`; its browser library is at `/sandbox.js` there
 */
export function connectStripe({ apiUrl, ...keys }: Keys & { apiUrl?: string | undefined }): CardProvider {
  if (!apiUrl) return stripeItself(keys)
  const { origin, hostname, protocol: scheme, port } = new URL(apiUrl)
  const protocol = scheme === 'http:' ? 'http' : 'https'
  return connectSandbox({
    ...keys,
    origin,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http' ? 80 : 443),
    protocol,
    library: `${origin}/sandbox.js`,
  })
}

const stripeItself = (keys: Keys): CardProvider => ({
  stripe: new Stripe(keys.secretKey, settings),
  publishableKey: keys.publishableKey,
  webhookSecret: keys.webhookSecret,
  library: null,
  origins: { script: 'https://js.stripe.com', frames: 'https://js.stripe.com https://hooks.stripe.com', calls: 'https://api.stripe.com' },
})

export const connectSandbox = ({
  secretKey,
  publishableKey,
  webhookSecret,
  library,
  origin,
  host,
  port,
  protocol,
}: Sandbox): CardProvider => ({
  stripe: new Stripe(secretKey, { ...settings, host, port, protocol }),
  publishableKey,
  webhookSecret,
  library,
  origins: { script: origin, frames: origin, calls: origin },
})

/** What goes by: no connection, a fault on the provider's side, too many questions. Anything else is a mistake of ours or of the settings. */
const passing = [Stripe.errors.StripeConnectionError, Stripe.errors.StripeAPIError, Stripe.errors.StripeRateLimitError]

/** Another tab is asking the same at this moment. */
const isKeyInUse = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use'

/** Whether this is `ask` saying that there was no usable answer. */
export const isUnanswered = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.cause instanceof Stripe.errors.StripeError

/** What is asked about is not there, for instance because it was made with other keys. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/**
 * Whether this is an error of the provider's own that it has kept under the idempotency key: for a day it answers the same to whoever asks
 * with it, see https://docs.stripe.com/api/idempotent_requests
 */
export const isKept = (error: unknown): boolean =>
  isUnanswered(error) && error.cause instanceof Stripe.errors.StripeAPIError && error.cause.headers?.['idempotent-replayed'] === 'true'

/**
 * Asks the card provider.
 * @throws {Refusal} 503 when it gives no usable answer: what happened there is not known, so the same question may be asked again
 */
export async function ask<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    if (passing.some((kind) => error instanceof kind) || isKeyInUse(error))
      throw new Refusal(
        503,
        'The card provider does not answer at the moment. You have not been charged twice: try again in a minute',
        undefined,
        { cause: error, retryAfterSeconds: 10 },
      )
    throw error
  }
}

/**
 * Asks about each in turn. One that goes wrong does not keep the others from theirs; when the provider is away the rest has to wait, since
 * each question would be in vain.
 * @throws what went wrong, once all have had their turn
 */
export async function askForEach<Each>(all: Each[], work: (each: Each) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) {
    await work(each).catch((error) => void errors.push(error))
    if (isUnanswered(errors.at(-1))) break
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} of ${all.length} failed`)
}
