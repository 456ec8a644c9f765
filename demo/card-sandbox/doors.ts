import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { z } from 'zod'
import type { Call, Company } from './call-controls.ts'
import { challengeDocument } from './challenge.ts'
import * as challenges from './challenges.ts'
import * as charges from './charges.ts'
import * as disputes from './disputes.ts'
import * as events from './events.ts'
import { frame } from './frame.ts'
import { once } from './idempotency.ts'
import { type Ask, type Asker, same } from './intent-ledger.ts'
import * as taken from './intent-parameters.ts'
import * as intents from './intents.ts'
import { type Db, type Keys, transaction } from './ledger.ts'
import { libraryHeaders, libraryScript } from './library.ts'
import * as methods from './methods.ts'
import * as paying from './paying.ts'
import * as refunds from './refunds.ts'
import { type Answer, API_VERSION, type Form, invalid, newId, parameters, parseForm, refusal, WireError } from './wire.ts'

/**
 * The sandbox's server: Stripe's calls under /v1 for the shop and the browser, the card frame with
 * its library, and the page on which a bank asks its customer. It logs nothing.
 */
export function openDoors(pool: pg.Pool, keys: Keys, accompany: (call: Call) => Company, happened: () => void): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit: 64 * 1024, genReqId: () => newId('req') })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseForm(body),
  )

  app.addHook('onRequest', async (request, reply) => {
    // Everything under /v1 asks for a key, so any page may read the answers: that is how a browser retrieves its intent.
    reply.headers({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'request-id': request.id,
      'stripe-version': API_VERSION,
      'x-content-type-options': 'nosniff',
    })
  })

  /** Answers a call, at every moment in the company of what a test has set for it. A refusal is an answer like any other. */
  async function answered(request: FastifyRequest, reply: FastifyReply, work: (instead?: WireError) => Promise<Answer>) {
    const { idempotency_key: idempotencyKey } = causeOf(request)
    const company = accompany({ method: request.method, path: pathOf(request), idempotencyKey })
    const early = await company('before')
    if (early === 'cut') return cut(request, reply)
    if (early && !early.kept) return failed(reply, early.error)

    const answer = await work(early?.error).catch((error: unknown) => refusal(inStripesWords(error)))
    const late = await company('committed')
    if (late === 'cut') return cut(request, reply)
    reply.raw.once('finish', () => company('answered'))
    return late ? failed(reply, late.error) : send(reply, answer)
  }

  /** A call that changes nothing. */
  function read<Schema extends z.ZodType>(
    who: Who,
    url: string,
    schema: Schema,
    run: (db: Db, ask: Asked, id: string, wish: z.output<Schema>) => Promise<Answer>,
  ) {
    app.get(url, (request, reply) =>
      answered(request, reply, async (instead) => {
        if (instead) throw instead
        const { asker, form } = admit(who, request, keys, query(request))
        return run(pool, { asker, cause: causeOf(request), origin: originOf(request) }, idOf(request), parameters(schema, form))
      }),
    )
  }

  /** A call that changes something: at most once per Idempotency-Key, with a look at what is then to be delivered. */
  function write<Schema extends z.ZodType>(
    who: Who,
    url: string,
    schema: Schema,
    run: (tx: Db, ask: Asked, id: string, wish: z.output<Schema>) => Promise<Answer>,
  ) {
    app.post<{ Body: Form | null | undefined }>(url, (request, reply) =>
      answered(request, reply, async (instead) => {
        const { asker, form } = admit(who, request, keys, { ...query(request), ...request.body })
        const wish = parameters(schema, form)
        const cause = causeOf(request)
        const done = await once(pool, { cause, endpoint: pathOf(request), parameters: { asker, wish } }, async (tx) =>
          instead ? refusal(instead) : run(tx, { asker, cause, origin: originOf(request) }, idOf(request), wish),
        )
        if (done.originalRequest) reply.headers({ 'idempotent-replayed': 'true', 'original-request': done.originalRequest })
        if (cause.idempotency_key !== null) reply.header('idempotency-key', cause.idempotency_key)
        happened()
        return done
      }),
    )
  }

  write('shop', '/v1/payment_intents', taken.IntentCreated, (tx, ask, _id, wish) => intents.create(tx, ask, wish))
  read('both', '/v1/payment_intents/:id', taken.IntentRetrieved, intents.retrieve)
  write('shop', '/v1/payment_intents/:id', taken.IntentUpdated, intents.update)
  write('both', '/v1/payment_intents/:id/confirm', taken.IntentConfirmed, paying.confirm)
  write('shop', '/v1/payment_intents/:id/cancel', taken.IntentCanceled, intents.cancel)
  read('shop', '/v1/payment_intents', taken.IntentsListed, (db, _ask, _id, wish) => intents.list(db, wish))
  read('shop', '/v1/charges', charges.ChargesListed, (db, _ask, _id, wish) => charges.list(db, wish))
  read('shop', '/v1/charges/:id', charges.ChargeRetrieved, (db, _ask, id, wish) => charges.retrieve(db, id, wish))
  read('shop', '/v1/payment_methods/:id', methods.MethodRetrieved, (db, _ask, id) => methods.retrieve(db, id))
  write('shop', '/v1/refunds', refunds.RefundCreated, (tx, ask, _id, wish) => refunds.create(tx, ask.cause, wish))
  read('shop', '/v1/refunds', refunds.RefundsListed, (db, _ask, _id, wish) => refunds.list(db, wish))
  read('shop', '/v1/refunds/:id', refunds.RefundRetrieved, (db, _ask, id, wish) => refunds.retrieve(db, id, wish))
  read('shop', '/v1/disputes', disputes.DisputesListed, (db, _ask, _id, wish) => disputes.list(db, wish))
  read('shop', '/v1/disputes/:id', disputes.DisputeRetrieved, (db, _ask, id, wish) => disputes.retrieve(db, id, wish))
  write('shop', '/v1/disputes/:id/close', disputes.DisputeRetrieved, (tx, ask, id, wish) => disputes.close(tx, ask.cause, id, wish))
  read('shop', '/v1/events', events.EventsListed, (db, _ask, _id, wish) => events.list(db, wish))
  read('shop', '/v1/events/:id', events.EventRetrieved, (db, _ask, id) => events.retrieve(db, id))

  const challenge = '/3d_secure/:id'
  app.get(challenge, async (_request, reply) => reply.headers(challengeDocument.headers).send(challengeDocument.page))
  app.get(`${challenge}/question`, (request, reply) => answered(request, reply, () => challenges.question(pool, idOf(request))))
  app.post<{ Body: Form | null | undefined }>(challenge, (request, reply) =>
    answered(request, reply, async () => {
      const { outcome } = parameters(taken.ChallengeAnswered, request.body ?? {})
      const done = await transaction(pool, (tx) => paying.authenticate(tx, idOf(request), outcome, originOf(request)))
      happened()
      return done
    }),
  )

  // A browser whose requests carry a header of somebody's own (a proxy's, a test's) asks first whether it may.
  const mayAsk = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': '*', 'access-control-max-age': '600' }
  for (const calls of ['/v1/*', '/3d_secure/*']) app.options(calls, async (_request, reply) => reply.code(204).headers(mayAsk).send())

  app.get('/frame', async (_request, reply) => reply.headers(frame.headers).send(frame.page))
  app.get('/sandbox.js', async (_request, reply) => reply.headers(libraryHeaders).send(libraryScript))

  app.setNotFoundHandler(async (request, reply) => send(reply, refusal(unknownPath(request))))
  app.setErrorHandler(async (error: unknown, _request, reply) => send(reply, refusal(inStripesWords(error))))

  return app
}

