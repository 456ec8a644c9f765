import { useEffect, useRef, useState } from 'react'
import type { CheckoutEstimate, estimateCheckout } from '#store/checkout/contract.ts'
import { cookieFetch } from '#store/identity/screens/cookie-fetch.ts'
import type { EndpointInput } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { callApi } from '#web/call-api.ts'
import { estimateCall } from './order-calls.ts'

export type EstimateQuestion = EndpointInput<typeof estimateCheckout>['querystring']

type EstimateState = {
  /** the last one that came, which may be of an older question while another one is on its way */
  estimate: CheckoutEstimate | undefined
  isStale: boolean
  /** why the last question was refused */
  refusal: ApiError | undefined
}

const pauseMilliseconds = 400

/** Found by the cookie of the browser, like the page itself. */
const askEstimate = (question: EstimateQuestion): Promise<CheckoutEstimate> => callApi(estimateCall, { querystring: question }, cookieFetch)

/**
 * What the basket costs at a destination, asked anew after each change once typing pauses.
 * @param question undefined while there is no country
 * @param version asks anew when it changes, for a basket that has changed
 */
export function useEstimate(question: EstimateQuestion | undefined, version: unknown) {
  const text = question && JSON.stringify([question, version])
  const [answered, setAnswered] = useState<{ text: string; estimate?: CheckoutEstimate | undefined; refusal?: ApiError | undefined }>()
  const latest = useRef(text)
  latest.current = text

  async function ask(asked: EstimateQuestion, askedText: string): Promise<CheckoutEstimate> {
    try {
      const estimate = await askEstimate(asked)
      if (latest.current === askedText) setAnswered({ text: askedText, estimate })
      return estimate
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal
      if (latest.current === askedText) setAnswered((before) => ({ ...before, text: askedText, refusal }))
      throw refusal
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says all that is asked
  useEffect(() => {
    if (!question || text === undefined || answered?.text === text) return
    const timer = setTimeout(() => ask(question, text).catch(() => {}), answered ? pauseMilliseconds : 0)
    return () => clearTimeout(timer)
  }, [text])

  const state: EstimateState = {
    estimate: question && answered?.estimate,
    isStale: question !== undefined && answered?.text !== text,
    refusal: answered?.text === text ? answered?.refusal : undefined,
  }
  return {
    ...state,
    /** The estimate of what is typed now. @throws {ApiError} */
    settle: async (): Promise<CheckoutEstimate | undefined> => {
      if (!question || text === undefined) return undefined
      return answered?.text === text && answered.estimate && !answered.refusal ? answered.estimate : ask(question, text)
    },
  }
}
