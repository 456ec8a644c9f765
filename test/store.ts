import assert from 'node:assert/strict'
import path from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { openCardSandbox } from '#demo/card-sandbox/sandbox.ts'
import { openAfterwards } from '#platform/afterwards.ts'
import { describeApi } from '#platform/api-document.ts'
import { type Http, type HttpSettings, openHttp } from '#platform/http.ts'
import { openJobs } from '#platform/jobs.ts'
import type { Letter, Mailer } from '#platform/mail.ts'
import { openPlaces } from '#platform/places.ts'
import { Refusal } from '#platform/refusal.ts'
import { readSettings, type Settings } from '#platform/settings.ts'
import { openSearch } from '#store/catalogue/search/live-index.ts'
import type { GoogleClient } from '#store/identity/provider.ts'
import { makeFirstAdmin } from '#store/identity/rules.ts'
import { openSignIn } from '#store/identity/sign-in.ts'
import { readContent } from '#store/pages/content.ts'
import { checkBooks } from '#store/payments/books.ts'
import { connectSandbox, connectStripe } from '#store/payments/card-provider.ts'
import { openRooms, openWork } from '#store/rooms.ts'
import { anEmptyHouse } from './changes.ts'
import { freePort } from './process.ts'
import './quick-passwords.ts'

export type Answer = LightMyRequestResponse

