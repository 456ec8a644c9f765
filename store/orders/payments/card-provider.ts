import Stripe from 'stripe'
import { HttpError } from '#platform/http-error.ts'

/** The card provider: Stripe or the sandbox. They differ only in their URLs. */
export type CardProvider = {
  stripe: Stripe
  publishableKey: string
  webhookSecret: string
  /** URL of the card library for the browser; null for Stripe's own */
  libraryUrl: string | null
  /** the origins that the Content-Security-Policy must allow */
  cspOrigins: { script: string; frames: string; calls: string }
}

type ProviderKeys = { secretKey: string; publishableKey: string; webhookSecret: string }
type SandboxSettings = ProviderKeys & { origin: string; host: string; port: number; protocol: 'http' | 'https'; libraryUrl: string }

/** A request is sent at most twice, with a timeout of 6 s each, so a caller waits at most about 15 s. */
const stripeOptions = { apiVersion: '2026-10-28.endive', maxNetworkRetries: 1, timeout: 6000, telemetry: false } as const

/** Response timeout of the store's endpoints that call the provider, possibly several times. */
export const providerResponseTimeoutMs = 30_000

/**
 * Connects to Stripe, or to another server with the same API.
 * @param apiUrl that server's origin, such as `https://cards.example`, with the browser library at `/sandbox.js`; Stripe when absent
 */
export function connectStripe({ apiUrl, ...keys }: ProviderKeys & { apiUrl?: string | undefined }): CardProvider {
  if (!apiUrl) return createStripeProvider(keys)
  const { origin, hostname, protocol: scheme, port } = new URL(apiUrl)
  const protocol = scheme === 'http:' ? 'http' : 'https'
  return connectSandbox({
    ...keys,
    origin,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'http' ? 80 : 443),
    protocol,
    libraryUrl: `${origin}/sandbox.js`,
  })
}

const createStripeProvider = (keys: ProviderKeys): CardProvider => ({
  stripe: new Stripe(keys.secretKey, stripeOptions),
  publishableKey: keys.publishableKey,
  webhookSecret: keys.webhookSecret,
  libraryUrl: null,
  cspOrigins: {
    script: 'https://js.stripe.com',
    frames: 'https://js.stripe.com https://hooks.stripe.com',
    calls: 'https://api.stripe.com',
  },
})

/** @param timeoutMs of a request, where it is not that of the shop */
export const connectSandbox = (
  { secretKey, publishableKey, webhookSecret, libraryUrl, origin, host, port, protocol }: SandboxSettings,
  { timeoutMs = stripeOptions.timeout }: { timeoutMs?: number } = {},
): CardProvider => ({
  stripe: new Stripe(secretKey, { ...stripeOptions, timeout: timeoutMs, host, port, protocol }),
  publishableKey,
  webhookSecret,
  libraryUrl,
  cspOrigins: { script: origin, frames: origin, calls: origin },
})

/** No connection, an error on the provider's side, or rate limiting. Any other error is a bug or a wrong setting of the store. */
const transientErrors = [Stripe.errors.StripeConnectionError, Stripe.errors.StripeAPIError, Stripe.errors.StripeRateLimitError]

/** A concurrent request, such as from another tab, uses the same idempotency key. */
const isKeyInUse = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use'

/** Whether `callProvider` threw this because the provider gave no usable response. */
export const isProviderUnavailable = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.cause instanceof Stripe.errors.StripeError

/** The requested object does not exist for these API keys; it may have been created with others. */
export const isResourceMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/**
 * Whether this is a server error that the provider has stored under the idempotency key: for a day it replays the same error for that key,
 * see https://docs.stripe.com/api/idempotent_requests
 */
export const isIdempotencyCachedError = (error: unknown): boolean =>
  isProviderUnavailable(error) &&
  error.cause instanceof Stripe.errors.StripeAPIError &&
  error.cause.headers?.['idempotent-replayed'] === 'true'

/**
 * Awaits a request to the card provider.
 * @throws {HttpError} 503 when there is no usable response: the outcome is unknown, so the same request may be sent again
 */
export async function callProvider<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    if (transientErrors.some((kind) => error instanceof kind) || isKeyInUse(error))
      throw new HttpError(
        503,
        'The card provider does not answer at the moment. You have not been charged twice: try again in a minute',
        undefined,
        { cause: error, retryAfterSeconds: 10, code: 'provider_unavailable' },
      )
    throw error
  }
}

/**
 * All items of one of the provider's lists, read a page at a time.
 * @throws {HttpError} 503 like `callProvider`
 */
export async function* readAllPages<Item>(list: Stripe.ApiListPromise<Item>): AsyncGenerator<Item, void> {
  const items = list[Symbol.asyncIterator]()
  for (let next = await callProvider(items.next()); !next.done; next = await callProvider(items.next())) yield next.value
}

/** After so many items in a row without a usable response the provider counts as away. One alone may be an object that it cannot answer for. */
const unavailableInARow = 3

/**
 * Runs `work` for each item in turn. An error does not stop the remaining items, unless the provider was unavailable for three in a row:
 * then their requests would fail, too.
 * @throws the error, or an AggregateError of several, after the last item
 */
export async function callProviderForEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  let unavailable = 0
  for (const item of items) {
    const error: unknown = await work(item).then(
      () => undefined,
      (error) => error ?? new Error('Rejected without an error'),
    )
    if (error) errors.push(error)
    unavailable = isProviderUnavailable(error) ? unavailable + 1 : 0
    if (unavailable === unavailableInARow) break
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}
