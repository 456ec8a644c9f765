import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, like, sql } from 'drizzle-orm'
import { clearExhaustedKeyCache, rateLimits } from '#platform/rate-limits.ts'
import { passwordHasher, runPasswordHashing, setVerifiedPassword } from '#store/identity/passwords.ts'
import { signInLimitKey } from '#store/identity/sign-in-limits.ts'
import { knownSignInLocations, sessions, users } from '#store/identity/table.ts'
import { createProduct, createTestStoreWithCards, placePaidOrder, waitForWebhooks } from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store, testPassword } from '#test/store.ts'
import { isFullRun, sampleSize } from './full-run.ts'
import { cookieHeaderFrom, createMockIssuer, getSession, googleUserClaims, signInWithGoogle } from './mock-oidc-issuer.ts'
import { tokenFromEmail } from './token-from-email.ts'

const wrong = 'guessed wrong again'
const another = 'another good password'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const register = (actor: Actor, email: string, name = 'Eve') =>
  actor.request('POST', '/auth/sign-up/email', { name, email, password: testPassword })
const signIn = (actor: Actor, email: string, secret: string, headers?: Record<string, string>) =>
  actor.request('POST', '/auth/sign-in/email', { email, password: secret }, headers)
const askForReset = (actor: Actor, email: string) => actor.request('POST', '/auth/request-password-reset', { email })
const setPassword = (actor: Actor, token: string, newPassword = another) =>
  actor.request('POST', '/auth/reset-password', { token, newPassword })
