import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, like, sql } from 'drizzle-orm'
import { limits } from '#platform/limits.ts'
import { passwordHashes, setProvenPassword } from '#store/identity/passwords.ts'
import { knownPlaces, sessions, users } from '#store/identity/table.ts'
import { signInsAs } from '#store/identity/tries.ts'
import { aPaidOrder, aStoreWithCards, heard, sell } from '#test/shopping.ts'
import { type Actor, type Answer, anEmptyStore, password, type Store } from '#test/store.ts'
import { anIssuer, cookieOf, throughGoogle, victim, whoIs } from './issuer.ts'
import { tokenIn } from './mails.ts'
import { howMany } from './size.ts'

const wrong = 'guessed wrong again'
const another = 'another good password'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const register = (actor: Actor, email: string, name = 'Eve') => actor.ask('POST', '/auth/sign-up/email', { name, email, password })
const signIn = (actor: Actor, email: string, secret: string, headers?: Record<string, string>) =>
  actor.ask('POST', '/auth/sign-in/email', { email, password: secret }, headers)
const askForReset = (actor: Actor, email: string) => actor.ask('POST', '/auth/request-password-reset', { email })
const setPassword = (actor: Actor, token: string, newPassword = another) =>
  actor.ask('POST', '/auth/reset-password', { token, newPassword })
const isSignedIn = async (store: Store, email: string, token: string) =>
  (await store.visitor.ask('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(token))).statusCode === 200
const newestLink = async (store: Store, email: string, subject: string) =>
  tokenIn((await store.mailsTo(email)).findLast((mail) => mail.subject.startsWith(subject)))
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ statusCode }) => statusCode))].sort()

/** Strangers have tried wrong passwords at this account for as long as they were looked at. */
async function guessedEnoughAt(store: Store, email: string) {
  const all = { count: 30, endsAt: sql`now() + interval '15 minutes'` }
  await store.db
    .insert(limits)
    .values({ key: signInsAs(email), ...all })
    .onConflictDoUpdate({ target: limits.key, set: all })
}

/** A store whose Google sign-ins go to an issuer that says it is Vera. */
async function aStoreWithGoogle() {
  const opened = new AsyncDisposableStack()
  const issuer = opened.use(await anIssuer())
  await issuer.start()
  const store = opened.use(await anEmptyStore({ google: issuer.google }))
  return { store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test("H6 an attacker who registers somebody else's address sends it a handful of mails, and no words of their own", async (t) => {
  await using store = await anEmptyStore()
  const target = 'target@elsewhere.example'
  const bait = 'Call +1 555 0100 to claim your prize, or look at https://evil.example/claim'
  const tries = howMany(40, 200)
  assert.equal((await register(store.visitor, target, bait.slice(0, 80))).statusCode, 400)
  const { token } = (await register(store.visitor, target, 'Claim your prize')).json()
  const toolId = await sell(store, { dollars: 1, pieces: 1000 })
  const act = (method: 'POST' | 'PUT', path: string, body: object) => store.visitor.ask(method, path, body, bearer(token))
  for (let nth = 0; nth < tries; nth++) {
    await act('POST', '/auth/send-verification-email', {})
    await askForReset(store.visitor, target)
    const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: bait, phone_number: '+1 555 0100' }
    await act('POST', '/purchase', wish)
  }
  // What is not paid ends, which is told by mail as well.
  await store.db.execute(sql`update orders set hold_until = now()`)
  await store.jobs.passAMinute()

  const mails = await store.mailsTo(target)
  const count = (subject: RegExp) => mails.filter((mail) => subject.test(mail.subject)).length
  assert.deepEqual([count(/^Verify/), count(/^Set a new password/), count(/not paid yet$/)], [4, 3, 1])
  assert.equal(mails.length, 10, 'two more that an order has ended')
  for (const { text, html } of mails) for (const words of [text, html]) assert.doesNotMatch(words, /evil\.example|\+1 555 0100/)
  t.diagnostic(`${tries} orders, as many resets and verifications asked for: ${mails.length} mails to the address`)
})

test('H6 who has paid hears of the money by mail, verified or not; where it goes, and of every order, hears who is verified', async () => {
  await using store = await aStoreWithCards()
  await store.otherCustomer.token()
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.otherCustomer.email))
  const toolId = await sell(store)
  for (const [buyer, verified] of [
    [store.customer, false],
    [store.otherCustomer, true],
  ] as const) {
    for (let nth = 0; nth < 3; nth++) await aPaidOrder(store, { toolId, buyer })
    await heard(store)
    const mails = await store.mailsTo(buyer.email)
    const about = (subject: RegExp) => mails.filter((mail) => subject.test(mail.subject))
    assert.deepEqual([about(/^Receipt/).length, about(/not paid yet$/).length], verified ? [3, 3] : [3, 1])
    for (const { text } of [...about(/^Receipt/), ...about(/not paid yet$/)]) assert.equal(text.includes('1 Road'), verified, text)
  }
})

