import { createContext } from 'react-router'
import type { z } from 'zod'
import type { Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import type { ShopConfig } from './shop-config.ts'

/** Method and URL of an endpoint. Enough in the browser, where the schemas of a contract are larger than most pages. */
export type EndpointRoute<C extends Endpoint> = Pick<C, 'method' | 'url'>
type EndpointInputPart<C extends Endpoint, K extends keyof C['schema']> = C['schema'][K] extends z.ZodType ? z.input<C['schema'][K]> : never
export type EndpointInput<C extends Endpoint> = { [K in keyof C['schema'] & ('params' | 'querystring' | 'body')]: EndpointInputPart<C, K> }
export type EndpointOutput<C extends Endpoint> = C['schema']['response'] extends { 201: infer A extends z.ZodType }
  ? z.output<A>
  : C['schema']['response'] extends { 200: infer A extends z.ZodType }
    ? z.output<A>
    : never

/** Calls an endpoint and returns its 2xx response: `callApi` over the network, in the browser; in process, while a page is rendered. */
export type ApiCaller = <C extends Endpoint>(endpoint: C | EndpointRoute<C>, input: EndpointInput<C>) => Promise<EndpointOutput<C>>

/** For loaders on the server, set by `web/render.ts`. */
export const apiCallerContext = createContext<ApiCaller>()

/** Answers public endpoints in the server's process, with the cookies of the visitor where the page is for them alone: `createInProcessApi` of the platform. */
export type InProcessCall = (
  endpoint: Pick<Endpoint, 'method' | 'url'>,
  input: object,
  cookies?: string,
) => Promise<{ output: unknown } | { error: { status: number; body: ErrorResponse; retryAfterSeconds: number | undefined } }>

/** Renders a page or its loader data on the server, see `web/render.ts`. */
export type RequestRenderer = (request: Request, from: { callInProcess: InProcessCall; shopConfig: ShopConfig }) => Promise<Response>