function send(reply: FastifyReply, { status, body }: Answer) {
  return reply.code(status).type('application/json').send(body)
}

function failed(reply: FastifyReply, error: WireError) {
  reply.removeHeader('idempotent-replayed') // nor does Stripe say so of an error that it has not kept
  if (error.error.code === 'lock_timeout') reply.header('stripe-should-retry', 'true')
  return send(reply, refusal(error))
}

function cut(request: FastifyRequest, reply: FastifyReply) {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
  return reply
}

/** A call always has a cause: itself. */
type Asked = Ask & { cause: events.Cause }

type Who = 'shop' | 'both'

/** Who asks, by the key: as a bearer token, as the name of Basic authorization, or, as browsers send it, as the parameter `key`. */
function admit(who: Who, request: FastifyRequest, keys: Keys, sent: Form): { asker: Asker; form: Form } {
  const { key: keyParameter, ...form } = sent
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ')
  const given =
    scheme.toLowerCase() === 'bearer'
      ? credentials
      : scheme.toLowerCase() === 'basic'
        ? Buffer.from(credentials, 'base64').toString().replace(/:.*/s, '')
        : keyParameter
  if (typeof given !== 'string' || given === '') {
    throw invalid(
      'You did not provide an API key. You need to provide your API key in the Authorization header, ' +
        "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    )
  }
  if (same(given, keys.secretKey)) return { asker: 'shop', form }
  if (!same(given, keys.publishableKey)) {
    throw invalid(`Invalid API Key provided: ${given.slice(0, 8)}***${given.slice(-4)}`, { status: 401 })
  }
  if (who === 'shop') {
    throw invalid('This API call cannot be made with a publishable API key. Please use a secret API key.', {
      status: 401,
      code: 'secret_key_required',
    })
  }
  return { asker: 'browser', form }
}

function causeOf(request: FastifyRequest): events.Cause {
  const key = request.headers['idempotency-key']
  return { id: request.id, idempotency_key: typeof key === 'string' && key !== '' ? key : null }
}

/** Where this sandbox listens. Not the Host header: what is kept must not depend on who asks. */
function originOf(request: FastifyRequest): string {
  return `http://127.0.0.1:${request.socket.localPort}`
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/\?.*/s, '')
}

function query(request: FastifyRequest): Form {
  return parseForm(request.url.includes('?') ? request.url.replace(/^[^?]*\?/, '') : '')
}

/** The id in the path, '' where the path has none. What cannot be an id never reaches the ledger. */
function idOf({ params }: FastifyRequest): string {
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
  return /^\w{0,100}$/.test(id) ? id : 'malformed'
}

function unknownPath(request: FastifyRequest): WireError {
  return invalid(`Unrecognized request URL (${request.method}: ${pathOf(request)}).`, { status: 404 })
}

function inStripesWords(error: unknown): WireError {
  if (error instanceof WireError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (error instanceof Error && status >= 400 && status < 500) return invalid(error.message, { status })
  console.error('The card sandbox failed:', error instanceof Error ? error.stack : error)
  return new WireError(500, { type: 'api_error', message: 'The card sandbox failed. The outcome of this request is unknown.' })
}
