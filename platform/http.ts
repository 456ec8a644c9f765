import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import fastJson from 'fast-json-stringify'
import Fastify, { type FastifyBodyParser, type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { trustOneProxy } from './client-network.ts'
import { type ConnectionLimits, defaultConnectionLimits, limitConnections } from './connections.ts'
import { createLoggerOptions } from './error-log.ts'
import { createErrorHandler, errorBody, rejectMalformedRequest, sendError } from './error-responses.ts'
import { createEventLoopThrottle } from './event-loop-throttle.ts'
import { HttpError } from './http-error.ts'
import { requestScope } from './request-scope.ts'
import { startResponseTimeout } from './response-timeout.ts'

export const defaultResponseTimeoutMs = 4000

/**
 * Creates the HTTP server. Every response that is not 2xx has the body `{ message, errors?, code }`, with a message meant for the user.
 * @param trustProxy take the client's address from the last entry of X-Forwarded-For, which is set by the reverse proxy
 * @param headers sent with every response
 * @param responseTimeoutMs response timeout in milliseconds. A route that calls an external service overrides it in its `config`.
 *   The handler keeps running after a timeout, so its changes may still be made.
 * @param logStream receives the log lines instead of standard output
 * @param connectionLimits where a test is about them
 * @param serverFactory creates the listening server, for development, where Vite's listener must come first
 */
export function createHttpApp(settings: HttpAppOptions = {}) {
  const {
    logLevel = 'silent',
    trustProxy = false,
    headers = {},
    responseTimeoutMs = defaultResponseTimeoutMs,
    connectionLimits,
    logStream,
    serverFactory,
  } = settings
  const options: FastifyServerOptions = {
    logger: createLoggerOptions(logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy && trustOneProxy,
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    maxRequestsPerSocket: 10_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 400 },
    frameworkErrors: (_error, _request, reply) => rejectMalformedAddress(reply),
    clientErrorHandler: rejectMalformedRequest,
    ...(serverFactory && { serverFactory }),
  }
  const app = Fastify(options).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  // Compiled once per schema: serializes only the fields of the contract, in half the time of validating every response.
  app.setSerializerCompiler(({ schema }) => jsonSerializerFor(schema))
  const scopes = new WeakMap<FastifyRequest, { isAbandoned: boolean }>()
  openResponses.set(app.server, new Set())
  app.server.prependListener('request', (_request, response) => trackResponse(app.server, response))
  app.addHook('onReady', (done) => {
    limitConnections(app.server, { ...defaultConnectionLimits(trustProxy), ...connectionLimits }, trustProxy, (request) => {
      if (closingServers.has(app.server)) arrivedWhileClosing.add(request)
    })
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (arrivedWhileClosing.has(request.raw)) return done(serverClosingError(reply))
    if (request.url.includes('%00')) return done(nulCharacterError())
    if (hasTooManyParameters(request.url)) return done(new HttpError(400, `An address has at most ${maxParameters} parameters`))
    const scope = startResponseTimeout(request, reply, request.routeOptions.config.responseTimeoutMs ?? responseTimeoutMs)
    scopes.set(request, scope)
    requestScope.run(scope, done)
  })
  // The async context is lost while the body is read.
  app.addHook('preHandler', (request, _reply, done) => requestScope.run(scopes.get(request) ?? { isAbandoned: false }, done))
  app.addContentTypeParser('application/json', { parseAs: 'string' }, storableJsonParser(app.getDefaultJsonParser('error', 'error')))
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1 // do not wait for open connections after their response
    setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs).unref()
    done()
  })
  app.setErrorHandler(createErrorHandler())
  app.setNotFoundHandler((request, reply) => sendError(reply, 404, `There is nothing at ${request.method} ${request.url.split('?')[0]}`))
  return app
}

function rejectMalformedAddress({ raw }: FastifyReply): void {
  raw.writeHead(400, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(errorBody(400, 'This is not an address')))
}

/** Refuses what PostgreSQL cannot store as text. */
const storableJsonParser =
  (parse: FastifyBodyParser<string>): FastifyBodyParser<string> =>
  (request, body, done) =>
    escapedNulPattern.test(body)
      ? done(nulCharacterError())
      : escapedLoneSurrogatePattern.test(body)
        ? done(new HttpError(400, 'The request has half a character, which no text has'))
        : parse(request, body, done)

/** More than any page or call has: each is parsed and checked by its schema before any limit counts. */
const maxParameters = 1500

function hasTooManyParameters(url: string): boolean {
  let count = 1
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1)) if (++count > maxParameters) return true
  return false
}

/** How long open requests may take to finish on shutdown. */
const shutdownTimeoutMs = 10_000

