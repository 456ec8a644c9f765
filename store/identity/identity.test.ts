import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APIError } from 'better-auth'
import { eq, sql } from 'drizzle-orm'
import { createEmptyDatabase } from '#test/postgres.ts'
import { type Actor, anEmptyStore, testPassword } from '#test/store.ts'
import { openTestPool } from '#test/test-database.ts'
import { ensureFirstOwner } from './rules.ts'
import { createSignInProvider } from './sign-in-provider.ts'
import { sessions, signInMethods, users } from './table.ts'

const eve = { name: 'Eve', email: 'eve@shop.example', password: 'a good long password' }

const register = (actor: Actor, wish: object = eve) => actor.request('POST', '/auth/sign-up/email', wish)
const signIn = (actor: Actor, email: string, secret: string) => actor.request('POST', '/auth/sign-in/email', { email, password: secret })
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
type Answer = Awaited<ReturnType<Actor['request']>>
const cookieOf = (answer: Answer): Record<string, string> => ({
  cookie: [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
})
const ownOrders = (actor: Actor, email: string, headers: Record<string, string>) =>
  actor.request('GET', `/purchase?buyerEmail=${email}`, undefined, headers)

test('a session of an account that is removed opens nothing, young or due to be lengthened, and nor does a signed token that is made up', async () => {
  await using store = await anEmptyStore()
  const { visitor } = store
  const registered = await register(visitor)
  const plain = bearer(registered.json().token)
  const signed = bearer(decodeURIComponent(/session_token=([^;]+)/.exec(`${registered.headers['set-cookie']}`)?.[1] ?? ''))
  const ask = (headers: Record<string, string>) => ownOrders(visitor, eve.email, headers)
  for (const headers of [plain, signed]) assert.equal((await ask(headers)).statusCode, 200)
  const tries = () =>
    Promise.all([
      ...[plain, signed, bearer('made.up')].map(ask),
      ...[plain, signed].map((headers) => visitor.request('PUT', `/user/${eve.email}`, { email: eve.email }, headers)),
    ])
  await store.db.update(users).set({ removedAt: new Date() }).where(eq(users.email, eve.email)) // its sessions are left
  for (const answer of await tries()) assert.deepEqual([answer.statusCode, answer.json().message], [401, 'Sign in first'])
  await store.db.update(sessions).set({ expiresAt: sql`now() + interval '1 hour'` })
  for (const answer of await tries()) assert.deepEqual([answer.statusCode, answer.json().message], [401, 'Sign in first'])
})

test('who registers is signed in at once', async () => {
  await using store = await anEmptyStore()

  const registered = await register(store.visitor)

  assert.equal(registered.statusCode, 200, registered.body)
  assert.deepEqual(registered.json().user, { name: 'Eve', email: eve.email })
  assert.equal((await ownOrders(store.visitor, eve.email, bearer(registered.json().token))).statusCode, 200)
})

test('who has registered signs in with the password, whatever the case of the e-mail', async () => {
  await using store = await anEmptyStore()
  await register(store.visitor, { ...eve, email: 'Eve@Shop.Example' })

  for (const email of ['eve@shop.example', 'EVE@SHOP.EXAMPLE', ' Eve@shop.example ']) {
    const signedIn = await signIn(store.visitor, email, eve.password)
    assert.equal(signedIn.statusCode, 200, email)
    const taken = await store.visitor.request('PUT', `/user/${encodeURIComponent(email)}`, { email }, bearer(signedIn.json().token))
    assert.equal(taken.statusCode, 200, taken.body)
    assert.equal((await ownOrders(store.visitor, 'EVE@shop.example', bearer(taken.json().token))).statusCode, 200)
  }
})

test('a wrong password and an unknown e-mail are refused with the same words', async () => {
  await using store = await anEmptyStore()
  await register(store.visitor)

  const [wrong, unknown] = [
    await signIn(store.visitor, eve.email, 'another long password'),
    await signIn(store.visitor, 'nobody@shop.example', eve.password),
  ]

  assert.deepEqual(
    [wrong.statusCode, wrong.json()],
    [401, { message: 'The e-mail or the password is not right', code: 'invalid_credentials' }],
  )
  assert.deepEqual([unknown.statusCode, unknown.json()], [wrong.statusCode, wrong.json()])
  for (const refused of [wrong, unknown]) assert.equal(refused.headers['set-cookie'], undefined)
})

test('an e-mail that has an account cannot register again, in whatever case', async () => {
  await using store = await anEmptyStore()
  await register(store.visitor)

  for (const email of [eve.email, 'EVE@shop.example']) {
    const again = await register(store.visitor, { ...eve, email, password: 'taken over by another' })
    assert.equal(again.statusCode, 422)
    assert.equal(again.json().message, 'This e-mail has an account already: sign in instead')
  }

  assert.equal((await signIn(store.visitor, eve.email, 'taken over by another')).statusCode, 401)
})

test('a registration with a wrong field is refused in words for that field', async () => {
  await using store = await anEmptyStore()

  for (const [field, values, message] of [
    ['name', ['', '  ', null], 'Enter your full name'],
    ['email', ['eve', 'eve@', 'eve@shop'], 'This is not an e-mail address'],
    ['email', ['', ' '], 'Enter your e-mail'],
    ['password', ['short', '1234567'], 'Use 8 characters or more'],
    ['password', ['x'.repeat(1001)], 'At most 1000 characters'],
  ] as const)
    for (const value of values) {
      const answer = await register(store.visitor, { ...eve, [field]: value })
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { message, errors: { [field]: message }, code: 'invalid_request' }],
        `${field} ${value}`,
      )
    }
})

