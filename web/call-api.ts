import type { Endpoint } from '#shared/endpoint.ts'
import { accessTokenStorage } from './access-token.ts'
import type { EndpointInput, EndpointOutput, EndpointRoute } from './api-caller.ts'
import { ApiError, serverUnreachableMessage } from './api-error.ts'
import { forgetPrefetchedData } from './prefetched-data.ts'

type RequestOptions = {
  /** sent as the `Idempotency-Key` header: a request with the same key is executed once */
  idempotencyKey?: string
  /** sent unchanged as the request body, for endpoints that take a file */
  file?: Blob
}
export type ApiFetch = (path: string, request: RequestInit) => Promise<Response>

const networkFetch: ApiFetch = (path, request) =>
  fetch(path, { ...request, headers: { ...accessTokenStorage.authorizationHeader(), ...request.headers } }).catch(throwNetworkError)

/** For `fetch(...).catch(throwNetworkError)`: a request without a response fails with an `ApiError`, too. */
export function throwNetworkError(): never {
  throw new ApiError(0, { message: serverUnreachableMessage })
}

/**
 * The only way a page calls the API in the browser, with the access token unless `apiFetch` sends it in another way.
 * @returns the 2xx response of the endpoint's contract
 * @throws {ApiError} on every other response, and when the server cannot be reached
 */
export async function callApi<C extends Endpoint>(
  endpoint: C | EndpointRoute<C>,
  input: EndpointInput<C> & RequestOptions,
  apiFetch: ApiFetch = networkFetch,
): Promise<EndpointOutput<C>> {
  const { params = {}, querystring = {}, body, idempotencyKey, file } = input as UntypedInput
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const entries = Object.entries(querystring).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, `${one}`]])),
  )
  const query = new URLSearchParams(entries).toString()

  const response = await apiFetch(`/api${path}${query && `?${query}`}`, {
    method: endpoint.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': 'application/octet-stream' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: file }),
  }).finally(endpoint.method === 'GET' ? undefined : forgetPrefetchedData)
  if (response.ok) return response.json()
  const error = await response.json().catch(() => ({ message: 'Something went wrong on our side. Try again.' }))
  throw new ApiError(response.status, error, response.headers.get('retry-after'))
}

/** For loaders, `callApi(...).catch(rethrowAsNotFound)`: a 404 response renders the not-found page instead of the error page. */
export function rethrowAsNotFound(error: unknown): never {
  throw error instanceof ApiError && error.status === 404 ? new Response(null, { status: 404 }) : error
}

type QueryValue = string | number | undefined
type UntypedInput = {
  params?: Record<string, string>
  querystring?: Record<string, QueryValue | QueryValue[]>
  body?: unknown
  idempotencyKey?: string
  file?: Blob
}