const isSignedIn = async (store: Store, email: string, token: string) =>
  (await store.visitor.request('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(token))).statusCode === 200
const countSignedIn = async (store: Store, email: string, tokens: string[]): Promise<number> =>
  (await Promise.all(tokens.map((token) => isSignedIn(store, email, token)))).filter(Boolean).length
const newestLink = async (store: Store, email: string, subject: string) =>
  tokenFromEmail((await store.emailsTo(email)).findLast((mail) => mail.subject.startsWith(subject)))
const statuses = (answers: ApiResponse[]) => [...new Set(answers.map(({ statusCode }) => statusCode))].sort()

/** Strangers have tried wrong passwords at this account for as long as they were looked at. */
async function guessedEnoughAt(store: Store, email: string) {
  const all = { count: 30, endsAt: sql`now() + interval '15 minutes'` }
  await store.db
    .insert(rateLimits)
    .values({ key: signInLimitKey(email), ...all })
    .onConflictDoUpdate({ target: rateLimits.key, set: all })
}

/** Every window of what is counted ends so many seconds sooner. */
async function endWindowsSooner({ db }: Store, seconds: number) {
  await db.update(rateLimits).set({ endsAt: sql`${rateLimits.endsAt} - make_interval(secs => ${seconds})` })
  clearExhaustedKeyCache(db)
}

/** A store whose Google sign-ins go to an issuer that says it is Vera. */
async function aStoreWithGoogle() {
  const opened = new AsyncDisposableStack()
  const issuer = opened.use(await createMockIssuer())
  await issuer.start()
  const store = opened.use(await anEmptyStore({ google: issuer.google }))
  return { store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test("H6 an attacker who registers somebody else's address sends it a handful of mails, and no words of their own", async (t) => {
  await using store = await anEmptyStore()
  const target = 'target@elsewhere.example'
  const bait = 'Call +1 555 0100 to claim your prize, or look at https://evil.example/claim'
  const [hours, tries] = [sampleSize(3, 23), sampleSize(5, 10)]
  assert.equal((await register(store.visitor, target, bait.slice(0, 80))).statusCode, 400)
  const { token } = (await register(store.visitor, target, 'Claim your prize')).json()
  const toolId = await createProduct(store, { dollars: 1, pieces: 1000 })
  const act = (method: 'POST' | 'PUT', path: string, body: object) => store.visitor.request(method, path, body, bearer(token))
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: bait, phone_number: '+1 555 0100' }
  for (let hour = 0; hour < hours; hour++) {
    for (let nth = 0; nth < tries; nth++) {
      await act('POST', '/auth/send-verification-email', {})
      await askForReset(store.visitor, target)
      await act('POST', '/purchase', wish)
    }
    await store.emailsTo(target) // resets are counted after the response
    await endWindowsSooner(store, 3601)
  }
  // What is not paid ends, which is told by mail as well.
  await store.db.execute(sql`update orders set hold_until = now()`)
  await store.jobs.runAllOnce()

  const mails = await store.emailsTo(target)
  const count = (subject: RegExp) => mails.filter((mail) => subject.test(mail.subject)).length
  assert.deepEqual([count(/^Verify/), count(/^Set a new password/), count(/not paid yet$/)], [4, 6, 1])
  assert.equal(mails.length, 13, 'two more that an order has ended')
  for (const { text, html } of mails) for (const words of [text, html]) assert.doesNotMatch(words, /evil\.example|\+1 555 0100/)

  await endWindowsSooner(store, 24 * 3600)
  await askForReset(store.visitor, target)
  assert.equal((await store.emailsTo(target)).length, 14, 'the next day the owner of the address can ask again')
  t.diagnostic(
    `${tries} orders, resets and verifications asked for in each of ${hours} hours: ${mails.length} mails to the address, ${count(/^Set a new password/)} of them resets`,
  )
})

test("H6 an attacker who registers many spellings of somebody else's mailbox sends it no more mails than one spelling gets, and its own is verified all the same", async (t) => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { dollars: 1, pieces: 1000 })
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  const spellings = Array.from({ length: sampleSize(8, 30) }, (_, nth) => `target+${nth}@elsewhere.example`)
  for (const email of spellings) {
    const { token } = (await register(store.visitor, email)).json()
    await store.visitor.request('POST', '/auth/send-verification-email', {}, bearer(token))
    await askForReset(store.visitor, email)
    assert.equal((await store.visitor.request('POST', '/purchase', wish, bearer(token))).statusCode, 201)
  }
  const counts = await Promise.all(spellings.map(async (email) => (await store.emailsTo(email)).length))
  const mails = counts.reduce((sum, count) => sum + count, 0)
  assert.equal(mails, 9, 'six with links, three about orders')
  const own = 'target@elsewhere.example'
  assert.equal((await register(store.visitor, own)).statusCode, 200)
  assert.equal((await store.emailsTo(own)).length, 1)
  t.diagnostic(`${spellings.length} spellings of one mailbox: ${mails} mails in a day`)
})

test('H6 who has paid hears of the money by mail, verified or not; where it goes, and of every order, hears who is verified', async () => {
  await using store = await createTestStoreWithCards()
  await store.otherCustomer.token()
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.otherCustomer.email))
  const toolId = await createProduct(store)
  for (const [buyer, verified] of [
    [store.customer, false],
    [store.otherCustomer, true],
  ] as const) {
    for (let nth = 0; nth < 3; nth++) await placePaidOrder(store, { toolId, buyer })
    await waitForWebhooks(store)
    const mails = await store.emailsTo(buyer.email)
    const about = (subject: RegExp) => mails.filter((mail) => subject.test(mail.subject))
    assert.deepEqual([about(/^Receipt/).length, about(/not paid yet$/).length], verified ? [3, 3] : [3, 1])
    for (const { text } of [...about(/^Receipt/), ...about(/not paid yet$/)]) assert.equal(text.includes('1 Road'), verified, text)
  }
})

