import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, data, RouterContextProvider } from 'react-router'
import { setStoreCurrency } from '#shared/currency.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { type ApiCaller, apiCallerContext, type InProcessCall, type RequestRenderer } from './api-caller.ts'
import { ApiError } from './api-error.ts'
import { shopConfigContext } from './shop-config.ts'

const requestHandler = createRequestHandler(build, import.meta.env.MODE)

/**
 * Passes an `ApiCaller` and `ShopConfig` to the loaders through React Router's context. Server rendering never knows the
 * signed-in user; only pages that are rendered for one visitor have their cookies. */
export const render: RequestRenderer = async (request, { callInProcess, shopConfig }) => {
  // The bundle that renders has a `shared/currency.ts` and a `shared/time-zone.ts` of its own.
  setStoreCurrency(shopConfig.currency)
  setStoreTimeZone(shopConfig.timeZone)
  const context = new RouterContextProvider()
  let retryAfterSeconds: number | undefined
  context.set(
    apiCallerContext,
    createApiCaller(callInProcess, request.headers.get('cookie') ?? undefined, (seconds) => {
      retryAfterSeconds = seconds
    }),
  )
  context.set(shopConfigContext, shopConfig)
  const page = await requestHandler(request, context)
  if (page.status === 503 && retryAfterSeconds) page.headers.set('retry-after', `${retryAfterSeconds}`)
  return page
}

/**
 * If a call fails with status 500 or above, the page gets that status and displays its message.
 * @param onFailure told when to try again, where the failure says so
 */
function createApiCaller(
  callInProcess: InProcessCall,
  cookies: string | undefined,
  onFailure: (retryAfterSeconds: number | undefined) => void,
): ApiCaller {
  return async (endpoint, input) => {
    const response = await callInProcess(endpoint, input, cookies)
    if ('output' in response) return response.output as never // filtered by the contract
    const { status, body, retryAfterSeconds } = response.error
    if (status < 500) throw new ApiError(status, body)
    onFailure(retryAfterSeconds)
    throw data(body, status)
  }
}
