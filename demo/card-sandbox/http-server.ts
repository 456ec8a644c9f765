import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { z } from 'zod'
import { challengeDocument } from './challenge.ts'
import * as challenges from './challenges.ts'
import * as charges from './charges.ts'
import * as disputes from './disputes.ts'
import * as events from './events.ts'
import { cardFramePage } from './frame.ts'
import { runIdempotently } from './idempotency.ts'
import { type Caller, type RequestContext, timingSafeEqualText } from './intent-ledger.ts'
import * as intentParams from './intent-parameters.ts'
import * as intents from './intents.ts'
import { type Db, type SandboxKeys, transaction } from './ledger.ts'
import { libraryHeaders, libraryScript } from './library.ts'
import * as methods from './methods.ts'
import * as paying from './paying.ts'
import * as refunds from './refunds.ts'
import type { RequestInterceptor, SandboxRequest } from './request-faults.ts'
import {
  API_VERSION,
  type ApiResponse,
  errorResponse,
  type FormParameters,
  invalidRequestError,
  newId,
  parseForm,
  parseParameters,
  StripeApiError,
} from './wire.ts'

/**
 * The sandbox's HTTP server: Stripe's API under /v1 for the shop and the browser, the card frame with its browser library, and the bank's
 * 3-D Secure page. Requests are not logged.
 */
