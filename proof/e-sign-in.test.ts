import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { clearExhaustedKeyCache, rateLimits } from '#platform/rate-limits.ts'
import * as identity from '#store/identity/rules.ts'
import { signInLimitKey } from '#store/identity/sign-in-limits.ts'
import { users, verifications } from '#store/identity/table.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store, testPassword } from '#test/store.ts'
import { snapshotAllTables } from './database-snapshot.ts'
import { sampleSize } from './full-run.ts'
import {
  cookieHeaderFrom,
  createMockIssuer,
  forgedIdTokens,
  getSession,
  googleUserClaims,
  type IssuerBehaviour,
  returnFromGoogle,
  signInWithGoogle,
  startGoogleSignIn,
} from './mock-oidc-issuer.ts'
import { tokenFromEmail } from './token-from-email.ts'

const wrong = 'guessed wrong again'
const another = 'another good password'
const signIn = (actor: Actor, email: string, secret: string, headers?: Record<string, string>) =>
  actor.request('POST', '/auth/sign-in/email', { email, password: secret }, headers)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** How often each status came. */
const tally = (answers: ApiResponse[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(answers, ({ statusCode }) => statusCode)).map(([status, all]) => [status, all?.length]))

function assertAllHaveToWait(answers: ApiResponse[]) {
  for (const { statusCode, headers, body } of answers.filter(({ statusCode }) => statusCode !== 401)) {
    assert.equal(statusCode, 429, body)
    assert.match(`${headers['retry-after']}`, /^[1-9]\d*$/)
    assert.match(body, /^\{"message":"Too many tries: wait \d+ (seconds|minutes), then try again","code":"too_many_requests"\}$/)
  }
}

async function windowsEnd(store: Store) {
  await store.db.update(rateLimits).set({ endsAt: sql`now() - interval '1 second'` })
  clearExhaustedKeyCache(store.db)
}

test('E1 wrong passwords from one address: ten are looked at, then it has to wait, and the owner elsewhere does not', async (t) => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const { email } = store.customer
  const thief = store.visitorFrom('198.51.100.9')
  const guesses = sampleSize(40, 1000)

  // Some at the same moment, each saying something else of itself: what counts is where the connection comes from.
  const answers: ApiResponse[] = []
  for (let nth = 0; nth < guesses; nth += 20)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, of) => {
          const forged = `192.0.2.${(nth + of) % 250}`
          return signIn(thief, email, wrong, {
            'x-forwarded-for': forged,
            'x-real-ip': forged,
            forwarded: `for=${forged}`,
            'x-nucleus-client-address': forged,
          })
        }),
      )),
    )

  assert.deepEqual(tally(answers), { 401: 10, 429: guesses - 10 })
  assertAllHaveToWait(answers)
  assert.equal((await signIn(thief, email, testPassword)).statusCode, 429, 'the right one has to wait as well')
  assert.equal(
    (await signIn(store.visitorFrom('::ffff:198.51.100.9'), email, testPassword)).statusCode,
    429,
    'the same address in IPv6 writing',
  )
  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 200)
  await windowsEnd(store)
  assert.equal((await signIn(thief, email, testPassword)).statusCode, 200, 'nobody is locked out for good')
  t.diagnostic(`${guesses} guesses, ${tally(answers)[401]} of them looked at`)
})