test('nobody becomes an admin or verified by saying so at the registration', async () => {
  await using store = await anEmptyStore()

  const registered = await register(store.visitor, { ...eve, role: 'admin', emailVerified: true, id: 'chosen', image: 'x' })

  const { token } = registered.json()
  assert.equal((await store.visitor.request('GET', `/admin/${eve.email}`, undefined, bearer(token))).json().admin, false)
  assert.equal((await store.visitor.request('GET', '/bookings', undefined, bearer(token))).statusCode, 403)
  const [row] = await store.db.select().from(users).where(eq(users.email, eve.email))
  assert.deepEqual([row?.emailVerified, row?.id === 'chosen'], [false, false])
})

test('the sign-in provider takes neither a role nor a removal from who registers, also where the call would let them through', async () => {
  await using store = await anEmptyStore()
  await store.provider.api.signUpEmail({ body: { ...eve, ...{ role: 'admin' } } })
  const [row] = await store.db.select().from(users).where(eq(users.email, eve.email))
  assert.equal(row?.role, 'customer')
  const removed = { ...eve, email: 'removed@shop.example', removedAt: new Date() }
  await assert.rejects(store.provider.api.signUpEmail({ body: removed }), /removedAt is not allowed/)
  assert.equal(await store.db.$count(users, eq(users.email, removed.email)), 0)
})

test('the access token is for who has just signed in as that e-mail, by bearer or by cookie', async () => {
  await using store = await anEmptyStore()
  const registered = await register(store.visitor)
  const body = { email: eve.email }

  for (const proof of [bearer(registered.json().token), cookieOf(registered)]) {
    const taken = await store.visitor.request('PUT', `/user/${eve.email}`, body, proof)
    assert.equal(taken.statusCode, 200, taken.body)
    assert.deepEqual(Object.keys(taken.json()), ['token'])
    assert.equal((await ownOrders(store.visitor, eve.email, bearer(taken.json().token))).statusCode, 200)

    for (const email of [store.admin.email, 'nobody@shop.example']) {
      const others = await store.visitor.request('PUT', `/user/${email}`, { email }, proof)
      assert.deepEqual([others.statusCode, others.json().token], [403, undefined])
    }
  }

  for (const proof of [
    {},
    bearer('x'),
    bearer(''),
    { cookie: 'nucleus.session_token=x.y' },
    { cookie: `nucleus.session_token=${registered.json().token}` },
  ])
    assert.equal((await store.visitor.request('PUT', `/user/${eve.email}`, body, proof)).statusCode, 401, JSON.stringify(proof))
})

