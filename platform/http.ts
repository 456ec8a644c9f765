import { IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastJson from 'fast-json-stringify'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { databaseTrouble } from './database-trouble.ts'
import { Refusal } from './refusal.ts'
import { openTurns } from './turns.ts'
import { visits } from './visit.ts'

/**
 * The HTTP server with the one shape of every answer that is not 2xx: `{ message, errors? }`, in words meant for the reader.
 * @param trustProxy take the client's address from the last entry of X-Forwarded-For, which the proxy before the store has set
 * @param headers sent with every answer
 * @param answerMs how long an answer may take, from the first byte of a request on. A call that asks somebody outside says
 *   its own in the `config` of its route. Work goes on after the refusal, so what it changes may be done all the same.
 * @param logTo where log lines go instead of standard output
 * @param serverFactory makes the server that listens, where another listener must come first, as in development
 */
export function openHttp(settings: HttpSettings = {}) {
  const { logLevel = 'silent', trustProxy = false, headers = {}, answerMs = 4000, logTo, serverFactory } = settings
  const isKnownLate = noteLateAnswers()
  const options: FastifyServerOptions = {
    logger: {
      level: logLevel,
      serializers: { err: withoutParameters },
      hooks: {
        logMethod(line, write) {
          if (!isKnownLate(line[0])) write.apply(this, line)
        },
      },
      ...(logTo && { stream: logTo }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    // one hop: what stands left of it, clients may have written themselves
    trustProxy: trustProxy && ((_address: string, hop: number) => hop < 1),
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 400 },
    frameworkErrors: (_error, _request, reply) => {
      reply.raw
        .writeHead(400, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ message: 'This is not an address' }))
    },
    clientErrorHandler: refuseConnection,
    ...(serverFactory && { serverFactory }),
  }
  const app = Fastify(options).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  // Compiled once from the contract: writes what it names and nothing else, in half the time of checking every answer again.
  app.setSerializerCompiler(({ schema }) => writerOf(schema))
  const underWayAs = new WeakMap<FastifyRequest, { over: boolean }>()
  underWay.set(app.server, new Set())
  app.server.prependListener('request', (_request, answer) => noteUnderWay(app.server, answer))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    // What a page asks inside the store, for a visitor who came in time, is still answered.
    if (leaving.has(app.server) && request.raw instanceof IncomingMessage && !cameInTime.has(request.raw))
      return done(refuseLatecomer(reply))
    if (request.url.includes('%00')) return done(notText())
    const visit = endInTime(request, reply, request.routeOptions.config.answerMs ?? answerMs)
    underWayAs.set(request, visit)
    visits.run(visit, done)
  })
  // Reading the body has led away from it.
  app.addHook('preHandler', (request, _reply, done) => visits.run(underWayAs.get(request) ?? { over: false }, done))
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    writtenNul.test(body) ? done(notText()) : parse(request, body, done),
  )
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1 // whoever is still being answered is not waited for afterwards
    setTimeout(() => app.server.closeAllConnections(), closingMs).unref()
    done()
  })
  const warn = warnOncePerSecond()
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : databaseTrouble(error)
    if (refusal) {
      if (refusal.status >= 500) warn(refusal, request)
      if (refusal.retryAfterSeconds) reply.header('retry-after', refusal.retryAfterSeconds)
      return reply.code(refusal.status).send({ message: refusal.message, errors: refusal.errors, code: refusal.code })
    }
    if (error.validation) return refuseInput(error, reply)
    if (error.statusCode && error.statusCode < 500)
      return reply.code(error.statusCode).send({ message: words[error.code] ?? error.message })
    request.log.error({ err: error }, `${request.method} ${request.routeOptions.url} failed`)
    return reply.code(500).send({ message: 'Something went wrong on our side' })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ message: `There is nothing at ${request.method} ${request.url.split('?')[0]}` }),
  )
  return app
}