/** Somebody at the store's door. `ask` goes in with the access token, if they have one. */
export type Actor = {
  name: string
  email: string
  token(): Promise<string | undefined>
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

type Wish = {
  cards?: boolean
  wrongBooks?: boolean
  google?: (origin: string) => GoogleClient | Promise<GoogleClient>
  http?: HttpSettings
  buyerLimits?: Settings['buyerLimits'] | 'off'
  holdMinutesFirst?: number
  reads?: { places: number; queue: number }
}
const defaults = readSettings({})
const noIssuer = () => ({ clientId: 'store', clientSecret: 'secret', issuer: 'http://127.0.0.1:9' })

/** Everybody's. */
export const password = 'correct horse battery'
const adminEmail = 'owner@store.example'

/**
 * A store with nothing in it, on a database of its own, without screens. Everybody goes in by the door.
 * @param cards with the card sandbox, and the store listening so that the sandbox's webhook reaches it
 * @param google the issuer that Google sign-ins go to, given the store's origin; without it there is none
 * @param wrongBooks the test leaves the books wrong on purpose: otherwise they must be right at its end
 * @param http other settings of its HTTP server
 * @param buyerLimits what a buyer may have waiting for payment, where the test is about other figures than the defaults, or about none
 * @param reads where open calls read the database, where the test is about that
 * @param holdMinutesFirst a day as for everybody unless the test is about it: with less, whether a hold ends today depends on the hour
 */
export async function anEmptyStore({
  cards: withCards = false,
  wrongBooks = false,
  google = noIssuer,
  http = {},
  buyerLimits = defaults.buyerLimits,
  holdMinutesFirst = defaults.holdMinutes,
  reads,
}: Wish = {}) {
  const { opened, connectionString, db, pool, changes } = await anEmptyHouse()

  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const sent: Letter[] = []
  const mailer: Mailer = { send: async (letter) => void sent.push(letter), close: () => {} }
  const afterwards = openAfterwards((what, error) => console.error(what, error))
  opened.defer(() => afterwards.close())
  const secret = 'a secret of thirty-two characters'
  const signIn = openSignIn(db, { secret, origins: [origin], google: await google(origin), mailer, afterwards })
  await makeFirstAdmin(db, signIn.provider, { email: adminEmail, password })
  const sandbox = withCards
    ? await openCardSandbox({ connectionString, port: port + 1, webhookUrl: `${origin}/webhooks/stripe` })
    : undefined
  if (sandbox) opened.defer(() => sandbox.close())
  const cards = sandbox
    ? connectSandbox(sandbox)
    : connectStripe({ secretKey: 'sk_test_none', publishableKey: 'pk_test_none', webhookSecret: 'whsec_none' })

  const content = await readContent(path.join(import.meta.dirname, '../content'))
  const app = openHttp({ answerMs: 60_000, ...http }) // no test judges speed
  describeApi(app, { title: 'Nucleus of PC', version: '1', publicUrl: origin })
  const jobs = openJobs(pool, (name, error) => {
    if (!(error instanceof Refusal)) console.error(name, error)
  })
  opened.defer(() => jobs.close())
  const search = openSearch(db, changes, (error) => console.error(error))
  opened.defer(() => search.close())
  await search.ready
  const rooms = {
    ...{ db, changes, afterwards, signIn, cards, content, jobs, mailer, search },
    reads: openPlaces({ ...{ places: 6, queue: 500, waitMs: 60_000 }, ...reads, before: async () => {} }),
    publicUrl: origin,
    holdMinutes: defaults.holdMinutes,
    holdMinutesFirst,
    buyerLimits: buyerLimits === 'off' ? undefined : buyerLimits,
  }
  openRooms(app, rooms)
  openWork(rooms)
  if (sandbox) await app.listen({ port, host: '127.0.0.1' })
  opened.defer(() => app.close())

  const faults = async () => (await checkBooks(db, sandbox && cards)).flatMap(({ faults }) => faults)

  return {
    db,
    connectionString,
    /** hashes passwords, for rules that make accounts */
    provider: signIn.provider,
    /** what is wrong with the books */
    faults,
    cards,
    origin,
    changes,
    app,
    jobs,
    search,
    sandbox,
    /** the mails to this address so far, oldest first */
    mailsTo: async (email: string): Promise<Letter[]> => {
      await afterwards.close()
      await jobs.rest()
      return sent.filter(({ to }) => to === email)
    },
    visitor: nobody(app, freshAddress),
    /** a visitor who always comes from this address */
    visitorFrom: (address: string): Actor => nobody(app, () => address),
    customer: account(app, 'Ada', 'ada@shop.example'),
    otherCustomer: account(app, 'Bob', 'bob@shop.example'),
    admin: account(app, 'Store owner', adminEmail),
    newcomer: (name: string) => account(app, name, `${name.toLowerCase()}@shop.example`),
    /** Ends the store; whatever the test was about, the books must be right. */
    async [Symbol.asyncDispose]() {
      await using _ = opened
      await app.close()
      await jobs.rest()
      if (!wrongBooks) assert.deepEqual(await faults(), [], 'the books are wrong')
    },
  }
}

export type Store = Awaited<ReturnType<typeof anEmptyStore>>

function knock(
  app: Http,
  method: Parameters<Actor['ask']>[0],
  path: string,
  body: unknown,
  headers: Record<string, string>,
  remoteAddress: string,
): Promise<Answer> {
  return app.inject({ method, url: `/api${path}`, remoteAddress, headers, ...(body !== undefined && { payload: body as object }) })
}

let addresses = 0
const freshAddress = () => `10.0.${(++addresses >> 8) & 255}.${addresses & 255}`

function nobody(app: Http, from: () => string): Actor {
  return {
    name: '',
    email: '',
    token: async () => undefined,
    ask: (method, path, body, headers = {}) => knock(app, method, path, body, headers, from()),
  }
}

/** Signs in when first needed; whoever has no account registers. */
function account(app: Http, name: string, email: string): Actor {
  const from = freshAddress()
  let entered: Promise<string> | undefined
  async function enter() {
    const way = email === adminEmail ? 'sign-in' : 'sign-up'
    const provided = await knock(app, 'POST', `/auth/${way}/email`, { name, email, password }, {}, from)
    const taken = await knock(app, 'PUT', `/user/${email}`, { email }, { authorization: `Bearer ${provided.json().token}` }, from)
    if (taken.statusCode !== 200) throw new Error(`${name} could not come in: ${provided.body} ${taken.body}`)
    return taken.json().token as string
  }
  const token = () => (entered ??= enter())
  return {
    name,
    email,
    token,
    ask: async (method, path, body, headers = {}) =>
      knock(app, method, path, body, { authorization: `Bearer ${await token()}`, ...headers }, from),
  }
}