test('a cookie alone opens no other call', async () => {
  await using store = await anEmptyStore()
  const cookie = cookieOf(await signIn(store.visitor, store.admin.email, 'correct horse battery'))
  assert.equal((await store.visitor.request('PUT', `/user/${store.admin.email}`, {}, cookie)).statusCode, 200, 'the cookie is a good one')

  for (const [method, path] of [
    ['GET', '/bookings'],
    ['GET', `/admin/${store.admin.email}`],
    ['GET', `/purchase?buyerEmail=${store.admin.email}`],
    ['POST', '/tools'],
    ['POST', '/purchase'],
  ] as const)
    for (const headers of [cookie, { ...cookie, ...bearer('made.up') }])
      assert.equal((await store.visitor.request(method, path, method === 'POST' ? {} : undefined, headers)).statusCode, 401, path)
})

test('a token that is none opens nothing', async () => {
  await using store = await anEmptyStore()
  const token = await store.customer.token()

  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${token}x`,
    `Bearer ${token?.slice(1)}`,
    `Basic ${token}`,
    `${token}`,
    'Bearer a b',
    "Bearer ' or '1'='1",
  ])
    assert.equal((await ownOrders(store.visitor, store.customer.email, { authorization })).statusCode, 401, authorization)
})

test('a customer is no admin and an admin no customer, whether their token is plain or signed, young or due to be lengthened', async () => {
  await using store = await anEmptyStore()
  const tokensOf = (answer: Answer) => [
    bearer(answer.json().token),
    bearer(decodeURIComponent(/session_token=([^;]+)/.exec(`${answer.headers['set-cookie']}`)?.[1] ?? '')),
  ]
  const [byCustomer, byAdmin] = [
    tokensOf(await register(store.visitor)),
    tokensOf(await signIn(store.visitor, store.admin.email, testPassword)),
  ]
  const ask = async (path: string, headers: Record<string, string>) =>
    (await store.visitor.request('GET', path, undefined, headers)).statusCode
  for (const due of [false, true])
    for (const [tokens, orders, ownReview] of [
      [byCustomer, 403, 200],
      [byAdmin, 200, 403],
    ] as const)
      for (const headers of tokens) {
        if (due) await store.db.update(sessions).set({ expiresAt: sql`now() + interval '1 hour'` })
        assert.equal(await ask('/bookings', headers), orders)
        if (due) await store.db.update(sessions).set({ expiresAt: sql`now() + interval '1 hour'` })
        assert.equal(await ask('/reviews/own', headers), ownReview)
      }
})

test('made-up tokens are looked up four at a time, whatever call they come with, and keep neither readers nor who has just signed in from theirs', async () => {
  await using store = await anEmptyStore()
  const { email } = store.customer
  await store.customer.token()
  const waiting = () =>
    store.db.execute<{ many: number }>(sql`select count(*)::integer as many from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)

  for (const [method, path] of [
    ['GET', '/auth/session'],
    ['POST', '/auth/sign-out'],
    ['PUT', `/user/${email}`],
    ['GET', `/purchase?buyerEmail=${email}`],
  ] as const) {
    const stranger = store.visitorFrom('192.0.2.1')
    const { token } = (await signIn(store.visitor, email, testPassword)).json()
    assert.equal((await store.customer.request('GET', `/purchase?buyerEmail=${email}`)).statusCode, 200)
    const seen = bearer((await store.customer.token()) ?? '')
    const { asked, entered, goingOn } = await store.db.transaction(async (tx) => {
      await tx.execute(sql`lock table sessions in access exclusive mode`)
      const asked = Array.from({ length: 600 }, async () =>
        stranger.request(method, path, method === 'GET' ? undefined : { email }, { ...bearer(crypto.randomUUID()), origin: store.origin }),
      )
      assert.equal((await asked.at(-1))?.statusCode, 503, `${method} ${path}: the last of 600 is refused at once`)
      assert.equal((await store.visitor.request('GET', '/reviews')).statusCode, 200, 'who reads is answered meanwhile')
      assert.ok(((await waiting()).rows[0]?.many ?? 0) <= 4, `${method} ${path}`)
      const entered = ownOrders(store.visitorFrom('198.51.100.1'), email, bearer(token))
      const goingOn = ownOrders(stranger, email, seen)
      await store.visitor.request('GET', '/reviews')
      return { asked, entered, goingOn }
    })
    assert.equal((await goingOn).statusCode, 200, 'nor does who goes on with a token that was seen before, in the same network')
    assert.equal((await entered).statusCode, 200, 'who has just signed in waits for none of them')
    const statuses = new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))
    assert.deepEqual([...statuses].sort(), [path === '/auth/sign-out' ? 200 : 401, 503])
  }
})

