import assert from 'node:assert/strict'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import { type Database, executePrepared } from '#platform/database.ts'
import { createHttpApp, type HttpApp, type HttpAppOptions } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { setDefinitions } from '#store/catalogue/definitions/current-definitions.ts'
import { originalDefinitions } from '#store/catalogue/definitions/stored-definitions.ts'
import { ensureFirstOwner } from '#store/identity/rules.ts'
import type { GoogleClient } from '#store/identity/sign-in-provider.ts'
import { openShop } from '#store/open-shop.ts'
import { type CardProvider, connectSandbox, connectStripe } from '#store/orders/payments/card-provider.ts'
import { databaseInvariants } from '#store/orders/payments/database-invariants.ts'
import { checkInvariants, compareWithProvider, readSettledPayments } from '#store/orders/payments/invariants.ts'
import type { OrderPolicy } from '#store/orders/place-order.ts'
import { loadSiteContent } from '#store/pages/content.ts'
import type { Topic } from '#store/topics.ts'
import { findFreePort } from './store-process.ts'
import { openTestDatabase } from './test-database.ts'
import './fast-password-hashing.ts'

export type ApiResponse = LightMyRequestResponse

/** Somebody at the store's door. `ask` goes in with the access token, if they have one. */
export type Actor = {
  name: string
  email: string
  token(): Promise<string | undefined>
  request(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
}

type TestStoreOptions = {
  cards?: boolean
  allowWrongBooks?: boolean
  google?: (origin: string) => GoogleClient | Promise<GoogleClient>
  http?: HttpAppOptions
  buyerLimits?: Settings['buyerLimits'] | 'off'
  newBuyerHoldMinutes?: number
  readLimiter?: { maxConcurrent: number; maxQueued: number }
  connectsAnew?: boolean
}
const defaults = readSettings({})
const noGoogleIssuer = () => ({ clientId: 'store', clientSecret: 'secret', issuer: 'http://127.0.0.1:9' })

/** Signs sessions and links. */
export const testSecret = 'a secret of thirty-two characters'

/** Everybody's. */
export const testPassword = 'correct horse battery'
const adminEmail = 'owner@store.example'

/**
 * A store with nothing in it, on a database of its own, without screens. Everybody goes in by the door.
 * @param cards with the card sandbox, and the store listening so that the sandbox's webhook reaches it
 * @param google the issuer that Google sign-ins go to, given the store's origin; without it there is none
 * @param wrongBooks the test leaves the books wrong on purpose: otherwise they must be right at its end
 * @param http other settings of its HTTP server
 * @param buyerLimits what a buyer may have waiting for payment, where the test is about other figures than the defaults, or about none
 * @param connectsAnew see `openTestDatabase`
 * @param readLimiter where open calls read the database, where the test is about that
 * @param newBuyerHoldMinutes a day as for everybody unless the test is about it: with less, whether a hold ends today depends on the hour
 */
export async function anEmptyStore({
  cards: withCards = false,
  allowWrongBooks = false,
  google = noGoogleIssuer,
  http = {},
  buyerLimits = defaults.buyerLimits,
  newBuyerHoldMinutes = defaults.holdMinutes,
  readLimiter,
  connectsAnew,
}: TestStoreOptions = {}) {
  const { opened, connectionString, db, pool, ledgerPool, changes } = await openTestDatabase<Topic>({ connectsAnew })

  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const sent: EmailMessage[] = []
  const mailer: Mailer = { send: async (letter) => void sent.push(letter), close: () => {} }
  const sandbox = withCards
    ? await openCardSandbox({ connectionString, port: port + 1, webhookUrl: `${origin}/webhooks/stripe` }, () => ledgerPool)
    : undefined
  if (sandbox) opened.defer(() => sandbox.close())
  const cards = sandbox
    ? connectSandbox(sandbox, { timeoutMs: 60_000 }) // on a busy machine an answer takes seconds, and a refund would be tried later
    : connectStripe({ secretKey: 'sk_test_none', publishableKey: 'pk_test_none', webhookSecret: 'whsec_none' })

  const orderPolicy: OrderPolicy = {
    holdMinutes: defaults.holdMinutes,
    newBuyerHoldMinutes,
    buyerLimits: buyerLimits === 'off' ? undefined : buyerLimits,
  }
  const content = await loadSiteContent(path.join(import.meta.dirname, '../content'))
  const app = createHttpApp({ responseTimeoutMs: 60_000, ...http }) // no test judges speed
  const shop = openShop({
    ...{ app, db, changes, cards, content, mailer },
    jobDatabase: { db, pool },
    readLimiter: createConcurrencyLimiter({
      ...{ maxConcurrent: 6, maxQueued: 500, queueTimeoutMs: 60_000 },
      ...readLimiter,
      beforeStart: async () => {},
    }),
    secret: testSecret,
    origins: [origin],
    google: await google(origin),
    onError: (message, error) => {
      if (!(error instanceof HttpError)) console.error(message, error)
    },
    publicUrl: origin,
    ...orderPolicy,
    buyerQueueTimeoutMs: 60_000,
    inProcessTimeoutMs: 60_000,
  })
  opened.defer(() => shop.close())
  await shop.readSettings() // another store of this process may have set others
  const { backgroundTasks, jobs, search, signInProvider } = shop
  await ensureFirstOwner(db, signInProvider, { email: adminEmail, password: testPassword })
  await search.ready
  if (sandbox) await app.listen({ port, host: '127.0.0.1' })
  opened.defer(() => app.close())

  const faults = async () => {
    await jobs.whenIdle() // the provider knows of a refund before the books do
    return (await checkInvariants(db, sandbox && cards)).flatMap(({ violations }) => violations)
  }

  return {
    db,
    connectionString,
    /** hashes passwords, for rules that make accounts */
    provider: signInProvider,
    /** what is wrong with the books, once no job runs */
    faults,
    cards,
    orderPolicy,
    origin,
    changes,
    app,
    jobs,
    events: shop.events,
    search,
    /** as pages ask while they are rendered */
    callInProcess: shop.inProcessApi.call,
    sandbox,
    /** the mails to this address so far, oldest first */
    emailsTo: async (email: string): Promise<EmailMessage[]> => {
      await backgroundTasks.close()
      await jobs.whenIdle()
      return sent.filter(({ to }) => to === email)
    },
    visitor: anonymousClient(app, nextClientIp),
    /** a visitor who always comes from this address */
    visitorFrom: (address: string): Actor => anonymousClient(app, () => address),
    customer: accountClient(app, 'Ada', 'ada@shop.example'),
    otherCustomer: accountClient(app, 'Bob', 'bob@shop.example'),
    admin: accountClient(app, 'Store owner', adminEmail),
    newCustomer: (name: string) => accountClient(app, name, `${name.toLowerCase()}@shop.example`),
    /** Ends the store; whatever the test was about, the books must be right. */
    async [Symbol.asyncDispose]() {
      await using _ = opened
      await app.close()
      await jobs.whenIdle()
      // the next test of this process may have no store
      setDefinitions(originalDefinitions)
      setStoreTimeZone('UTC')
      if (!allowWrongBooks && !(await areBooksRight(db, sandbox && cards))) assert.deepEqual(await faults(), [], 'the books are wrong')
    },
  }
}

/** A row where one of `databaseInvariants` is violated. */
const anyFault = sql`${sql.join(
  databaseInvariants.flatMap(([, statements]) => statements.map((statement) => sql`(select fault from (${statement}) as faults)`)),
  sql` union all `,
)} limit 1`

/** What `checkInvariants` asks, in one statement that each connection plans once, as each test asks it. */
async function areBooksRight(db: Database, cards?: CardProvider): Promise<boolean> {
  if ((await executePrepared(db, anyFault)).length > 0) return false
  return !cards || (await compareWithProvider(db, cards, await readSettledPayments(db))).violations.length === 0
}

export type Store = Awaited<ReturnType<typeof anEmptyStore>>

function sendRequest(
  app: HttpApp,
  method: Parameters<Actor['request']>[0],
  path: string,
  body: unknown,
  headers: Record<string, string>,
  remoteAddress: string,
): Promise<ApiResponse> {
  return app.inject({ method, url: `/api${path}`, remoteAddress, headers, ...(body !== undefined && { payload: body as object }) })
}

let addresses = 0
const nextClientIp = () => `10.0.${(++addresses >> 8) & 255}.${addresses & 255}`

function anonymousClient(app: HttpApp, from: () => string): Actor {
  return {
    name: '',
    email: '',
    token: async () => undefined,
    request: (method, path, body, headers = {}) => sendRequest(app, method, path, body, headers, from()),
  }
}

/** Signs in when first needed; whoever has no account registers. */
function accountClient(app: HttpApp, name: string, email: string): Actor {
  const from = nextClientIp()
  let entered: Promise<string> | undefined
  async function enter() {
    const way = email === adminEmail ? 'sign-in' : 'sign-up'
    const provided = await sendRequest(app, 'POST', `/auth/${way}/email`, { name, email, password: testPassword }, {}, from)
    const taken = await sendRequest(app, 'PUT', `/user/${email}`, { email }, { authorization: `Bearer ${provided.json().token}` }, from)
    if (taken.statusCode !== 200) throw new Error(`${name} could not come in: ${provided.body} ${taken.body}`)
    return taken.json().token as string
  }
  const token = () => (entered ??= enter())
  return {
    name,
    email,
    token,
    request: async (method, path, body, headers = {}) =>
      sendRequest(app, method, path, body, { authorization: `Bearer ${await token()}`, ...headers }, from),
  }
}