test("H7 a password that was set by who registered somebody else's address does not survive the owner's verification", async (t) => {
  await using store = await anEmptyStore()
  const { email } = googleUserClaims
  const intruder: string = (await register(store.visitor, email)).json().token
  const intruders = [
    intruder,
    ...(await Promise.all([1, 2].map(async () => (await signIn(store.visitor, email, testPassword)).json().token))),
  ]
  const token = await newestLink(store, email, 'Verify')
  const open = (headers = {}, more = {}) => store.visitor.request('POST', '/auth/verify-email', { token, ...more }, headers)

  const bob = (await store.otherCustomer.token()) ?? ''
  for (const headers of [{}, bearer(bob), bearer('x')]) assert.equal((await open(headers)).statusCode, 409)
  assert.equal(await countSignedIn(store, email, intruders), 3, 'nothing was changed yet')
  assert.equal((await open({}, { newPassword: another })).statusCode, 200)

  const survived = await countSignedIn(store, email, intruders)
  assert.equal(survived, 0)
  const tried = await signIn(store.visitor, email, testPassword)
  assert.equal(tried.statusCode, 401)
  assert.equal((await signIn(store.visitor, email, another)).statusCode, 200)
  t.diagnostic(`${survived} of ${intruders.length} sessions of the intruder survived, and their password was answered ${tried.statusCode}`)
})

test('H7 linking Google ends an older password and its sessions, unless the link was opened in a session of that password', async (t) => {
  for (const inOwnSession of [false, true]) {
    await using it = await aStoreWithGoogle()
    const { store } = it
    const { email } = googleUserClaims
    const older: string = (await register(store.visitor, email)).json().token
    const token = await newestLink(store, email, 'Verify')
    if (inOwnSession) assert.equal((await store.visitor.request('POST', '/auth/verify-email', { token }, bearer(older))).statusCode, 200)
    else await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email)) // as links did before

    const { session } = await signInWithGoogle(store)

    assert.ok(session)
    assert.deepEqual(await getSession(store, session), { name: 'Eve', email })
    const isKept = await isSignedIn(store, email, older)
    assert.equal(isKept, inOwnSession)
    const tried = await signIn(store.visitor, email, testPassword)
    assert.equal(tried.statusCode, inOwnSession ? 200 : 401)
    const told = (await store.emailsTo(email)).filter(({ subject }) => subject === 'You sign in to Nucleus of PC with Google now')
    assert.equal(told.length, inOwnSession ? 0 : 1)
    assert.ok((await signInWithGoogle(store)).session, 'Google goes on')
    t.diagnostic(
      `link opened ${inOwnSession ? 'in a session of the password' : 'elsewhere'}: ${Number(isKept)} of 1 older session survived, and the older password was answered ${tried.statusCode}`,
    )
  }
})

test('H7 a password that a reset link has set goes on beside Google', async (t) => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  await register(store.visitor, googleUserClaims.email)
  await askForReset(store.visitor, googleUserClaims.email)
  await setPassword(store.visitor, await newestLink(store, googleUserClaims.email, 'Set a new password'))
  const { token }: { token: string } = (await signIn(store.visitor, googleUserClaims.email, another)).json()
  assert.ok((await signInWithGoogle(store)).session)
  const survived = await countSignedIn(store, googleUserClaims.email, [token])
  assert.equal(survived, 1)
  const tried = await signIn(store.visitor, googleUserClaims.email, another)
  assert.equal(tried.statusCode, 200)
  t.diagnostic(`${survived} of 1 session of that password survived, and the password was answered ${tried.statusCode}`)
})

test('H8 no sign-in with the old password survives a reset that it overlaps', async (t) => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  let [secret, entered, survived, tried] = [testPassword, 0, 0, 0]
  const rounds = sampleSize(2, 40)
  for (let round = 0; round < rounds; round++) {
    await store.db.delete(rateLimits)
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
  const hash = await passwordHasher.hash(another)
  await store.db.execute(sql`create function wait_for_lock() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await store.db.execute(sql`create trigger wait_for_lock before insert on sessions for each row execute function wait_for_lock()`)

  const entering = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4711)`)
    const entering = signIn(store.visitor, email, testPassword)
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
    while ((await store.db.execute(waiting)).rowCount === 0); // until the old password was found right
    await setVerifiedPassword(store.db, owner.id, hash)
    return { answer: entering }
  })

  const { statusCode, body } = await entering.answer
  assert.deepEqual(
    [statusCode, body],
    [401, '{"message":"The password was changed at this moment: sign in with the new one","code":"invalid_credentials"}'],
  )
  assert.deepEqual(await store.db.select().from(sessions), [])
})

