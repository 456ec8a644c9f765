import type { Endpoint } from '#shared/endpoint.ts'
import { cookieFetch } from '#store/identity/screens/cookie-fetch.ts'
import type { EndpointInput, EndpointOutput } from '#web/api-caller.ts'
import { callApi } from '#web/call-api.ts'

/** Calls about the basket find it by the browser's cookie, which outlives the session of the account. */
export const callCart = <C extends Endpoint>(endpoint: C, input: EndpointInput<C>): Promise<EndpointOutput<C>> =>
  callApi(endpoint, input, cookieFetch)
