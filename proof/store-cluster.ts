import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, sql } from 'drizzle-orm'
import PostalMime from 'postal-mime'
import * as z from 'zod'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { Product } from '#store/catalogue/contract.ts'
import { sessions, users } from '#store/identity/table.ts'
import { Purchase } from '#store/orders/contract.ts'
import { connectSandbox } from '#store/orders/payments/card-provider.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import { createEmptyDatabase } from '#test/postgres.ts'
import { openPostgresProxy } from '#test/postgres-proxy.ts'
import { createDataDir, findFreePort, type StoreProcess, startStoreProcess } from '#test/store-process.ts'
import { openTestPool } from '#test/test-database.ts'

const admin = { email: 'owner@store.example', password: 'correct horse battery' }
/** By when the books must be right again after a crash, whatever was under way. */
export const recoverySeconds = 60

/**
 * The built store as one process or several on one database, each at an address of its own that stays over restarts. The card provider,
 * and the proxy that may stand before the database, are in the test's own process and outlive the stores. `npm run build` comes first.
 * @param proxied whether the stores reach the database through `proxy`
 * @param buyerLimits on where few orders of many buyers are the load; without limits one buyer may be all of it
 * @param webhookUrl where the provider tells of its events, given the stores' addresses; the first store without it
 */