/** An error for the log: without the values of a failed query, which are access tokens, names and addresses. Whatever was thrown comes here, which need not have a message. */
function withoutParameters(error: FastifyError) {
  const { name, code, message, stack = '', cause } = error
  const cut = (text = '') => text.replace(/\nparams:[^\n]*/g, '')
  return { type: name, code, message: cut(message), stack: cut(stack), ...(cause instanceof Error && { cause: cut(cause.message) }) }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** how long an answer of this route may take, where it has to ask somebody outside, such as the card provider */
    answerMs?: number
  }
}

/**
 * Refuses a request that is not answered in time. An answer that has begun, such as a file for a slow line, goes on.
 * Fastify's own `handlerTimeout` stops its clock once the body has been read (Node then says that the request is closed), and cuts slow files.
 */
function endInTime(request: FastifyRequest, reply: FastifyReply, withinMs: number): { over: boolean } {
  const visit = { over: false }
  const clock = setTimeout(() => {
    if (reply.sent || reply.raw.headersSent) return
    visit.over = true
    const { readableFlowing, readableEnded } = request.raw
    if (readableFlowing && !readableEnded) letGo(reply)
    else reply.send(outOfTime(request))
  }, withinMs)
  reply.raw.once('finish', () => clearTimeout(clock))
  reply.raw.once('close', () => {
    clearTimeout(clock)
    if (!reply.raw.writableFinished) visit.over = true // what is done after an answer, such as a mail, is still wanted
  })
  return visit
}

function outOfTime({ method }: FastifyRequest): Refusal {
  const looking = method === 'GET' || method === 'HEAD'
  const words = looking
    ? 'The store takes too long to answer at the moment: try again in a few seconds'
    : 'The store took too long to answer. It may have done what you asked all the same: look before you ask again'
  return new Refusal(503, words, undefined, { retryAfterSeconds: 3 })
}

/** Whose request has not even arrived by then is not waited for, and the connection ends with the answer. */
const letGo = (reply: FastifyReply) => reply.code(408).header('connection', 'close').send({ message: tooSlow })
const tooSlow = 'The request came too slowly'

/** While the database is away everybody is refused for the same reason: one line in a second says it. */
function warnOncePerSecond() {
  const silentUntil = new Map<string, number>()
  return (error: Refusal, request: FastifyRequest) => {
    if (Date.now() < (silentUntil.get(error.message) ?? 0)) return
    silentUntil.set(error.message, Date.now() + 1000)
    request.log.warn({ err: error.cause instanceof Error ? error.cause : error }, error.message)
  }
}

/** Work goes on after a refusal for lack of time, and Fastify warns of each answer that comes of it: one line in a second says it. */
function noteLateAnswers() {
  let silentUntil = 0
  /** @returns whether what is to be logged is such a warning and need not be said again */
  return (said: unknown): boolean => {
    const error = said instanceof Object && 'err' in said ? said.err : undefined
    if (!(error instanceof Error && 'code' in error && error.code === 'FST_ERR_REP_ALREADY_SENT')) return false
    if (Date.now() < silentUntil) return true
    silentUntil = Date.now() + 1000
    return false
  }
}

/** How long requests under way may take to finish when the store closes. */
const closingMs = 10_000

/** The answers that each server is still working on, and the servers that take no new requests. */
const underWay = new WeakMap<Server, Set<ServerResponse>>()
const leaving = new WeakSet<Server>()
/** Requests that waited for their turn when they came, which are answered though the server has begun to leave meanwhile. */
const cameInTime = new WeakSet<IncomingMessage>()

function noteUnderWay(server: Server, answer: ServerResponse): void {
  const answers = underWay.get(server)
  answers?.add(answer)
  answer.once('close', () => answers?.delete(answer))
}

/** Takes no new requests, finishes those under way, whatever they still ask inside the store, and closes. */
export async function closeHttp(app: Http): Promise<void> {
  leaving.add(app.server)
  app.server.close(() => {})
  for (const end = Date.now() + closingMs; underWay.get(app.server)?.size && Date.now() < end; )
    await new Promise((wait) => setTimeout(wait, 20))
  app.server.closeAllConnections()
  await app.close()
}

/** So many requests wait for their turn, one of each connection; more begin at once, so that nobody makes the store keep what they send ahead. */
const mostWaiting = 1000