test("H9 strangers' wrong passwords keep nobody out of a place that has signed in before, and guesses stay bounded", async (t) => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const { email } = store.customer
  const registered = await register(home, email)
  const device = { origin: store.origin, cookie: /nucleus\.device=[^;]+/.exec(cookieHeaderFrom(registered))?.[0] ?? '' }
  for (let nth = 0; nth < 12; nth++) assert.equal((await signIn(home, email, testPassword)).statusCode, 200, 'who is right need not wait')
  const guesses = sampleSize(40, 1000)
  const answers: ApiResponse[] = []
  for (let nth = 0; nth < guesses; nth++) answers.push(await signIn(store.visitor, email, wrong))
  const looked = answers.filter(({ statusCode }) => statusCode === 401).length
  assert.equal(looked, 30, 'guesses from everywhere')

  assert.equal((await signIn(store.visitor, email, testPassword)).statusCode, 429, 'a place that nobody knows has to wait')
  assert.equal((await signIn(store.visitor, email, testPassword, device)).statusCode, 200, 'the known device, wherever it is')
  assert.equal((await signIn(home, email, testPassword)).statusCode, 200, 'the known network, without a cookie')

  // Somebody in the same network guesses: the device goes on.
  for (let nth = 0; nth < 15; nth++) await signIn(home, email, wrong)
  assert.equal((await signIn(home, email, testPassword)).statusCode, 429)
  assert.equal((await signIn(home, email, testPassword, device)).statusCode, 200)

  // A device has no more than its own places, and knows no other account.
  await store.db
    .update(rateLimits)
    .set({ count: 20 })
    .where(like(rateLimits.key, `sign-in as ${email} by device %`))
  const waiting = await signIn(store.visitor, email, testPassword, device)
  assert.equal(waiting.statusCode, 429)
  assert.match(waiting.json().message, /wait \d+ minutes/, 'until a quarter of an hour after its first try')
  await guessedEnoughAt(store, store.admin.email)
  assert.equal((await signIn(store.visitor, store.admin.email, testPassword, device)).statusCode, 429)
  t.diagnostic(`${guesses} guesses from as many networks, ${looked} of them looked at, and the owner signs in`)
})

test('H9 guesses that alternate with sign-ins of a known device are counted like any others of that network', async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const [cookie = ''] = /nucleus\.device=[^;]+/.exec(cookieHeaderFrom(await register(home, googleUserClaims.email))) ?? []
  const looked: ApiResponse[] = []
  for (let nth = 0; nth < 15; nth++) {
    assert.equal((await signIn(home, googleUserClaims.email, testPassword, { origin: store.origin, cookie })).statusCode, 200)
    const guessed = await signIn(home, `somebody${nth}@shop.example`, wrong)
    if (guessed.statusCode === 401) looked.push(guessed)
  }
  assert.equal(looked.length, 10)
})

test('H9 the cookie of a known device comes along on the way back from Google', async () => {
  await using store = await anEmptyStore()
  assert.match(`${(await register(store.visitor, googleUserClaims.email)).headers['set-cookie']}`, /nucleus\.device=[^,]*; SameSite=Lax/)
})

test('H9 the cookie of a known device is sent over https alone where the store is, and comes along where it has no https', async () => {
  await using store = await anEmptyStore({ http: { trustProxy: true } })
  for (const [protocol, isSecure] of [
    ['http', false],
    ['https', true],
  ] as const) {
    const { headers } = await signIn(store.visitor, store.admin.email, testPassword, { 'x-forwarded-proto': protocol })
    const cookie = [headers['set-cookie'] ?? []].flat().find((each) => each.startsWith('nucleus.device='))
    assert.match(cookie ?? '', isSecure ? /; Secure$/ : /; SameSite=Lax$/, protocol)
  }
})