export async function startStoreCluster({
  stores: many = 1,
  proxied = false,
  buyerLimits = 'off',
  webhookUrl = ([first = '']: string[]) => `${first}/webhooks/stripe`,
}: {
  stores?: number
  proxied?: boolean
  buyerLimits?: 'on' | 'off'
  webhookUrl?: (addresses: string[]) => string
} = {}) {
  const opened = new AsyncDisposableStack()
  const { connectionString } = opened.use(await createEmptyDatabase())
  const { dataDir } = opened.use(createDataDir())
  const { db, pool } = openTestPool(connectionString)
  opened.defer(() => pool.end())
  const proxy = opened.use(await openPostgresProxy(connectionString))
  const ports = await Promise.all(Array.from({ length: many }, findFreePort))
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  const sandbox = await openCardSandbox({ connectionString, port: 0, webhookUrl: webhookUrl(addresses) })
  opened.defer(() => sandbox.close())
  const cards = connectSandbox(sandbox)

  const stores = ports.map((port) =>
    superviseStore({
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: proxied ? proxy.connectionString : connectionString,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      STRIPE_API_URL: sandbox.origin,
      STRIPE_SECRET_KEY: sandbox.secretKey,
      STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
      STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
      BUYER_LIMITS: buyerLimits,
      TRUST_PROXY: 'on', // so that every buyer comes from an address of their own
      LOG_LEVEL: 'error',
    }),
  )
  opened.defer(async () => void (await Promise.all(stores.map(({ close }) => close()))))
  try {
    for (const { opened } of stores) await opened()
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
  const [origin = ''] = addresses
  const [store] = stores
  assert.ok(store, 'a shop has a store')

  return {
    db,
    proxy,
    sandbox,
    cards,
    /** the first of `stores` */
    store,
    stores,
    addresses,
    /** a customer who has just registered at the first store, with a verified e-mail: mails tell of every order */
    async registerCustomer(name: string): Promise<ApiClient> {
      const email = `${name.toLowerCase()}@shop.example`
      const entered = await authenticate(origin, 'sign-up', { name, email, password: admin.password })
      await db.update(users).set({ emailVerified: true }).where(eq(users.email, email))
      return entered
    },
    admin: () => authenticate(origin, 'sign-in', { name: 'Store owner', ...admin }),
    /**
     * So many customers who have registered before, at one store after the other. They are written into the books: their passwords would
     * cost more than what they do.
     */
    async createCustomers(count: number): Promise<ApiClient[]> {
      const people = Array.from({ length: count }, (_, nth) => ({
        id: crypto.randomUUID(),
        name: `Buyer ${nth}`,
        token: crypto.randomUUID(),
      }))
      await db.insert(users).values(people.map(({ id, name }) => ({ id, name, email: `${id}@shop.example`, emailVerified: true })))
      const expiresAt = new Date(Date.now() + 18 * 3600_000)
      await db.insert(sessions).values(people.map(({ id, token }) => ({ id, token, userId: id, expiresAt })))
      return people.map(({ id, name, token }, nth) =>
        createClient(addresses[nth % many] ?? origin, { name, email: `${id}@shop.example`, token }),
      )
    },
    /** the same person at another store */
    clientAtStore: (nth: number, who: ApiClient): ApiClient => createClient(addresses[nth] ?? origin, who),
    /** Pays as the browser does, with the card form of the provider: the intent's secret is all that it has. */
    async pay(clientSecret: string, card = 'pm_card_visa') {
      const [intent] = clientSecret.split('_secret_')
      const answer = await fetch(`${sandbox.origin}/v1/payment_intents/${intent}/confirm`, {
        method: 'POST',
        body: new URLSearchParams({ key: sandbox.publishableKey, client_secret: clientSecret, payment_method: card }),
      })
      return { status: answer.status, said: await answer.text() }
    },
    findOrder: async (id: string) => {
      const found = await db.execute<{ state: string; restocked: number }>(sql`
        select (select state from order_history where order_id = orders.id order by id desc limit 1) as state,
          (select sum(restocked)::int from order_lines where order_id = orders.id) as restocked
        from orders where id = ${id}`)
      return found.rows[0]
    },
    /** The payments of this order as the provider has them: the id and the status of each. */
    async listPaymentIntents(orderId: string): Promise<string[]> {
      const { data } = await cards.stripe.paymentIntents.list({ limit: 100 })
      return data.filter(({ metadata }) => metadata.order_id === orderId).map(({ id, status }) => `${id} ${status}`)
    },
    /** The subjects of the mails that lie in the outbox about this order, oldest first. */
    async listEmailSubjects(number: number): Promise<string[]> {
      const outbox = path.join(dataDir, 'outbox')
      const files = (await readdir(outbox).catch(() => []))
        .filter((file) => file.includes(`-order-${number}-`) && file.endsWith('.eml'))
        .sort()
      return Promise.all(files.map(async (file) => (await PostalMime.parse(await readFile(path.join(outbox, file)))).subject ?? ''))
    },
    /** What is still to be done or under way: the provider's events, refunds, mails, periodic jobs. */
    async listPendingWork(): Promise<string[]> {
      const { rows } = await db.execute<{ what: string }>(sql`
        select 'delivery of ' || type as what from sandbox.deliveries join sandbox.events on id = event_id where state = 'pending'
        union all select 'event ' || type from webhook_events where worked_at is null
        union all select 'refund ' || state from refunds where state in ('asked', 'pending')
        union all select 'mail about ' || event from order_history where mail_due_at is not null
        union all select 'a job' from pg_locks join pg_database on pg_database.oid = database where locktype = 'advisory' and datname = current_database()`)
      return rows.map(({ what }) => what)
    },
    /** Everything that is wrong in the books, and stores that did not stay up. */
    faults: async () => [
      ...stores.flatMap(({ fell }) => fell),
      ...(await checkInvariants(db, cards)).flatMap(({ description, violations }) => violations.map((fault) => `${description}: ${fault}`)),
    ],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type StoreCluster = Awaited<ReturnType<typeof startStoreCluster>>

/** A store that is started again whenever it has ended. */
function superviseStore(settings: Record<string, string>) {
  const startsMs: number[] = []
  const fell: string[] = []
  let closing = false
  let store: StoreProcess

  function start() {
    const from = performance.now()
    store = startStoreProcess(settings)
    store.ready.then(
      () => startsMs.push(performance.now() - from),
      () => {},
    )
    const { exited, output } = store
    exited.then((how) => {
      if (closing) return
      if (how !== 'SIGKILL') fell.push(`The store ended by itself with ${how}: ${output()}`)
      start()
    })
  }
  start()

  return {
    /** how long each start took, the first one included */
    startsMs,
    /** when it ended without having been killed */
    fell,
    /** resolves when it is open, also when it was killed before it was */
    async opened() {
      for (;;) {
        const current = store
        const fault = await current.ready.then(
          () => undefined,
          (error) => error,
        )
        if (fault === undefined) return
        await new Promise(setImmediate) // the next one is being started
        if (store === current) throw fault
      }
    },
    said: () => store.output(),
    /** kill -9; resolves when the process is gone, and the next one is under way */
    async kill() {
      store.child.kill('SIGKILL')
      await store.exited
    },
    start() {
      closing = false
      start()
    },
    /** stops it as an owner does */
    async stop() {
      closing = true
      assert.equal(await store.stop(), 0, store.output())
    },
    async close() {
      closing = true
      await store.stop()
    },
  }
}

export type ApiResponse = { status: number; body: string }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type ApiClient = ReturnType<typeof createClient>

let addresses = 0

/** Somebody at a store's door, with a browser that comes from an address of its own. */
function createClient(origin: string, { name, email, token }: { name: string; email: string; token: string }) {
  addresses++
  const from = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

  /** @throws when the store does not answer */
  async function ask(method: Method, call: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const answer = await fetch(`${origin}/api${call}`, {
      method,
      headers: {
        origin,
        'x-forwarded-for': from,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.text() }
  }

  /** Asks again, as people do, as long as the store does not answer or says that it cannot at the moment. */
  const insist = (method: Method, call: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> =>
    waitWithin(recoverySeconds, `${method} ${call} is answered`, async () => {
      const answer = await ask(method, call, body, headers).catch(() => undefined)
      return answer?.status === 503 ? undefined : answer
    })

  return { name, email, token, request: ask, requestWithRetry: insist }
}

async function authenticate(
  origin: string,
  way: 'sign-up' | 'sign-in',
  account: { name: string; email: string; password: string },
): Promise<ApiClient> {
  const Token = z.object({ token: z.string() })
  const provided = parseResponse(
    Token,
    await createClient(origin, { ...account, token: '' }).request('POST', `/auth/${way}/email`, account),
  )
  const { email } = account
  const taken = await createClient(origin, { ...account, ...provided }).request('PUT', `/user/${email}`, { email })
  return createClient(origin, { ...account, ...parseResponse(Token, taken) })
}

/** How long the starts after so many took, in seconds: the middle one and the slowest. */
export function restartTimes({ startsMs }: { startsMs: number[] }, before: number): { middle: number; slowest: number; said: string } {
  const seconds = startsMs
    .slice(before)
    .map((ms) => ms / 1000)
    .sort((a, b) => a - b)
  const middle = seconds[Math.floor(seconds.length / 2)] ?? 0
  const slowest = seconds.at(-1) ?? 0
  return { middle, slowest, said: `${seconds.length} starts, ${middle.toFixed(1)} s in the middle, ${slowest.toFixed(1)} s the slowest` }
}

/** What an answer says, which must be a good one. */
export function parseResponse<Said extends z.ZodType>(said: Said, answer: ApiResponse): z.output<Said> {
  assert.ok(answer.status < 300, `${answer.status} ${answer.body}`)
  return said.parse(JSON.parse(answer.body))
}

/** Adds a product. */
export const createProduct = async (admin: ApiClient, stock: number, { price = 10, name = 'Torx screw' } = {}): Promise<Product> =>
  parseResponse(
    Product,
    await admin.requestWithRetry('POST', '/tools', {
      ...{ name, price, img: 'https://pictures.example/screw.png', description: 'A screw' },
      ...{ minimum_order_quantity: 1, available_quantity: stock },
    }),
  )

/** What a browser sends to buy so many of a tool. */
export const orderRequest = ({ _id, name, price }: Product, productQuantity: number) => ({
  ...{ toolId: _id, productName: name, productQuantity, productCost: price * productQuantity },
  ...{ buyerAddress: '1 Road', phone_number: '01234567890' },
})

/** Places an order as a browser does: with a key, under which it asks again when the answer got lost. */
export const placePurchase = async (buyer: ApiClient, tool: Product, pieces = 1, key: string = crypto.randomUUID()): Promise<Purchase> =>
  parseResponse(Purchase, await buyer.requestWithRetry('POST', '/purchase', orderRequest(tool, pieces), { 'idempotency-key': key }))

const Opened = z.object({ clientSecret: z.string() })

/** Opens the payment of an order. @returns the intent's secret */
export const openPayment = async (buyer: ApiClient, { _id, productCost }: Purchase): Promise<string> =>
  parseResponse(Opened, await buyer.requestWithRetry('POST', '/create-payment-intent', { orderId: _id, productCost })).clientSecret

export const intentIdFromSecret = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? ''

/**
 * Waits until this is so, and not longer than it may take.
 * @throws when it is not so by then, saying what it was
 */
export async function waitWithin<T>(seconds: number, what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > until) throw new Error(`Not within ${seconds} s: ${what}`)
    await new Promise((wait) => setTimeout(wait, 50))
  }
}

/** Numbers from 0 to 1 that are the same at every run: the sample of a quick run can be had again. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