test('a token that has expired opens nothing', async () => {
  await using store = await anEmptyStore()
  const token = (await store.customer.token()) ?? ''
  assert.equal((await ownOrders(store.customer, store.customer.email, {})).statusCode, 200)

  await store.db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.token, token))

  assert.equal((await ownOrders(store.customer, store.customer.email, {})).statusCode, 401)
  assert.equal((await store.customer.request('PUT', `/user/${store.customer.email}`, {})).statusCode, 401)
})

test('a token ends 18 hours after its last use', async () => {
  await using store = await anEmptyStore()
  const token = (await store.customer.token()) ?? ''
  const which = eq(sessions.token, token)
  const hoursLeft = async () => {
    const [session] = await store.db.select().from(sessions).where(which)
    return Number((((session?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000).toFixed(2))
  }
  assert.equal(await hoursLeft(), 18)

  await store.db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() + 60_000) })
    .where(which)
  assert.equal((await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).statusCode, 200)

  assert.equal(await hoursLeft(), 18, 'each use gives it 18 hours again')
})

test('signing out ends the token at once, and no other', async () => {
  await using store = await anEmptyStore()
  const here = (await register(store.visitor)).json().token
  const there = (await signIn(store.visitor, eve.email, eve.password)).json().token

  assert.equal((await store.visitor.request('POST', '/auth/sign-out', {}, bearer(here))).statusCode, 200)

  assert.equal((await ownOrders(store.visitor, eve.email, bearer(here))).statusCode, 401)
  assert.equal((await store.visitor.request('PUT', `/user/${eve.email}`, {}, bearer(here))).statusCode, 401)
  assert.equal((await ownOrders(store.visitor, eve.email, bearer(there))).statusCode, 200)
})

test('whether an account is an admin is told to itself and to admins', async () => {
  await using store = await anEmptyStore()

  const ask = (actor: Actor, email: string) => actor.request('GET', `/admin/${email}`)
  assert.deepEqual((await ask(store.customer, store.customer.email)).json(), { admin: false })
  assert.deepEqual((await ask(store.customer, 'ADA@shop.example')).json(), { admin: false })
  assert.deepEqual((await ask(store.admin, store.admin.email)).json(), { admin: true })
  assert.deepEqual((await ask(store.admin, store.customer.email)).json(), { admin: false })
  assert.deepEqual((await ask(store.admin, 'nobody@shop.example')).json(), { admin: false })
  for (const email of [store.admin.email, store.otherCustomer.email, 'nobody@shop.example'])
    assert.equal((await ask(store.customer, email)).statusCode, 403, email)
  assert.equal((await ask(store.visitor, store.customer.email)).statusCode, 401)
})