test('H9 a hundred sign-ins in an hour are as many as an account has, and it keeps its newest twenty places', async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const { email } = store.admin
  await register(store.visitorFrom('198.51.100.8'), 'elsewhere@shop.example')
  const answers: ApiResponse[] = []
  for (let nth = 0; nth < 103; nth++) answers.push(await signIn(home, email, testPassword))
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 100)
  assert.deepEqual(statuses(answers), [200, 429])
  const ofOwner = (await store.db.select().from(users).where(eq(users.email, email)))[0]?.id ?? ''
  assert.equal(await store.db.$count(sessions, eq(sessions.userId, ofOwner)), 100)
  assert.equal(await store.db.$count(knownSignInLocations, eq(knownSignInLocations.userId, ofOwner)), 20)
  assert.equal(await store.db.$count(knownSignInLocations), 22, "another account's device and network are none of them")
})

test('H9 a place where nobody has signed in to an account for 90 days is none of its places', async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  const { email } = store.admin
  assert.equal((await signIn(home, email, testPassword)).statusCode, 200)
  await guessedEnoughAt(store, email)
  assert.equal((await signIn(home, email, testPassword)).statusCode, 200)
  await store.db.update(knownSignInLocations).set({ lastAt: sql`now() - interval '90 days 1 minute'` })
  assert.equal((await signIn(home, email, testPassword)).statusCode, 429)
})

test("H9 the places of one account are not counted with others'", async () => {
  await using store = await anEmptyStore()
  const home = store.visitorFrom('198.51.100.7')
  assert.equal((await signIn(home, store.admin.email, testPassword)).statusCode, 200)
  await store.customer.token()
  for (let nth = 0; nth < 15; nth++)
    assert.equal((await signIn(store.visitorFrom(`203.0.113.${nth}`), store.customer.email, testPassword)).statusCode, 200)
  assert.equal((await signIn(store.visitorFrom('198.51.100.9'), store.admin.email, testPassword)).statusCode, 200)
  await guessedEnoughAt(store, store.admin.email)
  assert.equal((await signIn(home, store.admin.email, testPassword)).statusCode, 200)
})

test('H9 a new password by a reset link forgets the places of whoever had the old one', async () => {
  await using store = await anEmptyStore()
  const thief = store.visitorFrom('198.51.100.8')
  assert.equal((await signIn(thief, store.admin.email, testPassword)).statusCode, 200)
  await askForReset(store.visitor, store.admin.email)
  const token = await newestLink(store, store.admin.email, 'Set a new password')
  assert.equal((await setPassword(store.visitorFrom('198.51.100.7'), token)).statusCode, 200)
  await guessedEnoughAt(store, store.admin.email)
  assert.equal((await signIn(thief, store.admin.email, wrong)).statusCode, 429)
})

test('H9 strangers who ask for resets keep nobody from a link that works, and who has used one is let in from there', async (t) => {
  await using store = await anEmptyStore()
  const { email } = store.admin
  const asked = sampleSize(10, 300)
  const answers: ApiResponse[] = []
  for (let nth = 0; nth < asked; nth++) answers.push(await askForReset(store.visitor, email))
  await guessedEnoughAt(store, email)

  const owner = store.visitorFrom('198.51.100.7')
  answers.push(await askForReset(owner, email))
  assert.deepEqual(statuses(answers), [200])
  const mails = (await store.emailsTo(email)).length
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
  const answers: ApiResponse[] = []
  for (let nth = 0; nth < 40; nth++) answers.push(await register(stranger, store.admin.email))
  assert.deepEqual([answers.filter(({ statusCode }) => statusCode === 429).length, statuses(answers)], [10, [422, 429]])
  assert.equal((await register(store.visitor, 'new@shop.example')).statusCode, 200)
})

