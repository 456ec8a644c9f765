import { FaultInjection, type Occurrences } from './fault-injection.ts'
import { StripeApiError, type StripeErrorBody } from './wire.ts'

/** An API request, as matched against injected faults. */
export type SandboxRequest = { method: string; path: string; idempotencyKey: string | null }

/** `path`: a route such as `/v1/payment_intents/:id/confirm`, where `:id` matches any segment, or a path with a real id. */
export type RequestMatcher = Occurrences & { method?: 'GET' | 'POST'; path?: string }

/** Stripe's errors: 500, 429, 429 with the code lock_timeout, 409. */
export type StripeFault = 'api_error' | 'rate_limit' | 'lock_timeout' | 'conflict'

/**
 * A fault for an API request. `before`: before it is executed. `committed`: after it is executed and stored; only the response is affected.
 * - answer: responds with a Stripe error. With `kept` the error is stored under the idempotency key and repeated, as Stripe does for a 500
 *   during execution
 * - hang: no response until the fault is removed (then the request continues, even if the client has disconnected) or the sandbox is closed
 * - reset: resets the connection
 * - functions: awaited in that phase. Then the request continues, even if the client has disconnected. If the function resolves to 'cut',
 *   the connection is reset, and in phase `before` the request is not executed. If it throws, the response is a 500
 */
export type RequestFault =
  | { answer: StripeFault; at?: 'before' | 'kept' | 'committed' }
  | { hang: 'before' | 'committed' }
  | { reset: 'before' | 'committed' }
  | { before?: PhaseCallback; committed?: PhaseCallback; answered?: PhaseCallback }

type PhaseCallback = (call: SandboxRequest) => unknown | Promise<unknown>

export type RequestFaults = {
  /** Injects a fault into matching requests; without `trouble` they are only recorded. */
  inject(which: RequestMatcher, trouble?: RequestFault): FaultInjection<SandboxRequest>
  /** Removes all faults. */
  clear(): void
}

/** How a fault ends a request. */
export type Interruption = 'cut' | { error: StripeApiError; kept: boolean }

/** Applies the faults of one request in each phase. @returns undefined when the request continues */
export type RequestInterceptor = (moment: RequestPhase) => Promise<Interruption | undefined>
export type RequestPhase = 'before' | 'committed' | 'answered'

/** The fault injection for API requests. `accompany` is called by the HTTP server; `close` resets hanging requests. */
export function createRequestFaults(): RequestFaults & { accompany(call: SandboxRequest): RequestInterceptor; close(): void } {
  const injections = new Map<FaultInjection<SandboxRequest>, RequestFault>()
  const closed = Promise.withResolvers<'cut'>()

  async function applyFault(
    call: SandboxRequest,
    moment: RequestPhase,
    injection: FaultInjection<SandboxRequest>,
    trouble: RequestFault,
  ): Promise<Interruption | undefined> {
    if ('answer' in trouble) {
      const { answer, at = 'before' } = trouble
      const kept = at === 'kept'
      return moment === (kept ? 'before' : at) ? { error: faults[answer](), kept } : undefined
    }
    if ('reset' in trouble) return moment === trouble.reset ? 'cut' : undefined
    if ('hang' in trouble) {
      if (moment === trouble.hang) return Promise.race([closed.promise, injection.removed.then(() => undefined)])
      return undefined
    }
    const callback = trouble[moment]
    if (callback)
      return Promise.race([closed.promise, Promise.resolve(callback(call)).then((result) => (result === 'cut' ? result : undefined))])
    return undefined
  }

  function clear() {
    for (const injection of injections.keys()) injection.remove()
    injections.clear()
  }

  return {
    inject(which, trouble = {}) {
      const injection = new FaultInjection<SandboxRequest>((call) => matches(which, call), which)
      injections.set(injection, trouble)
      return injection
    },
    clear,
    accompany(call) {
      // Decided once, so that a fault injected during the request applies only to later ones.
      const active = [...injections].filter(([injection]) => injection.shouldAffect(call))
      return async (moment) => {
        for (const [injection, trouble] of active) {
          const interruption = await applyFault(call, moment, injection, trouble)
          if (interruption) return interruption
        }
        return undefined
      }
    },
    close() {
      closed.resolve('cut')
      clear()
    },
  }
}

function matches({ method, path }: RequestMatcher, call: SandboxRequest): boolean {
  if (method && method !== call.method) return false
  if (!path) return true
  const wanted = path.split('/')
  const given = call.path.split('/')
  return wanted.length === given.length && wanted.every((part, place) => part.startsWith(':') || part === given[place])
}

const faults: { [Name in StripeFault]: () => StripeApiError } = {
  api_error: () => fault(500, { type: 'api_error', message: 'An unknown error occurred. The outcome of this request is unknown.' }),
  rate_limit: () =>
    fault(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded. Try again in a moment.' }),
  lock_timeout: () =>
    fault(429, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. ' +
        'If you see this error intermittently, retry the request.',
    }),
  conflict: () =>
    fault(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in progress request using this Idempotent Key. Please try again later.',
    }),
}

function fault(status: number, error: StripeErrorBody): StripeApiError {
  return new StripeApiError(status, error)
}