test('the provider has no other calls in the store than those that the store describes', async () => {
  await using store = await anEmptyStore()
  for (const path of ['/auth/get-session', '/auth/list-sessions', '/auth/ok', '/auth/update-user', '/auth/sign-in/social', '/auth/error'])
    for (const method of ['GET', 'POST'] as const)
      assert.equal((await store.customer.request(method, path, method === 'POST' ? {} : undefined)).statusCode, 404, `${method} ${path}`)
})

/** A database with the sign-in provider and no first admin yet. */
async function aFirstStart() {
  const database = await createEmptyDatabase()
  const { db, pool } = openTestPool(database.connectionString)
  const provider = createSignInProvider(db, {
    secret: 'a secret of thirty-two characters',
    origins: ['http://localhost:3000'],
    sendEmail: () => {},
  })
  return {
    start: (email: string, password?: string) => ensureFirstOwner(db, provider, { email, password }),
    register: () => provider.api.signUpEmail({ body: eve }),
    signIn: (email: string, password: string) => provider.api.signInEmail({ body: { email, password } }),
    verify: async () => {
      await db.update(users).set({ emailVerified: true })
      await db.update(signInMethods).set({ emailProvenAt: new Date() })
    },
    loseTheOwner: () => db.update(users).set({ role: 'customer', owner: false, removedAt: new Date() }).where(eq(users.owner, true)),
    users: () => db.select({ email: users.email, role: users.role, verified: users.emailVerified }).from(users),
    [Symbol.asyncDispose]: async () => {
      await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('while the sign-in provider cannot look up a session, a call is refused for now and nobody is signed out', async (t) => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.db.update(sessions).set({ expiresAt: sql`now() + interval '1 hour'` }) // due for renewal, by the provider
  t.mock.method(store.provider.api, 'getSession', async () => {
    throw new APIError('INTERNAL_SERVER_ERROR')
  })
  const asked = await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)
  assert.equal(asked.statusCode, 503, asked.body)
})

test('the first start makes one admin, with a password that is told once, and later starts change nothing', async () => {
  await using it = await aFirstStart()

  const password = (await it.start('owner@shop.example')) ?? ''
  assert.match(password, /^[\w-]{12,}$/)
  assert.ok((await it.signIn('owner@shop.example', password)).token)

  assert.equal(await it.start('owner@shop.example', 'another password'), undefined)
  assert.equal(await it.start('another@shop.example', 'another password'), undefined)
  assert.deepEqual(await it.users(), [{ email: 'owner@shop.example', role: 'admin', verified: true }])
  await assert.rejects(it.signIn('owner@shop.example', 'another password'))
})

test('first starts at the same moment make one admin', async () => {
  await using it = await aFirstStart()

  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => it.start(`${name}@shop.example`)))

  assert.equal(made.filter(Boolean).length, 1)
  assert.equal((await it.users()).length, 1)
})

test('the first admin who has an account already is promoted, with its password only where its e-mail was verified', async () => {
  for (const verified of [true, false]) {
    await using it = await aFirstStart()
    await it.register()
    if (verified) await it.verify()

    assert.equal(await it.start(eve.email, 'another password'), undefined)

    assert.deepEqual(await it.users(), [{ email: eve.email, role: 'admin', verified: true }])
    const [works, refused] = verified ? [eve.password, 'another password'] : ['another password', eve.password]
    assert.ok((await it.signIn(eve.email, works)).token)
    await assert.rejects(it.signIn(eve.email, refused))
  }
})