test('H9 a stranger who asks for resets over and over keeps no customer from the database, also while none of that can be counted', async (t) => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const stranger = store.visitorFrom('198.51.100.9')
  const askOnce = async () => {
    const { statusCode } = await askForReset(stranger, 'nobody@shop.example')
    if (statusCode !== 503) answered++ // 503: too many were waiting already
    return statusCode
  }
  let answered = 0
  const first = await askOnce()
  assert.equal(first, 200)

  const flood = await store.db.transaction(async (tx) => {
    await tx.update(rateLimits).set({ count: sql`count` }) // nobody else can count meanwhile
    const flood = Array.from({ length: sampleSize(120, 800) }, askOnce)
    const { statusCode } = await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)
    assert.deepEqual([statusCode, answered], [200, 1], 'the customer is served before any of them')
    return { answers: flood }
  })
  const codes = Object.groupBy(await Promise.all(flood.answers), String)
  assert.deepEqual(Object.keys(codes), isFullRun ? ['200', '429', '503'] : ['200', '429'])
  assert.equal(codes['200']?.length, 9)
  t.diagnostic(`${flood.answers.length} resets asked for at once, ${answered} of them looked at, and a customer is served before them`)
})

test('H9 guesses from 256 networks of one IPv6 customer come to an end, and everybody else signs in', async (t) => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const answers: ApiResponse[] = []
  const guesses = sampleSize(45, 512)
  for (let nth = 0; nth < guesses; nth++) {
    const attacker = store.visitorFrom(`2001:db8:1:${(nth % 256).toString(16)}::${nth}`)
    answers.push(await signIn(attacker, `nobody${nth}@shop.example`, wrong))
  }
  const looked = answers.filter(({ statusCode }) => statusCode === 401).length
  assert.deepEqual([looked, statuses(answers)], [40, [401, 429]])
  const { email } = store.customer
  assert.equal(
    (await signIn(store.visitorFrom('2001:db8:1:1ff::1'), email, testPassword)).statusCode,
    200,
    'the next customer of the provider',
  )
  t.diagnostic(`${guesses} guesses from 256 /64s of one /56, ${looked} of them looked at`)
})

test('H9 while too many passwords of strangers wait, a known device signs in, others are refused for a few seconds, and nothing is printed', async (t) => {
  await using store = await anEmptyStore()
  const { email } = store.customer
  const home = store.visitorFrom('198.51.100.7')
  const [cookie = ''] = /nucleus\.device=[^;]+/.exec(cookieHeaderFrom(await register(home, email))) ?? []
  const printed = t.mock.method(console, 'error', () => {})
  const hold = Promise.withResolvers<void>()
  const rush = Array.from({ length: 110 }, (_, nth) => runPasswordHashing({ network: `${nth}` }, () => hold.promise).catch(() => {}))

  const refused = [await signIn(store.visitor, email, testPassword), await register(store.visitor, 'new@shop.example')]
  const known = await signIn(home, email, testPassword, { origin: store.origin, cookie })
  hold.resolve()
  await Promise.all(rush)

  assert.deepEqual(
    printed.mock.calls.map(({ arguments: words }) => words),
    [],
  )
  assert.equal(known.statusCode, 200, known.body)
  for (const { statusCode, headers, body } of refused) {
    assert.equal(statusCode, 503, body)
    assert.match(`${headers['retry-after']}`, /^\d$/)
  }
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
  const answers: ApiResponse[] = []
  for (const email of odd)
    for (const [path, body] of [
      ['/auth/sign-up/email', { name: 'Eve', email, password: testPassword }],
      ['/auth/sign-in/email', { email, password: testPassword }],
      ['/auth/request-password-reset', { email }],
    ] as const)
      answers.push(await store.visitor.request('POST', path, body))
  for (const token of ['x'.repeat(201), '', '\u0000', 5])
    for (const path of ['/auth/verify-email', '/auth/reset-password'])
      answers.push(await store.visitor.request('POST', path, { token, newPassword: testPassword }))
  answers.push(await store.visitor.request('GET', '/auth/session', undefined, { cookie: `nucleus.session_token=${'x'.repeat(4000)}` }))
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