test('E1 wrong passwords spread over addresses: thirty are looked at, however the e-mail is spelled', async (t) => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const { email } = store.customer
  const spellings = [email, email.toUpperCase(), ` ${email}`, `${email[0]?.toUpperCase()}${email.slice(1)}`]
  const guesses = sampleSize(40, 1000)

  const answers: ApiResponse[] = []
  for (let nth = 0; nth < guesses; nth++) answers.push(await signIn(store.visitor, spellings[nth % 4] ?? email, wrong))

  assert.deepEqual(tally(answers), { 401: 30, 429: guesses - 30 })
  assertAllHaveToWait(answers)
  await windowsEnd(store)
  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 200, 'the owner gets in once the time is over')

  const asAfterThem = { count: guesses, endsAt: sql`now() + interval '15 minutes'` }
  await store.db
    .update(rateLimits)
    .set(asAfterThem)
    .where(eq(rateLimits.key, signInLimitKey(email)))
  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 429)
  await store.visitor.request('POST', '/auth/request-password-reset', { email })
  const token = tokenFromEmail((await store.emailsTo(email)).findLast(({ subject }) => subject.includes('new password')))
  assert.equal((await store.visitor.request('POST', '/auth/reset-password', { token, newPassword: another })).statusCode, 200)
  assert.equal((await signIn(store.visitor, email, another)).statusCode, 200, 'who has the mailbox gets in at once')
  t.diagnostic(`${guesses} guesses from ${guesses} addresses, ${tally(answers)[401]} of them looked at`)
})

test('E1 a customer of IPv6 has a whole network to choose from and counts as one', async () => {
  await using store = await anEmptyStore()
  const answers: ApiResponse[] = []
  for (let nth = 1; nth <= 20; nth++)
    answers.push(await signIn(store.visitorFrom(`2001:db8:1:2:${(nth * 97).toString(16)}::${nth}`), `nobody${nth}@shop.example`, wrong))
  assert.deepEqual(tally(answers), { 401: 10, 429: 10 })
  for (const same of ['2001:DB8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002:0:0:0:1'])
    assert.equal((await signIn(store.visitorFrom(same), 'nobody@shop.example', wrong)).statusCode, 429, same)
  assert.equal((await signIn(store.visitorFrom('2001:db8:1:3::1'), 'nobody@shop.example', wrong)).statusCode, 401, 'the next network')
})

test('E1 behind a proxy the address that the proxy has added counts, whatever the client wrote before it', async () => {
  await using store = await anEmptyStore({ http: { trustProxy: true } })
  const proxy = store.visitorFrom('127.0.0.1')
  const guess = (address: string, nth: number) =>
    signIn(proxy, `nobody${nth}@shop.example`, wrong, { 'x-forwarded-for': `192.0.2.${nth}, 10.0.0.${nth}, ${address}` })
  const answers: ApiResponse[] = []
  for (let nth = 1; nth <= 20; nth++) answers.push(await guess('198.51.100.7', nth))
  assert.deepEqual(tally(answers), { 401: 10, 429: 10 })
  assert.equal((await guess('198.51.100.8', 1)).statusCode, 401, 'another client of the same proxy')
})

test('E1 registration, links, reset mails and Google have limits of their own, and other spellings of a path lead nowhere', async () => {
  await using store = await anEmptyStore()
  const thief = store.visitorFrom('198.51.100.9')
  for (const [path, most, body] of [
    ['/auth/sign-up/email', 30, () => ({ name: 'Eve', email: 'eve@shop.example', password: testPassword })],
    ['/auth/reset-password', 10, () => ({ token: 'x', newPassword: testPassword })],
    ['/auth/verify-email', 10, () => ({ token: 'x' })],
    ['/auth/request-password-reset', 10, (nth: number) => ({ email: `nobody${nth}@shop.example` })],
    ['/auth/sign-in/google', 10, () => ({})],
  ] as const) {
    const answers: ApiResponse[] = []
    for (let nth = 0; nth < most + 3; nth++) answers.push(await thief.request('POST', path, body(nth)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode === 429),
      answers.map((_, nth) => nth >= most),
      path,
    )
  }
  const mails: ApiResponse[] = []
  for (let nth = 0; nth < 8; nth++)
    mails.push(await store.visitor.request('POST', '/auth/request-password-reset', { email: store.admin.email }))
  assert.deepEqual(tally(mails), { 200: 8 }, 'nobody is kept out of their own reset')
  assert.equal((await store.emailsTo(store.admin.email)).length, 5, 'nobody is flooded with mails')

  const spellings = [
    '/auth//sign-in/email',
    '/auth/sign-in/email/',
    '/Auth/Sign-In/Email',
    '/auth/sign-in/%65mail',
    '/auth/./sign-in/email',
  ]
  for (let nth = 0; nth < 10; nth++) await signIn(thief, 'nobody@shop.example', wrong)
  for (const path of spellings) {
    const { statusCode } = await thief.request('POST', path, { email: 'nobody@shop.example', password: wrong })
    assert.ok([404, 429].includes(statusCode), `${path}: ${statusCode}`)
  }
})

