import { Disturbance, type Which } from './disturbance.ts'
import { WireError, type WireErrorBody } from './wire.ts'

/** A call to the sandbox, as a disturbance sees it. */
export type Call = { method: string; path: string; idempotencyKey: string | null }

/** `path` as the doors name it: `/v1/payment_intents/:id/confirm`, where `:id` is any one part, or a real id in its place. */
export type WhichCalls = Which & { method?: 'GET' | 'POST'; path?: string }

/** Stripe's ways of not answering: 500, 429, 429 with the code lock_timeout, 409. */
export type Fault = 'api_error' | 'rate_limit' | 'lock_timeout' | 'conflict'

/**
 * What befalls a call. `before`: nothing of it is worked. `committed`: it is done and kept, only its answer is disturbed.
 * - answer: an error of Stripe's. `kept` answers it under the idempotency key again, as Stripe does with a 500 that came while the call was worked
 * - hang: no answer until the disturbance is lifted (then the call goes on, though its asker may have gone) or the sandbox is closed
 * - reset: the connection is cut
 * - functions: awaited at that moment. Then the call goes on, whether or not somebody still waits for it; where they resolve to 'cut' the
 *   connection is cut, and before it is worked nothing is. A function that throws makes it a 500
 */
export type CallTrouble =
  | { answer: Fault; at?: 'before' | 'kept' | 'committed' }
  | { hang: 'before' | 'committed' }
  | { reset: 'before' | 'committed' }
  | { before?: Step; committed?: Step; answered?: Step }

type Step = (call: Call) => unknown | Promise<unknown>

export type CallControls = {
  /** Disturbs calls that match; without `trouble` it only notes them. */
  disturb(which: WhichCalls, trouble?: CallTrouble): Disturbance<Call>
  /** Lifts all disturbances. */
  clear(): void
}

/** What has become of a call at one moment of it: undefined when it goes on. */
export type Stop = 'cut' | { error: WireError; kept: boolean }

/** Accompanies one call from moment to moment. */
export type Company = (moment: Moment) => Promise<Stop | undefined>
export type Moment = 'before' | 'committed' | 'answered'

/** The disturbances of calls. `accompany` is for the doors; `close` cuts what hangs. */
export function openCallControls(): CallControls & { accompany(call: Call): Company; close(): void } {
  const disturbances = new Map<Disturbance<Call>, CallTrouble>()
  const closed = Promise.withResolvers<'cut'>()

  async function suffer(call: Call, moment: Moment, disturbance: Disturbance<Call>, trouble: CallTrouble): Promise<Stop | undefined> {
    if ('answer' in trouble) {
      const { answer, at = 'before' } = trouble
      const kept = at === 'kept'
      return moment === (kept ? 'before' : at) ? { error: faults[answer](), kept } : undefined
    }
    if ('reset' in trouble) return moment === trouble.reset ? 'cut' : undefined
    if ('hang' in trouble) {
      if (moment === trouble.hang) return Promise.race([closed.promise, disturbance.lifted.then(() => undefined)])
      return undefined
    }
    const step = trouble[moment]
    if (step) return Promise.race([closed.promise, Promise.resolve(step(call)).then((said) => (said === 'cut' ? said : undefined))])
    return undefined
  }

  function clear() {
    for (const disturbance of disturbances.keys()) disturbance.lift()
    disturbances.clear()
  }

  return {
    disturb(which, trouble = {}) {
      const disturbance = new Disturbance<Call>((call) => matches(which, call), which)
      disturbances.set(disturbance, trouble)
      return disturbance
    },
    clear,
    accompany(call) {
      // Decided once, so that a disturbance set while the call is worked waits for the next one.
      const met = [...disturbances].filter(([disturbance]) => disturbance.meets(call))
      return async (moment) => {
        for (const [disturbance, trouble] of met) {
          const stop = await suffer(call, moment, disturbance, trouble)
          if (stop) return stop
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

function matches({ method, path }: WhichCalls, call: Call): boolean {
  if (method && method !== call.method) return false
  if (!path) return true
  const wanted = path.split('/')
  const given = call.path.split('/')
  return wanted.length === given.length && wanted.every((part, place) => part.startsWith(':') || part === given[place])
}

const faults: { [Name in Fault]: () => WireError } = {
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

function fault(status: number, error: WireErrorBody): WireError {
  return new WireError(status, error)
}