/**
 * Lets somebody answer before routes and hooks are asked: what `isAnswered` has answered, they never see. A store that closes answers none so.
 * However many only look at the same time, a turn of the event loop begins a few of them, so that whoever changes something, such as
 * an order, is not behind all of them at each of its steps.
 */
export function answerFirst({ server }: Http, isAnswered: (request: IncomingMessage, answer: ServerResponse) => boolean): void {
  const others = server.listeners('request')
  const turns = openTurns({ turnMs: 4, queue: mostWaiting, waitMs: Number.POSITIVE_INFINITY })
  const waiting = new Set<Socket>()
  const begin = (request: IncomingMessage, answer: ServerResponse) => {
    if (answer.closed) return // who asked has left: what waits for the end of the answer would wait for ever
    const isLate = leaving.has(server) && !cameInTime.has(request)
    if (isLate || !isAnswered(request, answer)) for (const listener of others) listener.call(server, request, answer)
    else if (answer.socket?.writableLength) noteUnderWay(server, answer) // a slow visitor takes it in his own time
  }
  server.removeAllListeners('request')
  server.on('request', (request, answer) => {
    const { method, socket } = request
    const mayWait = (method === 'GET' || method === 'HEAD') && waiting.size < mostWaiting && !waiting.has(socket) && !leaving.has(server)
    if (!mayWait) return begin(request, answer)
    let hasBegun = false
    turns.run(() => {
      hasBegun = true
      waiting.delete(socket)
      begin(request, answer)
    })
    if (hasBegun) return
    waiting.add(socket)
    cameInTime.add(request)
    noteUnderWay(server, answer)
  })
}

function refuseLatecomer(reply: FastifyReply): Refusal {
  reply.header('connection', 'close')
  return new Refusal(503, 'The store is being closed: try again in a few seconds', undefined, { retryAfterSeconds: 3 })
}

/** The character that PostgreSQL's text cannot hold, as JSON writes it. */
const writtenNul = /(?<!\\)(?:\\\\)*\\u0000/
const notText = () => new Refusal(400, 'The request has a character that no text has (NUL)')

const writers = new WeakMap<z.ZodType, ReturnType<typeof fastJson>>()

/**
 * What writes the answers of this schema, compiled when it is first asked for: many routes answer alike, and so do all the servers of a process.
 * @param given what stands in the call: a zod schema, though Fastify's own types know only JSON Schema
 */
export function writerOf(given: unknown): ReturnType<typeof fastJson> {
  const schema = z.instanceof(z.ZodType).parse(given)
  const compiled = writers.get(schema) ?? fastJson(asJsonSchema(schema))
  writers.set(schema, compiled)
  return compiled
}

function asJsonSchema(schema: z.ZodType) {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7' })
  return plain as Parameters<typeof fastJson>[0]
}

export type Http = ReturnType<typeof openHttp>
export type HttpSettings = {
  logLevel?: string
  trustProxy?: boolean
  headers?: Record<string, string>
  answerMs?: number
  logTo?: { write(line: string): void }
  serverFactory?: FastifyServerOptions['serverFactory']
}

/** The sentences for what Fastify itself refuses before a call sees it. */
const words: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty, JSON was expected',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
}

/** What never became a request is refused in the same shape, and its connection ends. */
function refuseConnection({ code }: { code: string }, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, message] = unreadable[code] ?? [400, 'This is not a request']
  const body = JSON.stringify({ message })
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

const unreadable: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, tooSlow],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}

/** Wrong fields of a body are 400 with each field's words; an id that is none is not there, whatever it looks like: 404. */
function refuseInput(error: FastifyError, reply: FastifyReply) {
  const errors = new Map<string, string>() // of several faults of one field the first is said
  for (const { instancePath, message = 'is wrong' } of error.validation ?? []) {
    const field = instancePath.split('/').filter(Boolean).join('.')
    if (!errors.has(field)) errors.set(field, message)
  }
  const [message = 'Something in the request is wrong'] = errors.values()
  if (error.validationContext === 'params') return reply.code(404).send({ message })
  if (errors.has('')) return reply.code(400).send({ message: 'The body must be a JSON object' })
  return reply.code(400).send({ message, errors: Object.fromEntries(errors) })
}