/** Unfinished responses per server. */
const openResponses = new WeakMap<Server, Set<ServerResponse>>()
/** Servers that accept no new requests. */
const closingServers = new WeakSet<Server>()
/** Requests that came after the server had begun to close. Those before are still served, also those that wait in a queue. */
const arrivedWhileClosing = new WeakSet<IncomingMessage>()

function trackResponse(server: Server, response: ServerResponse): void {
  const responses = openResponses.get(server)
  responses?.add(response)
  response.once('close', () => responses?.delete(response))
}

/** Rejects new requests, waits for open ones, and closes. */
export async function closeHttpApp(app: HttpApp): Promise<void> {
  closingServers.add(app.server)
  app.server.close(() => {})
  for (const end = Date.now() + shutdownTimeoutMs; openResponses.get(app.server)?.size && Date.now() < end; )
    await new Promise((wait) => setTimeout(wait, 20))
  app.server.closeAllConnections()
  await app.close()
}

/** Requests wait in the order in which they came: each is short, and one that is not takes turns by network later on. */
const everybody = ''

/** Queue limit. Requests beyond it start at once. A connection has one request in it: see `limitConnections`. */
const maxQueuedRequests = 1000

/**
 * Handles requests before Fastify's routes and hooks: those for which `isHandled` returns true never reach them.
 * Not used for requests that arrive while the server closes.
 * GET and HEAD requests are throttled to a few per turn of the event loop, so that a request that changes something, such as placing an
 * order, does not wait for all of them at each of its asynchronous steps.
 */
export function interceptRequests({ server }: HttpApp, isHandled: (request: IncomingMessage, response: ServerResponse) => boolean): void {
  const originalListeners = server.listeners('request')
  const throttle = createEventLoopThrottle({ budgetMsPerTurn: 4, maxQueued: maxQueuedRequests, queueTimeoutMs: Number.POSITIVE_INFINITY })
  let waiting = 0
  const start = (request: IncomingMessage, response: ServerResponse) => {
    if (response.closed) return // the client has disconnected: no `close` event would follow
    if (arrivedWhileClosing.has(request) || !isHandled(request, response))
      for (const listener of originalListeners) listener.call(server, request, response)
    else if (response.socket?.writableLength) trackResponse(server, response) // unsent bytes remain for a slow client
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { method } = request
    const mayWait = (method === 'GET' || method === 'HEAD') && waiting < maxQueuedRequests && !closingServers.has(server)
    if (!mayWait) return start(request, response)
    let [hasStarted, isQueued] = [false, false]
    throttle.run(() => {
      if (isQueued) waiting--
      hasStarted = true
      start(request, response)
    }, everybody)
    if (hasStarted) return
    isQueued = true
    waiting++
    trackResponse(server, response)
  })
}

function serverClosingError(reply: FastifyReply): HttpError {
  reply.header('connection', 'close')
  return new HttpError(503, 'The store is being closed: try again in a few seconds', undefined, { retryAfterSeconds: 3 })
}

/** NUL in a JSON string, which PostgreSQL's text type cannot store. */
const escapedNulPattern = /(?<!\\)(?:\\\\)*\\u0000/
/** Half of a character of two UTF-16 units in a JSON string: PostgreSQL's jsonb refuses it, and its text would store another character. */
const escapedLoneSurrogatePattern =
  /(?<!\\)(?:\\\\)*\\u(?:d[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2}\\u)d[c-f][\da-f]{2})/i
const nulCharacterError = () => new HttpError(400, 'The request has a character that no text has (NUL)')

const jsonSerializers = new WeakMap<z.ZodType, ReturnType<typeof fastJson>>()

/**
 * The serializer of a response schema, compiled on first use and shared by all routes and servers of the process.
 * @param given a zod schema; typed `unknown` because Fastify's types only know JSON Schema
 */
export function jsonSerializerFor(given: unknown): ReturnType<typeof fastJson> {
  const schema = z.instanceof(z.ZodType).parse(given)
  const compiled = jsonSerializers.get(schema) ?? fastJson(toJsonSchema(schema))
  jsonSerializers.set(schema, compiled)
  return compiled
}

function toJsonSchema(schema: z.ZodType) {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7' })
  return plain as Parameters<typeof fastJson>[0]
}

export type HttpApp = ReturnType<typeof createHttpApp>
export type HttpAppOptions = {
  logLevel?: string
  trustProxy?: boolean
  headers?: Record<string, string>
  responseTimeoutMs?: number
  connectionLimits?: Partial<ConnectionLimits>
  logStream?: { write(line: string): void }
  serverFactory?: FastifyServerOptions['serverFactory']
}
