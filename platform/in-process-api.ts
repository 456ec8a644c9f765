import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'
import { widestClientNetwork } from './client-network.ts'
import { createErrorReporter, type ErrorReport } from './error-responses.ts'
import { type HttpApp, jsonSerializerFor } from './http.ts'
import { HttpError } from './http-error.ts'
import { requestScope } from './request-scope.ts'
import { responseTimeoutError } from './response-timeout.ts'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown
type QueryInput<C extends Endpoint> = {
  params: Output<C['schema']['params']>
  query: Output<C['schema']['querystring']>
  /** of the visitor for whom a page is rendered; undefined for pages that are the same for everybody */
  cookies?: string | undefined
  /** who asks: a client network, or `pages` for all pages that are rendered */
  client: string
}
type QueryResult<C extends Endpoint> = C['schema']['response'] extends { 200: infer Schema extends z.ZodType } ? z.input<Schema> : never
type Answer<C extends Endpoint> = (input: QueryInput<C>) => QueryResult<C> | Promise<QueryResult<C>>

type InProcessResponse = { output: unknown } | { error: ErrorReport }
type CallInput = { params?: Record<string, unknown>; querystring?: Record<string, unknown> }

/**
 * Answers public endpoints to the pages that are rendered in this process: validated like a request and filtered like a response, but
 * without HTTP and JSON in between. Nothing is limited per client network here, since the request of the page was already.
 * @param timeoutMs as the response timeout of a request: the answer is then 503 `response_timeout`
 */
export function createInProcessApi(log: FastifyBaseLogger, timeoutMs: number) {
  const report = createErrorReporter()
  const answers = new Map<
    string,
    { endpoint: Endpoint; answer: (input: { params: never; query: never; cookies?: string | undefined; client: string }) => unknown }
  >()
  const keyOf = ({ method, url }: Pick<Endpoint, 'method' | 'url'>) => `${method} ${url}`

  async function answerCall(key: string, { params = {}, querystring = {} }: CallInput, cookies?: string): Promise<unknown> {
    const found = answers.get(key)
    if (!found) throw new Error(`${key} is not answered in process`)
    const { params: paramsSchema, querystring: querySchema, response } = found.endpoint.schema
    const input = {
      params: parse(paramsSchema, params, 404) as never,
      query: parse(querySchema, asQuery(querystring), 400) as never,
      cookies,
      client: 'pages',
    }
    return withoutOtherFields(response, await found.answer(input))
  }

  return {
    answer<C extends Endpoint>(endpoint: C, answer: Answer<C>): void {
      if (endpoint.method !== 'GET' || 'security' in endpoint.schema) throw new Error(`${keyOf(endpoint)} is not public`)
      answers.set(keyOf(endpoint), { endpoint, answer })
    },
    /** @param cookies of the visitor, for a page that is rendered for them alone */
    async call(endpoint: Pick<Endpoint, 'method' | 'url'>, input: CallInput, cookies?: string): Promise<InProcessResponse> {
      const scope = { isAbandoned: false }
      const { promise: timeout, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        scope.isAbandoned = true
        reject(responseTimeoutError('GET'))
      }, timeoutMs)
      try {
        return { output: await Promise.race([requestScope.run(scope, answerCall, keyOf(endpoint), input, cookies), timeout]) }
      } catch (error) {
        return { error: report(error, log, `${keyOf(endpoint)} in process`) }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export type InProcessApi = ReturnType<typeof createInProcessApi>

/** Adds a public GET endpoint that pages ask, too, while they are rendered. */
export function registerPageQuery<C extends Endpoint>(app: HttpApp, inProcessApi: InProcessApi, endpoint: C, answer: Answer<C>): void {
  inProcessApi.answer(endpoint, answer)
  const route: Endpoint = endpoint
  app.route({
    ...route,
    handler: async ({ params, query, ip }) => answer({ params, query, client: widestClientNetwork(ip) } as QueryInput<C>) as never,
  })
}

/** What the contract does not name stays here. An answer that does not fit the contract is sent as far as it does, as over HTTP. */
function withoutOtherFields(response: Endpoint['schema']['response'], output: unknown): unknown {
  const schema = '200' in response ? response[200] : response[201]
  const parsed = schema.safeParse(output)
  return parsed.success ? parsed.data : JSON.parse(jsonSerializerFor(schema)(output))
}

/** As the query string of a URL is parsed: texts, and lists only of several. */
function asQuery(given: Record<string, unknown>): Record<string, string | string[]> {
  const entries = Object.entries(given).map(([name, value]): [string, string[]] => [
    name,
    [value].flat().flatMap((one) => (one === undefined ? [] : [`${one}`])),
  ])
  return Object.fromEntries(
    entries.flatMap(([name, [first, ...more]]) => (first === undefined ? [] : [[name, more.length ? [first, ...more] : first]])),
  )
}

function parse(schema: z.ZodType | undefined, given: unknown, status: 400 | 404): unknown {
  const parsed = (schema ?? z.unknown()).safeParse(given)
  if (parsed.success) return parsed.data
  const errors = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]).reverse()) // the first of each
  throw new HttpError(status, parsed.error.issues[0]?.message ?? 'Something in the request is wrong', status === 400 ? errors : undefined)
}