export function createSandboxServer(
  pool: pg.Pool,
  keys: SandboxKeys,
  accompany: (call: SandboxRequest) => RequestInterceptor,
  happened: () => void,
): FastifyInstance {
  // Browsers open connections in advance: Node counts one that has sent nothing as busy, and would wait a minute for it to close.
  const app = Fastify({ logger: false, bodyLimit: 64 * 1024, genReqId: () => newId('req'), forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseForm(body),
  )

  app.addHook('onRequest', async (request, reply) => {
    // /v1 requires an API key, so any origin may read its responses. Browsers need that to retrieve their intent.
    reply.headers({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'request-id': request.id,
      'stripe-version': API_VERSION,
      'x-content-type-options': 'nosniff',
    })
  })

  /** Handles an API request, applying injected faults in each phase. API errors become responses. */
  async function handle(request: FastifyRequest, reply: FastifyReply, work: (instead?: StripeApiError) => Promise<ApiResponse>) {
    const { idempotency_key: idempotencyKey } = eventRequestOf(request)
    const intercept = accompany({ method: request.method, path: pathOf(request), idempotencyKey })
    const before = await intercept('before')
    if (before === 'cut') return resetConnection(request, reply)
    if (before && !before.kept) return sendError(reply, before.error)

    const response = await work(before?.error).catch((error: unknown) => errorResponse(toStripeApiError(error)))
    const committed = await intercept('committed')
    if (committed === 'cut') return resetConnection(request, reply)
    reply.raw.once('finish', () => intercept('answered'))
    return committed ? sendError(reply, committed.error) : send(reply, response)
  }

  /** Registers a read-only endpoint. */
  function read<Schema extends z.ZodType>(
    who: AllowedCallers,
    url: string,
    schema: Schema,
    run: (db: Db, context: IdentifiedRequestContext, id: string, params: z.output<Schema>) => Promise<ApiResponse>,
  ) {
    app.get(url, (request, reply) =>
      handle(request, reply, async (instead) => {
        if (instead) throw instead
        const { caller, form } = authenticate(who, request, keys, query(request))
        return run(
          pool,
          { caller, cause: eventRequestOf(request), origin: originOf(request) },
          idOf(request),
          parseParameters(schema, form),
        )
      }),
    )
  }

  /** Registers an endpoint with side effects: runs once per Idempotency-Key, then wakes the webhook delivery. */
  function write<Schema extends z.ZodType>(
    who: AllowedCallers,
    url: string,
    schema: Schema,
    run: (tx: Db, context: IdentifiedRequestContext, id: string, params: z.output<Schema>) => Promise<ApiResponse>,
  ) {
    app.post<{ Body: FormParameters | null | undefined }>(url, (request, reply) =>
      handle(request, reply, async (instead) => {
        const { caller, form } = authenticate(who, request, keys, { ...query(request), ...request.body })
        const params = parseParameters(schema, form)
        const cause = eventRequestOf(request)
        // The names of the parameters belong to the stored fingerprint of a request, which a later version has to find again.
        const done = await runIdempotently(
          pool,
          { cause, endpoint: pathOf(request), parameters: { asker: caller, wish: params } },
          async (tx) => (instead ? errorResponse(instead) : run(tx, { caller, cause, origin: originOf(request) }, idOf(request), params)),
        )
        if (done.originalRequest) reply.headers({ 'idempotent-replayed': 'true', 'original-request': done.originalRequest })
        if (cause.idempotency_key !== null) reply.header('idempotency-key', cause.idempotency_key)
        happened()
        return done
      }),
    )
  }

  write('shop', '/v1/payment_intents', intentParams.IntentCreateParams, (tx, context, _id, params) => intents.create(tx, context, params))
  read('both', '/v1/payment_intents/:id', intentParams.IntentRetrieveParams, intents.retrieve)
  write('shop', '/v1/payment_intents/:id', intentParams.IntentUpdateParams, intents.update)
  write('both', '/v1/payment_intents/:id/confirm', intentParams.IntentConfirmParams, paying.confirm)
  write('shop', '/v1/payment_intents/:id/cancel', intentParams.IntentCancelParams, intents.cancel)
  read('shop', '/v1/payment_intents', intentParams.IntentListParams, (db, _context, _id, params) => intents.list(db, params))
  read('shop', '/v1/charges', charges.ChargeListParams, (db, _context, _id, params) => charges.list(db, params))
  read('shop', '/v1/charges/:id', charges.ChargeRetrieveParams, (db, _context, id, params) => charges.retrieve(db, id, params))
  read('shop', '/v1/payment_methods/:id', methods.PaymentMethodRetrieveParams, (db, _context, id) => methods.retrieve(db, id))
  write('shop', '/v1/refunds', refunds.RefundCreateParams, (tx, context, _id, params) => refunds.create(tx, context.cause, params))
  read('shop', '/v1/refunds', refunds.RefundListParams, (db, _context, _id, params) => refunds.list(db, params))
  read('shop', '/v1/refunds/:id', refunds.RefundRetrieveParams, (db, _context, id, params) => refunds.retrieve(db, id, params))
  read('shop', '/v1/disputes', disputes.DisputeListParams, (db, _context, _id, params) => disputes.list(db, params))
  read('shop', '/v1/disputes/:id', disputes.DisputeRetrieveParams, (db, _context, id, params) => disputes.retrieve(db, id, params))
  write('shop', '/v1/disputes/:id/close', disputes.DisputeRetrieveParams, (tx, context, id, params) =>
    disputes.close(tx, context.cause, id, params),
  )
  read('shop', '/v1/events', events.EventListParams, (db, _context, _id, params) => events.list(db, params))
  read('shop', '/v1/events/:id', events.EventRetrieveParams, (db, _context, id) => events.retrieve(db, id))

  const challenge = '/3d_secure/:id'
  app.get(challenge, async (_request, reply) => reply.headers(challengeDocument.headers).send(challengeDocument.page))
  app.get(`${challenge}/question`, (request, reply) => handle(request, reply, () => challenges.describe(pool, idOf(request))))
  app.post<{ Body: FormParameters | null | undefined }>(challenge, (request, reply) =>
    handle(request, reply, async () => {
      const { outcome } = parseParameters(intentParams.ChallengeAnswerParams, request.body ?? {})
      const done = await transaction(pool, (tx) => paying.authenticate(tx, idOf(request), outcome, originOf(request)))
      happened()
      return done
    }),
  )

  // Browsers send a CORS preflight when a request has a custom header, such as one added by a proxy or a test.
  const corsHeaders = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': '*', 'access-control-max-age': '600' }
  for (const path of ['/v1/*', '/3d_secure/*']) app.options(path, async (_request, reply) => reply.code(204).headers(corsHeaders).send())

  app.get('/frame', async (_request, reply) => reply.headers(cardFramePage.headers).send(cardFramePage.page))
  app.get('/sandbox.js', async (_request, reply) => reply.headers(libraryHeaders).send(libraryScript))

  app.setNotFoundHandler(async (request, reply) => send(reply, errorResponse(unknownPathError(request))))
  app.setErrorHandler(async (error: unknown, _request, reply) => send(reply, errorResponse(toStripeApiError(error))))

  return app
}

function send(reply: FastifyReply, { status, body }: ApiResponse) {
  return reply.code(status).type('application/json').send(body)
}

function sendError(reply: FastifyReply, error: StripeApiError) {
  reply.removeHeader('idempotent-replayed') // Stripe does not send it either for an error that it has not stored
  if (error.error.code === 'lock_timeout') reply.header('stripe-should-retry', 'true')
  return send(reply, errorResponse(error))
}

function resetConnection(request: FastifyRequest, reply: FastifyReply) {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
  return reply
}

/** The context of an API request, which always has a cause. */
type IdentifiedRequestContext = RequestContext & { cause: events.EventRequest }

type AllowedCallers = 'shop' | 'both'

/** Authenticates the API key: a bearer token, the user name of Basic authentication, or, from browsers, the parameter `key`. */
function authenticate(
  who: AllowedCallers,
  request: FastifyRequest,
  keys: SandboxKeys,
  sent: FormParameters,
): { caller: Caller; form: FormParameters } {
  const { key: keyParameter, ...form } = sent
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ')
  const given =
    scheme.toLowerCase() === 'bearer'
      ? credentials
      : scheme.toLowerCase() === 'basic'
        ? Buffer.from(credentials, 'base64').toString().replace(/:.*/s, '')
        : keyParameter
  if (typeof given !== 'string' || given === '') {
    throw invalidRequestError(
      'You did not provide an API key. You need to provide your API key in the Authorization header, ' +
        "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    )
  }
  if (timingSafeEqualText(given, keys.secretKey)) return { caller: 'shop', form }
  if (!timingSafeEqualText(given, keys.publishableKey)) {
    throw invalidRequestError(`Invalid API Key provided: ${given.slice(0, 8)}***${given.slice(-4)}`, { status: 401 })
  }
  if (who === 'shop') {
    throw invalidRequestError('This API call cannot be made with a publishable API key. Please use a secret API key.', {
      status: 401,
      code: 'secret_key_required',
    })
  }
  return { caller: 'browser', form }
}

function eventRequestOf(request: FastifyRequest): events.EventRequest {
  const key = request.headers['idempotency-key']
  return { id: request.id, idempotency_key: typeof key === 'string' && key !== '' ? key : null }
}

/** The origin of the sandbox. Not taken from the Host header, because stored data must not depend on the client. */
function originOf(request: FastifyRequest): string {
  return `http://127.0.0.1:${request.socket.localPort}`
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/\?.*/s, '')
}

function query(request: FastifyRequest): FormParameters {
  return parseForm(request.url.includes('?') ? request.url.replace(/^[^?]*\?/, '') : '')
}

/** The id in the path, or '' if there is none. A malformed id is replaced, so that it is never used in a query. */
function idOf({ params }: FastifyRequest): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  return /^\w{0,100}$/.test(id) ? id : 'malformed'
}

function unknownPathError(request: FastifyRequest): StripeApiError {
  return invalidRequestError(`Unrecognized request URL (${request.method}: ${pathOf(request)}).`, { status: 404 })
}

function toStripeApiError(error: unknown): StripeApiError {
  if (error instanceof StripeApiError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (error instanceof Error && status >= 400 && status < 500) return invalidRequestError(error.message, { status })
  console.error('The card sandbox failed:', error instanceof Error ? error.stack : error)
  return new StripeApiError(500, { type: 'api_error', message: 'The card sandbox failed. The outcome of this request is unknown.' })
}