test('a start makes an owner again where none is left: of a removed account, or of one that is no owner', async () => {
  await using it = await aFirstStart()
  await it.register()
  const password = (await it.start('owner@shop.example')) ?? ''
  await it.loseTheOwner()

  assert.equal(await it.start('owner@shop.example'), undefined)

  assert.ok((await it.signIn('owner@shop.example', password)).token)
  const owner = { email: 'owner@shop.example', role: 'admin', verified: true }
  assert.deepEqual(
    (await it.users()).filter(({ role }) => role === 'admin'),
    [owner],
  )
  assert.equal(await it.start(eve.email), undefined)
  assert.deepEqual(
    (await it.users()).filter(({ role }) => role === 'admin'),
    [owner],
    'an owner is left: nobody else is made one',
  )
})

test('a long e-mail address works like any other, as long as it is one', async () => {
  await using store = await anEmptyStore()
  const ofLength = (local: number, all: number) =>
    `${'a'.repeat(local)}@${`${'d'.repeat(60)}.`.repeat(4)}`.slice(0, all - '.example'.length).concat('.example')
  const longest = ofLength(64, 254)
  assert.equal(longest.length, 254)
  const registered = await register(store.visitor, { ...eve, email: longest })
  assert.equal(registered.statusCode, 200, registered.body)
  assert.equal((await ownOrders(store.visitor, longest, bearer(registered.json().token))).statusCode, 200)

  for (const [email, message] of [
    [ofLength(65, 200), 'An e-mail address has at most 64 characters before the @'],
    [ofLength(64, 255), 'An e-mail address has at most 254 characters'],
  ])
    assert.deepEqual((await register(store.visitor, { ...eve, email })).json(), {
      message,
      errors: { email: message },
      code: 'invalid_request',
    })
})

test('a name is a name: no web address, no line break, and 80 characters', async () => {
  await using store = await anEmptyStore()
  for (const [nth, name] of [
    "Dr. J. O'Neill-Smith, Jr.",
    'A.B.C. Ltd',
    'Maersk A/S',
    'Ph.D. Jean-Luc d’Arc',
    'Николай Римский-Корсаков',
    'J. Smith',
    'St. John',
    'A.B. Meyer',
    'Anna M.K. Lee',
    'J.-P. Sartre',
    'Nakamura Co. Ltd.',
    'モーニング娘。',
    'n'.repeat(80),
  ].entries()) {
    const registered = await register(store.visitorFrom(`10.9.0.${nth}`), { ...eve, name, email: `eve${nth}@shop.example` })
    assert.deepEqual([registered.statusCode, registered.json().user?.name], [200, name], registered.body)
  }
  const webAddress = 'A name has no web address in it: leave it out, or put a space after the dot'
  const control = 'A name stands on one line, without control characters'
  for (const [name, message] of [
    ['Win at https://evil.example', webAddress],
    ['Win at www.evil', webAddress],
    ['Win at t.co/win', webAddress],
    ['Win at evil.example', webAddress],
    ['Win at t.co', webAddress],
    ['Win at 💩.la', webAddress],
    ['Win at i❤.ws', webAddress],
    ['Win at 1.1.1.1', webAddress],
    ['Go to hp.com', webAddress],
    ['x.ai', webAddress],
    ['Win at 192.0.2.44', webAddress],
    ['evil．example', webAddress],
    ['evil。example', webAddress],
    ['evil｡example', webAddress],
    ['www．evil', webAddress],
    ['evil\u200b.\u00adexample', webAddress],
    ['उदाहरण.भारत', webAddress],
    ['Dr.No', webAddress],
    ['Win\nCall us', control],
    ['Win\u2028Call us', control],
    ['Win \u202egnp.exe', control],
    ['n'.repeat(81), 'At most 80 characters'],
  ])
    assert.deepEqual(
      (await register(store.visitor, { ...eve, name })).json(),
      { message, errors: { name: message }, code: 'invalid_request' },
      name,
    )
})

test('a stranger learns nothing from PUT /user, not even that the body is wrong', async () => {
  await using store = await anEmptyStore()
  assert.equal((await store.visitor.request('PUT', '/user/ada@shop.example', { email: 5 })).statusCode, 401)
})