/** Accounts of every kind that must look alike from outside: one with a password, one that was removed, one of Google only. */
async function aStoreOfAllKinds() {
  const store = await anEmptyStore()
  await store.customer.token()
  const removed = store.newCustomer('Cy')
  await removed.token()
  await store.admin.request('DELETE', `/user/${removed.email}`)
  const google = 'dora@shop.example'
  await store.db.insert(users).values({ id: 'dora', email: google, name: 'Dora', emailVerified: true })
  return {
    store,
    known: store.customer.email,
    others: { removed: removed.email, google, unknown: 'nobody@shop.example' },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** An answer as somebody sees it who wants to know more. */
const seen = ({ statusCode, body, headers: { date: _, ...headers } }: ApiResponse) => ({ statusCode, body, headers })
const median = (times: number[]) => (times.sort((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(1)

test('E2 a sign-in that fails says the same of every e-mail, known or not', async (t) => {
  await using it = await aStoreOfAllKinds()
  const expected = seen(await signIn(it.store.visitor, it.known, wrong))
  assert.equal(expected.statusCode, 401)
  for (const [kind, email] of Object.entries(it.others))
    assert.deepEqual(seen(await signIn(it.store.visitor, email, wrong)), expected, kind)
  assert.deepEqual(seen(await signIn(it.store.visitor, it.others.removed, testPassword)), expected, 'removed, with the right password')

  // In turns, so that whatever else the machine does falls on all alike.
  const took = Object.entries({ known: it.known, ...it.others }).map(([kind, email]) => ({ kind, email, times: [] as number[] }))
  for (let nth = 0; nth < sampleSize(2, 25); nth++)
    for (const { email, times } of took) {
      const before = performance.now()
      await signIn(it.store.visitor, email, wrong)
      times.push(performance.now() - before)
    }
  t.diagnostic(`median ms: ${took.map(({ kind, times }) => `${kind} ${median(times)}`).join(', ')}`)
})

test('E2 whoever asks for a new password hears the same for every e-mail, and before anything was looked up', async (t) => {
  await using it = await aStoreOfAllKinds()
  const { db, visitor, emailsTo } = it.store
  const reset = (email: string) => visitor.request('POST', '/auth/request-password-reset', { email })

  // While nobody can read the accounts, the answer comes all the same: so neither its words nor its time depend on them.
  const times: string[] = []
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '60s'`) // an answer that does wait would wait for ever
    await tx.execute(sql`lock table ${users}, ${verifications} in access exclusive mode`)
    const expected = seen(await reset(it.known))
    assert.equal(expected.statusCode, 200)
    for (const [kind, email] of Object.entries(it.others)) {
      const before = performance.now()
      assert.deepEqual(seen(await reset(email)), expected, kind)
      times.push(`${kind} ${(performance.now() - before).toFixed(1)}`)
    }
  })

  const resetMails = async (email: string) => (await emailsTo(email)).filter(({ subject }) => subject.includes('new password')).length
  assert.equal(await resetMails(it.known), 1)
  assert.deepEqual([await resetMails(it.others.removed), await resetMails(it.others.unknown)], [0, 0])
  t.diagnostic(`answered while the accounts were locked, ms: ${times.join(', ')}`)
})

/** A store of which every word is heard: its answers, its log at the most talkative, and what it says on the console. */
async function aStoreThatIsOverheard() {
  const heard: string[] = []
  const opened = new AsyncDisposableStack()
  for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const spoken = mock.method(console, way, (...words: unknown[]) => void heard.push(words.map((word) => String(word)).join(' ')))
    opened.defer(() => spoken.mock.restore())
  }
  const settings = { http: { logLevel: 'trace', logStream: { write: (line: string) => void heard.push(line) } } }
  const store = await anEmptyStore(settings).catch(async (error) => {
    await opened.disposeAsync()
    throw error
  })
  opened.use(store)
  const hear = async (asking: Promise<ApiResponse>) => {
    const answer = await asking
    heard.push(answer.body, JSON.stringify(answer.headers))
    return answer
  }
  return {
    store,
    hear,
    heard,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const links = [
  {
    name: 'reset',
    mail: 'Set a new password',
    use: (actor: Actor, token: string) => actor.request('POST', '/auth/reset-password', { token, newPassword: another }),
    ask: (store: Store) => store.visitor.request('POST', '/auth/request-password-reset', { email: store.customer.email }),
  },
  {
    name: 'verification',
    mail: 'Verify your e-mail',
    use: (actor: Actor, token: string) => actor.request('POST', '/auth/verify-email', { token, newPassword: another }),
    ask: (store: Store) => store.customer.request('POST', '/auth/send-verification-email'),
  },
]

for (const { name, mail, use, ask } of links) {
  const newest = async (store: Store) =>
    tokenFromEmail((await store.emailsTo(store.customer.email)).findLast(({ subject }) => subject.startsWith(mail)))

  test(`E3 a ${name} link works once, also when it is used at the same moment, and stands in no answer, log or table`, async (t) => {
    await using it = await aStoreThatIsOverheard()
    const { store, hear, heard } = it
    await store.customer.token()
    await hear(ask(store))
    const token = await newest(store)
    assert.ok(!JSON.stringify(await snapshotAllTables(store.db)).includes(token), 'plainly in the database')

    const used = await Promise.all(Array.from({ length: 8 }, () => hear(use(store.visitor, token))))
    assert.deepEqual(tally(used), { 200: 1, 400: 7 })
    assert.equal((await hear(use(store.visitor, token))).statusCode, 400)
    assert.deepEqual(
      heard.filter((line) => line.includes(token)),
      [],
    )
    assert.ok(!JSON.stringify(await snapshotAllTables(store.db)).includes(token))
    t.diagnostic(`${heard.length} answers, headers and lines of log were searched`)
  })

  for (const [minutes, emailVerified] of name === 'reset'
    ? ([
        [60, true],
        [24 * 60, false],
      ] as const)
    : ([[60, false]] as const))
    test(`E3 a ${name} link${emailVerified ? ' to a verified e-mail' : ''} works for ${minutes} minutes at most`, async () => {
      await using store = await anEmptyStore()
      await store.customer.token()
      await store.db.update(users).set({ emailVerified }).where(eq(users.email, store.customer.email))
      const minutesLater = async (many: number) => {
        const earlier = sql`make_interval(mins => ${many})`
        await store.db.update(verifications).set({ expiresAt: sql`${verifications.expiresAt} - ${earlier}` })
        await store.db.update(rateLimits).set({ endsAt: sql`${rateLimits.endsAt} - ${earlier}` })
      }

      await ask(store)
      const tooOld = await newest(store)
      await minutesLater(minutes)
      const refused = await use(store.visitor, tooOld)
      assert.deepEqual(
        [refused.statusCode, refused.json()],
        [400, { message: 'This link does not work any more: ask for a new one', code: 'invalid_link' }],
      )

      await ask(store)
      const young = await newest(store)
      await minutesLater(minutes - 1)
      assert.equal((await use(store.visitor, young)).statusCode, 200)
    })
}

test('E3 reset mails are counted for as long as a reset link works, so whoever gets no more of them has one that works', async () => {
  await using store = await anEmptyStore()
  const { email } = store.customer
  await store.customer.token()
  await store.emailsTo(email) // the link that verifies the e-mail is there, too, and is deleted
  for (const emailVerified of [false, true]) {
    await store.db.update(users).set({ emailVerified }).where(eq(users.email, email))
    await store.db.delete(rateLimits)
    await store.db.delete(verifications)
    await store.visitor.request('POST', '/auth/request-password-reset', { email })
    await store.emailsTo(email) // they are sent after the response
    const [counted] = await store.db
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, `reset mail to ${email}`))
    const [link] = await store.db.select().from(verifications)
    const secondsApart = Math.abs(Number(counted?.endsAt) - Number(link?.expiresAt)) / 1000
    assert.ok(secondsApart < 60, `verified ${emailVerified}: ${secondsApart} seconds apart`)
  }
})

test('E3 with a new password every sign-in of the account ends, the old password is gone, and the owner is told', async () => {
  await using store = await anEmptyStore()
  const { email } = store.customer
  const here = (await store.customer.token()) ?? ''
  const there: string = (await signIn(store.visitor, email, testPassword)).json().token
  await store.visitor.request('POST', '/auth/request-password-reset', { email })
  const token = tokenFromEmail((await store.emailsTo(email)).findLast(({ subject }) => subject.includes('new password')))

  const tooCommon = await store.visitor.request('POST', '/auth/reset-password', { token, newPassword: 'password1' })
  assert.equal(tooCommon.statusCode, 400)
  assert.equal(
    (await store.visitor.request('POST', '/auth/reset-password', { token, newPassword: another })).statusCode,
    200,
    'is not used up by a slip',
  )

  for (const ended of [here, there])
    assert.equal((await store.visitor.request('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(ended))).statusCode, 401)
  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 401)
  assert.equal((await signIn(store.visitor, email, another)).statusCode, 200)
  assert.equal((await store.emailsTo(email)).at(-1)?.subject, 'Your password for Nucleus of PC was changed')
})

test('E4 a token ends at once with sign-out, new password, loss of the role and removal, and so does the cookie', async () => {
  await using store = await anEmptyStore()
  const ways: [string, boolean, (token: string, email: string) => Promise<unknown>][] = [
    ['sign-out', false, (token) => store.visitor.request('POST', '/auth/sign-out', {}, bearer(token))],
    [
      'new password',
      false,
      async (_, email) => {
        await store.visitor.request('POST', '/auth/request-password-reset', { email })
        await store.visitor.request('POST', '/auth/reset-password', {
          token: tokenFromEmail((await store.emailsTo(email)).findLast(({ subject }) => subject.includes('new password'))),
          newPassword: another,
        })
      },
    ],
    ['loss of the role', true, (_, email) => identity.revokeAdmin(store.db, email)],
    ['removal', false, (_, email) => store.admin.request('DELETE', `/user/${email}`)],
  ]
  for (const [way, asAdmin, end] of ways) {
    const email = `${way.replaceAll(' ', '-')}@shop.example`
    const registered = await store.visitor.request('POST', '/auth/sign-up/email', { name: 'Eve', email, password: testPassword })
    if (asAdmin) await identity.makeAdmin(store.db, email)
    const token: string = registered.json().token
    const cookie = cookieHeaderFrom(registered)
    const knocks = async () => [
      (await store.visitor.request('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(token))).statusCode,
      (await store.visitor.request('GET', asAdmin ? '/bookings' : `/user/${email}`, undefined, bearer(token))).statusCode,
      (await store.visitor.request('PUT', `/user/${email}`, { email }, bearer(token))).statusCode,
      (await store.visitor.request('PUT', `/user/${email}`, { email }, { cookie })).statusCode,
    ]
    assert.deepEqual(await knocks(), [200, 200, 200, 200], way)
    await end(token, email)
    assert.deepEqual(await knocks(), [401, 401, 401, 401], way)
  }
  const [left] = await store.db.select().from(users).where(eq(users.email, 'removal@shop.example'))
  assert.ok(left?.removedAt, 'the account itself stays for the books')
})

const now = () => Math.floor(Date.now() / 1000)
const withToken =
  (make: (claims: Record<string, unknown>) => string): IssuerBehaviour['transformTokenResponse'] =>
  (body, claims) => ({ ...body, id_token: make(claims) })

/** What an issuer could say to somebody's harm, one thing at a time. */
const lies: Record<string, IssuerBehaviour> = {
  'another nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'for another client': { claims: { aud: 'another-shop' } },
  'for nobody': { claims: { aud: undefined } },
  'by another issuer': { claims: { iss: 'https://accounts.evil.example' } },
  'by nobody': { claims: { iss: undefined } },
  'out of date': { claims: { exp: now() - 600 } },
  'not valid yet': { claims: { nbf: now() + 3600 } },
  'alg none': { transformTokenResponse: withToken((claims) => forgedIdTokens.unsigned(claims)) },
  'alg NONE': { transformTokenResponse: withToken((claims) => forgedIdTokens.unsigned(claims, 'NONE')) },
  'RS256 without a signature': { transformTokenResponse: withToken((claims) => forgedIdTokens.unsigned(claims, 'RS256')) },
  'signed with a foreign key': { transformTokenResponse: withToken((claims) => forgedIdTokens.byForeignKey(claims)) },
  'signed with a key that it brings along': { transformTokenResponse: withToken((claims) => forgedIdTokens.byOwnKey(claims)) },
  'signed with the shared secret': { transformTokenResponse: withToken((claims) => forgedIdTokens.bySharedSecret(claims)) },
  'changed after it was signed': {
    transformTokenResponse: (body, claims) => {
      const [header, , signature] = `${body.id_token}`.split('.')
      const changed = Buffer.from(JSON.stringify({ ...claims, email: 'owner@store.example' })).toString('base64url')
      return { ...body, id_token: [header, changed, signature].join('.') }
    },
  },
  'no ID token': { transformTokenResponse: ({ id_token: _, ...body }) => body },
  'no JWT': { transformTokenResponse: withToken(() => 'x.y.z') },
  'e-mail unverified': { claims: { email_verified: false } },
  'e-mail not said to be verified': { claims: { email_verified: undefined } },
  'e-mail verified in words only': { claims: { email_verified: 'true' } },
  'no e-mail': { claims: { email: undefined } },
  'an e-mail that is none': { claims: { email: ['owner@store.example'] } },
  'no subject': { claims: { sub: '' } },
  'an error instead of tokens': { status: 500, transformTokenResponse: () => ({ error: 'server_error' }) },
}

const whoHasAnAccount = async ({ db }: Store) => {
  const { limits: _, verifications: __, ...rest } = await snapshotAllTables(db)
  return rest
}

/** A store with a customer, and an issuer that its Google sign-ins go to. */
async function aStoreWithGoogle({ issuerUp = true } = {}) {
  const opened = new AsyncDisposableStack()
  const issuer = opened.use(await createMockIssuer())
  if (issuerUp) await issuer.start()
  const store = opened.use(await anEmptyStore({ google: issuer.google }))
  await store.customer.token()
  return { store, issuer, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function assertPasswordsGoOn(store: Store) {
  assert.equal((await signIn(store.visitor, store.customer.email, testPassword)).statusCode, 200)
}

test('E5 no lie of an issuer makes or links an account, and nobody comes in by it', async (t) => {
  await using it = await aStoreWithGoogle()
  const { store, issuer } = it
  const before = await whoHasAnAccount(store)

  for (const [lie, behaviour] of Object.entries(lies)) {
    issuer.behaves(behaviour)
    const { answer, to, error, session } = await signInWithGoogle(store)
    assert.deepEqual(
      [answer.statusCode, to.origin, to.pathname, to.hash],
      [302, store.origin, '/login/google', ''],
      `${lie}: ${answer.body}`,
    )
    assert.ok(error && error !== 'unknown', `${lie}: the store did not expect it`)
    assert.equal(session, undefined, lie)
    assert.deepEqual(await whoHasAnAccount(store), before, lie)
  }

  issuer.behaves({})
  const { session } = await signInWithGoogle(store)
  assert.ok(session, 'the truth opens an account')
  assert.deepEqual(await getSession(store, session), { name: googleUserClaims.name, email: googleUserClaims.email })
  await assertPasswordsGoOn(store)
  t.diagnostic(`${Object.keys(lies).length} lies`)
})

test('E5 a way back with the wrong state, from another browser, or with a code that was used leads nowhere', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  const before = await whoHasAnAccount(store)
  const changed = (back: URL, name: string, value?: string) => {
    const url = new URL(back)
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url
  }
  const [mine, theirs] = [await startGoogleSignIn(store), await startGoogleSignIn(store)]
  const stolen = theirs.back.searchParams.get('code') ?? ''
  for (const [what, way] of Object.entries({
    'wrong state': { ...mine, back: changed(mine.back, 'state', 'x'.repeat(32)) },
    'no state': { ...mine, back: changed(mine.back, 'state') },
    "another's state": { ...mine, back: changed(mine.back, 'state', theirs.back.searchParams.get('state') ?? '') },
    'no cookie': { ...mine, cookie: '' },
    "another's browser": { ...mine, cookie: theirs.cookie },
    'no code': { ...(await startGoogleSignIn(store)), back: changed((await startGoogleSignIn(store)).back, 'code') },
  })) {
    const { error, session } = await returnFromGoogle(store, way)
    assert.ok(error, what)
    assert.equal(session, undefined, what)
  }
  assert.equal(mine.asked.searchParams.get('code_challenge_method'), 'S256', 'a code is of use to the browser that asked for it alone')
  assert.notEqual(mine.asked.searchParams.get('code_challenge'), theirs.asked.searchParams.get('code_challenge'))
  const injected = await startGoogleSignIn(store)
  const { error, session } = await returnFromGoogle(store, { ...injected, back: changed(injected.back, 'code', stolen) })
  assert.ok(error && !session, "another's code")
  assert.deepEqual(await whoHasAnAccount(store), before)

  const good = await startGoogleSignIn(store)
  assert.ok((await returnFromGoogle(store, good)).session)
  const after = await whoHasAnAccount(store)
  const again = await returnFromGoogle(store, good)
  assert.ok(again.error && !again.session, 'the same way back a second time')
  const anew = await startGoogleSignIn(store)
  const reused = await returnFromGoogle(store, { ...anew, back: changed(anew.back, 'code', good.back.searchParams.get('code') ?? '') })
  assert.ok(reused.error && !reused.session, 'a code that was used')
  assert.deepEqual(await whoHasAnAccount(store), after)
})

test('E5 while the issuer is down passwords go on, and Google works again without a restart', async () => {
  await using it = await aStoreWithGoogle({ issuerUp: false })
  const { store, issuer } = it
  const begin = () => store.visitor.request('POST', '/auth/sign-in/google', {})

  const down = await begin()
  assert.equal(down.statusCode, 503)
  assert.match(down.json().message, /^Google does not answer at the moment/)
  await assertPasswordsGoOn(store)

  await issuer.start()
  assert.ok((await signInWithGoogle(store)).session)

  const under = await startGoogleSignIn(store)
  await issuer.stop()
  const { error, session } = await returnFromGoogle(store, under)
  assert.ok(error && !session, 'down in the middle of a sign-in')
  await assertPasswordsGoOn(store)

  await issuer.start()
  assert.ok((await signInWithGoogle(store)).session)
})

test('E6 who registers with the e-mail of another shares no account with them when they come by Google', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  const { email } = googleUserClaims
  const intruder: string = (
    await store.visitor.request('POST', '/auth/sign-up/email', { name: 'Eve', email, password: testPassword })
  ).json().token
  const ordersOf = (token: string) => store.visitor.request('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(token))
  const before = await whoHasAnAccount(store)

  const refused = await signInWithGoogle(store)
  assert.deepEqual([refused.error, refused.session], ['account_not_linked', undefined])
  assert.deepEqual(await whoHasAnAccount(store), before)

  // The owner of the mailbox sets a new password: nothing of the intruder's is left, and Google is the same account.
  await store.visitor.request('POST', '/auth/request-password-reset', { email })
  const token = tokenFromEmail((await store.emailsTo(email)).findLast(({ subject }) => subject.includes('new password')))
  assert.equal((await store.visitor.request('POST', '/auth/reset-password', { token, newPassword: another })).statusCode, 200)
  assert.equal((await ordersOf(intruder)).statusCode, 401)
  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 401)
  const { session } = await signInWithGoogle(store)
  assert.ok(session)
  assert.deepEqual(await getSession(store, session), { name: 'Eve', email })
  assert.equal((await store.db.select().from(users).where(eq(users.email, email))).length, 1)
})

test('E6 who comes by Google first keeps the account from whoever registers with that e-mail', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  assert.ok((await signInWithGoogle(store)).session)
  const before = await whoHasAnAccount(store)

  const registered = await store.visitor.request('POST', '/auth/sign-up/email', {
    name: 'Eve',
    email: googleUserClaims.email.toUpperCase(),
    password: testPassword,
  })

  assert.equal(registered.statusCode, 422)
  assert.deepEqual(await whoHasAnAccount(store), before)
  assert.equal((await signIn(store.visitor, googleUserClaims.email, testPassword)).statusCode, 401)
})

test('E6 a removed account does not come back by Google', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  await signInWithGoogle(store)
  await store.admin.request('DELETE', `/user/${googleUserClaims.email}`)
  const { session, error } = await signInWithGoogle(store)
  assert.ok(error && !session)
})

test('E7 Google leads back to the store alone, wherever the visitor says to come from', async (t) => {
  await using it = await aStoreWithGoogle()
  const { store, issuer } = it
  const places = [
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/..//evil.example',
    '@evil.example',
    '.evil.example',
    '/home\r\nSet-Cookie: a=b',
    '/home#@evil.example',
    '&error=x',
  ]
  for (const from of places) {
    const { to, answer, session } = await signInWithGoogle(store, from)
    assert.ok(session, from)
    assert.deepEqual([to.origin, to.pathname, to.searchParams.get('from')], [store.origin, '/login/google', from])
    assert.match(`${answer.headers.location}`, /^\/login\/google\?from=[\w%.*+-]+$/)
  }

  // What somebody writes into the way back, or into the name of the host, leads nowhere else either.
  for (const said of [
    '?error=x&callbackURL=//evil.example&redirect_uri=https://evil.example',
    '?error=//evil.example&error_description=%3Cscript%3E',
    '?code=x&state=https://evil.example',
    '//evil.example',
  ])
    for (const headers of [{}, { host: 'evil.example' }, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }]) {
      const answer = await store.visitor.request('GET', `/auth/callback/google${said}`, undefined, headers as Record<string, string>)
      if (answer.statusCode === 404) continue
      assert.equal(new URL(`${answer.headers.location}`, store.origin).origin, store.origin, said)
    }
  const begun = await store.visitor.request('POST', '/auth/sign-in/google', {}, { host: 'evil.example', origin: store.origin })
  const url = new URL(begun.json().url)
  assert.equal(url.origin, issuer.url)
  assert.equal(url.searchParams.get('redirect_uri'), `${store.origin}/api/auth/callback/google`)
  t.diagnostic(`${places.length} places to come from`)
})