test("H7 a password that was set by who registered somebody else's address does not survive the owner's verification", async () => {
  await using store = await anEmptyStore()
  const { email } = victim
  const intruder: string = (await register(store.visitor, email)).json().token
  const token = await newestLink(store, email, 'Verify')
  const open = (headers = {}, more = {}) => store.visitor.ask('POST', '/auth/verify-email', { token, ...more }, headers)

  const bob = (await store.otherCustomer.token()) ?? ''
  for (const headers of [{}, bearer(bob), bearer('x')]) assert.equal((await open(headers)).statusCode, 409)
  assert.ok(await isSignedIn(store, email, intruder), 'nothing was changed yet')
  assert.equal((await open({}, { newPassword: another })).statusCode, 200)

  assert.equal(await isSignedIn(store, email, intruder), false)
  assert.equal((await signIn(store.visitor, email, password)).statusCode, 401)
  assert.equal((await signIn(store.visitor, email, another)).statusCode, 200)
})

test('H7 linking Google ends an older password and its sessions, unless the link was opened in a session of that password', async () => {
  for (const inOwnSession of [false, true]) {
    await using it = await aStoreWithGoogle()
    const { store } = it
    const { email } = victim
    const older: string = (await register(store.visitor, email)).json().token
    const token = await newestLink(store, email, 'Verify')
    if (inOwnSession) assert.equal((await store.visitor.ask('POST', '/auth/verify-email', { token }, bearer(older))).statusCode, 200)
    else await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email)) // as links did before

    const { session } = await throughGoogle(store)

    assert.ok(session)
    assert.deepEqual(await whoIs(store, session), { name: 'Eve', email })
    assert.equal(await isSignedIn(store, email, older), inOwnSession)
    assert.equal((await signIn(store.visitor, email, password)).statusCode, inOwnSession ? 200 : 401)
    const told = (await store.mailsTo(email)).filter(({ subject }) => subject === 'You sign in to Nucleus of PC with Google now')
    assert.equal(told.length, inOwnSession ? 0 : 1)
    assert.ok((await throughGoogle(store)).session, 'Google goes on')
  }
})

test('H7 a password that a reset link has set goes on beside Google', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  await register(store.visitor, victim.email)
  await askForReset(store.visitor, victim.email)
  await setPassword(store.visitor, await newestLink(store, victim.email, 'Set a new password'))
  assert.ok((await throughGoogle(store)).session)
  assert.equal((await signIn(store.visitor, victim.email, another)).statusCode, 200)
})

test('H8 no sign-in with the old password survives a reset that it overlaps', async (t) => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  let [secret, entered, survived, tried] = [password, 0, 0, 0]
  const rounds = howMany(3, 40)
  for (let round = 0; round < rounds; round++) {
    await store.db.delete(limits)
    await askForReset(store.visitor, email)
    const token = await newestLink(store, email, 'Set a new password')
    const newPassword = `${another} ${round}`
    // Some begin before the reset, some after it: the first of them are being checked while the password changes.
    const begin = () => Promise.all([signIn(store.visitor, email, secret), signIn(store.visitor, email, secret)])
    const [before, reset, after] = await Promise.all([begin(), setPassword(store.visitor, token, newPassword), begin()])
    assert.equal(reset.statusCode, 200, reset.body)
    const answers = [...before, ...after]
    tried += answers.length
    for (const answer of answers)
      if (answer.statusCode === 200) {
        entered++
        if (await isSignedIn(store, email, answer.json().token)) survived++
      } else assert.equal(answer.statusCode, 401, answer.body)
    secret = newPassword
  }
  assert.equal(survived, 0)
  t.diagnostic(`${tried} sign-ins around ${rounds} resets: ${entered} came in with the old password, ${survived} stayed`)
})

