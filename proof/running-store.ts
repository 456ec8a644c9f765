import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { embeddedDatabaseDir } from '#platform/embedded-postgres/database-dir.ts'
import { findFreePort, startStoreProcess } from '#test/store-process.ts'

/** An answer as the visitor got it. */
export type TimedResponse = { path: string; status: number; body: string; retryAfter: string | null; afterMs: number }

/** The built store as a process, without limits for buyers, and a customer who has just registered there and may be the load alone. `npm run build` comes first. */
export async function startRunningStore(settings: Record<string, string>) {
  const port = await findFreePort()
  const store = startStoreProcess({
    PORT: `${port}`,
    LOG_LEVEL: 'warn',
    BUYER_LIMITS: 'off',
    ADMIN_PASSWORD: 'correct horse battery',
    ...settings,
  })
  await store.ready
  const address = `http://127.0.0.1:${port}`

  /** Asks at the store's door, with an end: what is not answered in `withinMs` is a hang, and rejects. */
  async function ask(method: string, where: string, { bearer, body, withinMs = 30_000 }: RequestOptions = {}): Promise<TimedResponse> {
    const asked = performance.now()
    const answer = await fetch(address + where, {
      method,
      headers: {
        origin: address,
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(withinMs),
    })
    const said = await answer.text()
    return {
      path: where,
      status: answer.status,
      body: said,
      retryAfter: answer.headers.get('retry-after'),
      afterMs: performance.now() - asked,
    }
  }

  const enter = async (call: string, body: Record<string, string> & { email: string }) => {
    const provided: { token: string } = JSON.parse((await ask('POST', `/api/auth/${call}/email`, { body })).body)
    const taken = await ask('PUT', `/api/user/${body.email}`, { bearer: provided.token, body: { email: body.email } })
    assert.equal(taken.status, 200, taken.body)
    const { token }: { token: string } = JSON.parse(taken.body)
    return token
  }
  const password = 'correct horse battery'
  const email = `ada.${crypto.randomUUID()}@shop.example`
  const customer = await enter('sign-up', { name: 'Ada', email, password })
  const tools: Product[] = JSON.parse((await ask('GET', '/api/tools')).body)
  const [tool] = tools
  assert.ok(tool, 'the store has a catalogue')

  let uncachedPages = 0
  return {
    ...store,
    /** for a test that broke off: whoever wants to know how it ended asks `stop` */
    [Symbol.asyncDispose]: async () => void (await store.stop()),
    address,
    request: ask,
    email,
    customer,
    signInAsAdmin: () => enter('sign-in', { email: 'admin@nucleus.example', password }),
    products: tools,
    /** a page that has not been rendered yet, and asks the database: each time another */
    uncachedPage: () => `/products/${tool._id}?quantity=${++uncachedPages}`,
    /** orders the smallest quantity of a tool */
    placePurchase: ({ _id, name, price, minimum_order_quantity: productQuantity }: Product = tool, asked: RequestOptions = {}) =>
      ask('POST', '/api/purchase', {
        ...asked,
        bearer: customer,
        body: { toolId: _id, productName: name, productQuantity, productCost: price * productQuantity, buyerAddress: '1 Road' },
      }),
  }
}

type RequestOptions = { bearer?: string; body?: unknown; withinMs?: number }
export type RunningStore = Awaited<ReturnType<typeof startRunningStore>>
export type Product = { _id: string; name: string; price: number; minimum_order_quantity: number; available_quantity: number }

/** The one way to say that the store cannot at the moment: 503, when to come again, and words that hide the inside. */
export function assertServiceUnavailable({ path: asked, status, body, retryAfter }: TimedResponse) {
  assert.equal(status, 503, `${asked}: ${status} ${body.slice(0, 200)}`)
  assert.match(retryAfter ?? '', /^[1-9]\d*$/, `${asked}: Retry-After`)
  assert.doesNotMatch(body, /ECONN|Failed query|select |\bat \w+ \(/, asked)
  if (body.startsWith('{')) assert.deepEqual(Object.keys(JSON.parse(body)), ['message', 'code'])
  else assert.match(body, /<h1[^>]*>This page could not be shown/, asked)
}

/** The embedded PostgreSQL of this data folder: its process, and its own program that restarts and stops it. */
export function embeddedPostgresControl(dataDir: string) {
  const data = path.join(embeddedDatabaseDir(dataDir), 'data')
  const pid = Number(fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const program = fs.readlinkSync(`/proc/${pid}/exe`)
  const { uid, gid } = fs.statSync(data)
  const control = (...args: string[]) =>
    new Promise<number | null>((resolve) =>
      spawn(path.join(path.dirname(program), 'pg_ctl'), [...args, '-D', data], { uid, gid, cwd: '/', stdio: 'ignore' }).on('exit', resolve),
    )
  return { pid, data, log: path.join(embeddedDatabaseDir(dataDir), 'postgres.log'), control }
}

const patienceMs = 60_000

/** Waits until this is so; after a minute it is not going to be. */
export async function waitUntil<T>(what: string, ask: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const answer = await ask()
    if (answer) return answer
    await new Promise((wait) => setTimeout(wait, 20))
  }
  throw new Error(`Waited in vain: ${what}`)
}
