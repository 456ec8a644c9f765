import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, data, RouterContextProvider } from 'react-router'
import type { ErrorResponse } from '#shared/endpoint.ts'
import { apiFetchContext, type RequestRenderer } from './api-fetch.ts'
import { shopConfigContext } from './shop-config.ts'

const requestHandler = createRequestHandler(build, import.meta.env.MODE)

/**
 * Passes `ApiFetch` and `ShopConfig` to the loaders through React Router's context. Server rendering never knows the signed-in user.
 * If an API request fails with status 500 or above, the page gets that status and displays its message.
 */
export const render: RequestRenderer = async (request, from) => {
  const context = new RouterContextProvider()
  let retryAfter: string | null = null
  context.set(apiFetchContext, async (path, apiRequest) => {
    const response = await from.apiFetch(path, apiRequest)
    if (response.status < 500) return response
    retryAfter = response.headers.get('retry-after')
    const error: ErrorResponse = await response.json()
    throw data(error, response.status)
  })
  context.set(shopConfigContext, from.shopConfig)
  const page = await requestHandler(request, context)
  if (page.status === 503 && retryAfter) page.headers.set('retry-after', retryAfter)
  return page
}
