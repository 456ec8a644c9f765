import { createContext } from 'react-router'
import type { ShopConfig } from './shop-config.ts'

/** Sends an API request: over the network in the browser, in-process during server rendering. */
export type ApiFetch = (path: string, request: RequestInit) => Promise<Response>

/** `ApiFetch` for loaders on the server, set by `web/render.ts`: `callApi(endpoint, input, context.get(apiFetchContext))`. */
export const apiFetchContext = createContext<ApiFetch>()

/** Renders a page or its loader data on the server, see `web/render.ts`. */
export type RequestRenderer = (request: Request, from: { apiFetch: ApiFetch; shopConfig: ShopConfig }) => Promise<Response>