test('H8 a session that is written after the reset has ended all others ends as well', async () => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  const [owner] = await store.db.select().from(users).where(eq(users.email, email))
  assert.ok(owner)
  const hash = await passwordHashes.hash(another)
  await store.db.execute(sql`create function wait_for_lock() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await store.db.execute(sql`create trigger wait_for_lock before insert on sessions for each row execute function wait_for_lock()`)

  const entering = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4711)`)
    const entering = signIn(store.visitor, email, password)
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
    while ((await store.db.execute(waiting)).rowCount === 0); // until the old password was found right
    await setProvenPassword(store.db, owner.id, hash)
    return { answer: entering }
  })

  const { statusCode, body } = await entering.answer
  assert.deepEqual([statusCode, body], [401, '{"message":"The password was changed at this moment: sign in with the new one"}'])
  assert.deepEqual(await store.db.select().from(sessions), [])
})

test("H9 strangers' wrong passwords keep nobody out of a place that has signed in before, and guesses stay bounded", async (t) => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const { email } = store.customer
  const registered = await register(home, email)
  const device = { origin: store.origin, cookie: /nucleus\.device=[^;]+/.exec(cookieOf(registered))?.[0] ?? '' }
  for (let nth = 0; nth < 12; nth++) assert.equal((await signIn(home, email, password)).statusCode, 200, 'who is right need not wait')
  const guesses = howMany(60, 1000)
  const answers: Answer[] = []
  for (let nth = 0; nth < guesses; nth++) answers.push(await signIn(store.visitor, email, wrong))
  const looked = answers.filter(({ statusCode }) => statusCode === 401).length
  assert.equal(looked, 30, 'guesses from everywhere')

  assert.equal((await signIn(store.visitor, email, password)).statusCode, 429, 'a place that nobody knows has to wait')
  assert.equal((await signIn(store.visitor, email, password, device)).statusCode, 200, 'the known device, wherever it is')
  assert.equal((await signIn(home, email, password)).statusCode, 200, 'the known network, without a cookie')

  // Somebody in the same network guesses: the device goes on.
  for (let nth = 0; nth < 15; nth++) await signIn(home, email, wrong)
  assert.equal((await signIn(home, email, password)).statusCode, 429)
  assert.equal((await signIn(home, email, password, device)).statusCode, 200)

  // A device has no more than its own places, and knows no other account.
  await store.db
    .update(limits)
    .set({ count: 20 })
    .where(like(limits.key, `sign-in as ${email} by device %`))
  assert.equal((await signIn(store.visitor, email, password, device)).statusCode, 429)
  await guessedEnoughAt(store, store.admin.email)
  assert.equal((await signIn(store.visitor, store.admin.email, password, device)).statusCode, 429)
  t.diagnostic(`${guesses} guesses from as many networks, ${looked} of them looked at, and the owner signs in`)
})

test('H9 guesses that alternate with sign-ins of a known device are counted like any others of that network', async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const [cookie = ''] = /nucleus\.device=[^;]+/.exec(cookieOf(await register(home, victim.email))) ?? []
  const looked: Answer[] = []
  for (let nth = 0; nth < 15; nth++) {
    assert.equal((await signIn(home, victim.email, password, { origin: store.origin, cookie })).statusCode, 200)
    const guessed = await signIn(home, `somebody${nth}@shop.example`, wrong)
    if (guessed.statusCode === 401) looked.push(guessed)
  }
  assert.equal(looked.length, 10)
})

test('H9 the cookie of a known device comes along on the way back from Google', async () => {
  await using store = await anEmptyStore()
  assert.match(`${(await register(store.visitor, victim.email)).headers['set-cookie']}`, /nucleus\.device=[^,]*; SameSite=Lax/)
})

test('H9 the cookie of a known device is sent over https alone where the store is, and comes along where it has no https', async () => {
  await using store = await anEmptyStore({ http: { trustProxy: true } })
  for (const [protocol, isSecure] of [
    ['http', false],
    ['https', true],
  ] as const) {
    const { headers } = await signIn(store.visitor, store.admin.email, password, { 'x-forwarded-proto': protocol })
    const cookie = [headers['set-cookie'] ?? []].flat().find((each) => each.startsWith('nucleus.device='))
    assert.match(cookie ?? '', isSecure ? /; Secure$/ : /; SameSite=Lax$/, protocol)
  }
})

test('H9 a hundred sign-ins in an hour are as many as an account has, and it keeps its newest twenty places', async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const { email } = store.admin
  const answers: Answer[] = []
  for (let nth = 0; nth < 103; nth++) answers.push(await signIn(home, email, password))
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 100)
  assert.deepEqual(statuses(answers), [200, 429])
  assert.deepEqual([await store.db.$count(sessions), await store.db.$count(knownPlaces)], [100, 20])
})

test('H9 a new password by a reset link forgets the places of whoever had the old one', async () => {
  await using store = await anEmptyStore()
  const thief = store.visitorFrom('198.51.100.8')
  assert.equal((await signIn(thief, store.admin.email, password)).statusCode, 200)
  await askForReset(store.visitor, store.admin.email)
  const token = await newestLink(store, store.admin.email, 'Set a new password')
  assert.equal((await setPassword(store.visitorFrom('198.51.100.7'), token)).statusCode, 200)
  await guessedEnoughAt(store, store.admin.email)
  assert.equal((await signIn(thief, store.admin.email, wrong)).statusCode, 429)
})

test('H9 strangers who ask for resets keep nobody from a link that works, and who has used one is let in from there', async (t) => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  const asked = howMany(40, 300)
  const answers: Answer[] = []
  for (let nth = 0; nth < asked; nth++) answers.push(await askForReset(store.visitor, email))
  await guessedEnoughAt(store, email)

  const owner = store.visitorFrom('198.51.100.7')
  answers.push(await askForReset(owner, email))
  assert.deepEqual(statuses(answers), [200])
  const mails = (await store.mailsTo(email)).length
  assert.equal(mails, 5)
  const set = await setPassword(owner, await newestLink(store, email, 'Set a new password'))
  assert.equal(set.statusCode, 200)
  await guessedEnoughAt(store, email)
  assert.equal((await signIn(owner, email, another)).statusCode, 200)
  t.diagnostic(`${asked} resets asked by strangers: ${mails} mails, and the owner's own request answers ${answers.at(-1)?.statusCode}`)
})

test('H9 a stranger who registers without end keeps only their own network waiting', async () => {
  await using store = await anEmptyStore()
  const stranger = store.visitorFrom('198.51.100.9')
  const answers: Answer[] = []
  for (let nth = 0; nth < 40; nth++) answers.push(await register(stranger, store.admin.email))
  assert.deepEqual([answers.filter(({ statusCode }) => statusCode === 429).length, statuses(answers)], [10, [422, 429]])
  assert.equal((await register(store.visitor, 'new@shop.example')).statusCode, 200)
})

test('H11 odd addresses and tokens at the sign-in are refused in words, and none is a fault of the store', async (t) => {
  await using store = await anEmptyStore()
  const long = `${'a'.repeat(3000)}@shop.example`
  const odd = [
    long,
    `${'a'.repeat(200_000)}@shop.example`,
    `a@${'b.'.repeat(2000)}example`,
    'a@b@shop.example',
    '@',
    'a\u0000@shop.example',
    '',
    5,
    null,
    [long],
  ]
  const answers: Answer[] = []
  for (const email of odd)
    for (const [path, body] of [
      ['/auth/sign-up/email', { name: 'Eve', email, password }],
      ['/auth/sign-in/email', { email, password }],
      ['/auth/request-password-reset', { email }],
    ] as const)
      answers.push(await store.visitor.ask('POST', path, body))
  for (const token of ['x'.repeat(201), '', '\u0000', 5])
    for (const path of ['/auth/verify-email', '/auth/reset-password'])
      answers.push(await store.visitor.ask('POST', path, { token, newPassword: password }))
  answers.push(await store.visitor.ask('GET', '/auth/session', undefined, { cookie: `nucleus.session_token=${'x'.repeat(4000)}` }))
  assert.deepEqual(
    answers.filter(({ statusCode }) => statusCode < 400 || statusCode >= 500).map(({ body }) => body),
    [],
  )
  t.diagnostic(`${answers.length} odd inputs`)
})

test('H11 twenty who register at once from one office are all registered', async (t) => {
  await using store = await anEmptyStore()
  const office = store.visitorFrom('198.51.100.7')
  const all = await Promise.all(Array.from({ length: 20 }, (_, nth) => register(office, `colleague${nth}@office.example`)))
  assert.deepEqual(statuses(all), [200])
  t.diagnostic(`${all.length} registered at once`)
})
