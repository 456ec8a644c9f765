import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, inArray, sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { clearExhaustedKeyCache, rateLimits } from '#platform/rate-limits.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { runPasswordHashing, unqueuedPasswordHasher } from './passwords.ts'
import { signInMethods, users, verifications } from './table.ts'

const password = 'correct horse battery'
const another = 'another good password'
const broken = { message: 'This link does not work any more: ask for a new one', code: 'invalid_link' }

const signIn = (store: Store, email: string, tried: string) =>
  store.visitor.request('POST', '/auth/sign-in/email', { email, password: tried })
/** Ada opens a link where she is signed in. */
const verify = (store: Store, token: string) => store.customer.request('POST', '/auth/verify-email', { token })
const askToVerify = (actor: Actor) => actor.request('POST', '/auth/send-verification-email')
const askForReset = (store: Store, email: string) => store.visitor.request('POST', '/auth/request-password-reset', { email })
const setPassword = (store: Store, token: string, newPassword = another) =>
  store.visitor.request('POST', '/auth/reset-password', { token, newPassword })

/** The newest mail to this address with this subject; mails of different acts may overtake one another. */
async function newest(store: Store, email: string, subject: string): Promise<EmailMessage> {
  const letter = (await store.emailsTo(email)).findLast((mail) => mail.subject === subject)
  assert.ok(letter, `a mail with the subject "${subject}"`)
  return letter
}
const verification = (store: Store, email: string) => newest(store, email, 'Verify your e-mail for Nucleus of PC')
const reset = (store: Store, email: string) => newest(store, email, 'Set a new password for Nucleus of PC')

/** The token behind the # of the link to this page, the same in both halves of the mail. */
function tokenIn({ text, html }: EmailMessage, store: Store, page: string): string {
  const [link = ''] = text.match(/https?:\S+/) ?? []
  const { origin, pathname, search, hash } = new URL(link)
  assert.deepEqual([origin, pathname, search], [store.origin, page, ''])
  assert.ok(html.includes(`href="${link}"`), 'the button leads where the text does')
  assert.match(hash, /^#[\w-]{20,}$/)
  return hash.slice(1)
}

/** What a reader of the HTML reads, without the marks of either half. */
const words = (half: string) =>
  half
    .replace(/<(title|style)[^>]*>.*?<\/\1>|<[^>]+>/gs, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()

test('a registration asks for a mail that verifies the e-mail, once', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  assert.equal((await store.emailsTo(store.customer.email)).length, 1)
  const token = tokenIn(await verification(store, store.customer.email), store, '/verify-email')

  const verified = await verify(store, token)

  assert.deepEqual([verified.statusCode, verified.json()], [200, { email: 'ada@shop.example' }])
  assert.deepEqual((await askToVerify(store.customer)).json(), { verified: true })
  for (const wrong of [token, `${token}x`, 'x', store.customer.email]) {
    const again = await verify(store, wrong)
    assert.deepEqual([again.statusCode, again.json()], [400, broken], wrong)
  }
})

test('a mail says the same as text and as HTML, and nothing in it is run as HTML', async () => {
  await using store = await anEmptyStore()
  const email = 'eve@shop.example'
  const name = '<img src=x onerror=alert(1)> & "Eve"'
  assert.equal((await store.visitor.request('POST', '/auth/sign-up/email', { name, email, password })).statusCode, 200)
  const verifying = await verification(store, email)
  await askForReset(store, email)
  const resetting = await reset(store, email)
  await setPassword(store, tokenIn(resetting, store, '/reset-password'))
  const changed = await newest(store, email, 'Your password for Nucleus of PC was changed')

  for (const { text, html } of [verifying, resetting, changed]) {
    const plain = words(text.replace(/^-- $/m, '').replaceAll(name, 'NAME'))
    const [label = '', url = ''] = text.match(/^(.+):\n(https?:\S+)/m)?.slice(1) ?? []
    assert.equal(
      words(html).replaceAll(name, 'NAME'),
      `Nucleus of PC ${plain.replace(`${label}: ${url}`, `${label} ${url}`)}`,
      'below the letterhead',
    )
    assert.match(text, /^Hello <img src=x onerror=alert\(1\)> & "Eve",/)
    assert.doesNotMatch(html, /<img/)
  }
})

test('verification links are kept as hashes only and end after an hour', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const first = tokenIn(await verification(store, store.customer.email), store, '/verify-email')
  assert.deepEqual((await askToVerify(store.customer)).json(), { verified: false })
  const second = tokenIn(await verification(store, store.customer.email), store, '/verify-email')
  assert.notEqual(first, second)

  const kept = await store.db.select().from(verifications)
  assert.ok(kept.length >= 2)
  for (const { identifier, value, expiresAt } of kept) {
    assert.ok(![identifier, value].some((text) => text.includes(first) || text.includes(second)), 'kept as hashes only')
    assert.ok(Math.abs(expiresAt.getTime() - Date.now() - 60 * 60_000) < 60_000, 'for an hour')
  }
  await store.db.update(verifications).set({ expiresAt: new Date(Date.now() - 1000) })

  for (const token of [first, second]) assert.deepEqual((await verify(store, token)).json(), broken)
  assert.deepEqual((await askToVerify(store.customer)).json(), { verified: false })
  assert.equal((await verify(store, tokenIn(await verification(store, store.customer.email), store, '/verify-email'))).statusCode, 200)
})

test('another verification mail is sent to who is signed in and unverified, three in a day at most', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  for (let nth = 1; nth <= 3; nth++) assert.deepEqual((await askToVerify(store.customer)).json(), { verified: false })

  const refused = await askToVerify(store.customer)

  assert.equal(refused.statusCode, 429)
  assert.match(refused.json().message, /^Too many tries: wait 24 hours, then try again$/)
  assert.equal((await store.emailsTo(store.customer.email)).length, 4, 'one for the registration')
  assert.equal((await askToVerify(store.visitor)).statusCode, 401)
  assert.deepEqual((await askToVerify(store.admin)).json(), { verified: true })
  assert.deepEqual(await store.emailsTo(store.admin.email), [])
})

test('the link of the reset mail sets a new password, once, and ends every session of the account', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.otherCustomer.token()

  assert.deepEqual((await askForReset(store, ' ADA@shop.example ')).json(), { status: true })
  const token = tokenIn(await reset(store, store.customer.email), store, '/reset-password')
  const weak = await setPassword(store, token, 'short')
  assert.deepEqual([weak.statusCode, weak.json().errors], [400, { newPassword: 'Use 8 characters or more' }])
  const set = await setPassword(store, token)

  assert.deepEqual([set.statusCode, set.json()], [200, { status: true }])
  assert.equal((await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).statusCode, 401)
  assert.equal((await store.customer.request('PUT', `/user/${store.customer.email}`)).statusCode, 401)
  assert.equal((await store.otherCustomer.request('GET', `/purchase?buyerEmail=${store.otherCustomer.email}`)).statusCode, 200)
  assert.equal((await signIn(store, store.customer.email, password)).statusCode, 401)
  assert.equal((await signIn(store, store.customer.email, another)).statusCode, 200)
  const again = await setPassword(store, token, 'a third good password')
  assert.deepEqual([again.statusCode, again.json()], [400, broken])
  assert.equal((await signIn(store, store.customer.email, another)).statusCode, 200)
})

test('of two who open the link of a reset mail at the same moment one sets a password, and the device of that one alone is known from then on', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await askForReset(store, store.customer.email)
  const token = tokenIn(await reset(store, store.customer.email), store, '/reset-password')

  const answers = await Promise.all([setPassword(store, token), setPassword(store, token, 'a third good password')])

  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400])
  for (const { statusCode, headers } of answers) assert.equal(`${headers['set-cookie']}`.includes('nucleus.device='), statusCode === 200)
})

test('a changed password is told to its owner by mail, and whoever had the link has the mailbox', async () => {
  await using store = await anEmptyStore()
  const token = (await store.customer.token()) ?? ''
  await askForReset(store, store.customer.email)
  await setPassword(store, tokenIn(await reset(store, store.customer.email), store, '/reset-password'))

  const { text } = await newest(store, store.customer.email, 'Your password for Nucleus of PC was changed')

  assert.match(text, new RegExp(`${store.origin}/login$`, 'm'))
  assert.ok(!text.includes(another) && !text.includes(token))
  const signedIn = (await signIn(store, store.customer.email, another)).json().token
  const asked = await store.visitor.request('POST', '/auth/send-verification-email', undefined, { authorization: `Bearer ${signedIn}` })
  assert.deepEqual(asked.json(), { verified: true })
})

test('a reset is answered the same whether the account exists; mails go to accounts only, five in an hour, six in a day where the e-mail is unverified', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const asked = ['nobody@shop.example', store.customer.email, store.admin.email]
  const resets = async (email: string) => (await store.emailsTo(email)).filter(({ subject }) => subject.startsWith('Set a new password'))

  for (const counts of [
    [0, 6, 5],
    [0, 6, 10],
    [0, 6, 15],
  ]) {
    for (let nth = 1; nth <= 8; nth++)
      for (const email of asked) {
        const answer = await askForReset(store, email)
        assert.deepEqual([answer.statusCode, answer.json()], [200, { status: true }], 'nobody is kept out by who asked before')
      }
    assert.deepEqual(await Promise.all(asked.map(async (email) => (await resets(email)).length)), counts)
    await store.db.update(rateLimits).set({ endsAt: sql`${rateLimits.endsAt} - interval '1 hour 1 second'` })
    clearExhaustedKeyCache(store.db)
  }
  const [first] = await resets(store.admin.email)
  assert.ok(first)
  assert.equal((await setPassword(store, tokenIn(first, store, '/reset-password'))).statusCode, 200, 'the links before the last work, too')
})

test('a verification link sets a new password where nobody, or somebody else, is signed in, and until then it still works', async () => {
  await using store = await anEmptyStore()
  const own = (await store.customer.token()) ?? ''
  const token = tokenIn(await verification(store, store.customer.email), store, '/verify-email')
  const open = (actor: Actor, more = {}) => actor.request('POST', '/auth/verify-email', { token, ...more })

  for (const actor of [store.visitor, store.otherCustomer]) {
    const refused = await open(actor)
    assert.deepEqual([refused.statusCode, Object.keys(refused.json().errors)], [409, ['newPassword']])
    assert.equal((await open(actor, { newPassword: 'short' })).statusCode, 400)
  }
  assert.deepEqual((await askToVerify(store.customer)).json(), { verified: false })

  assert.deepEqual((await open(store.visitor, { newPassword: another })).json(), { email: store.customer.email })

  const orders = `/purchase?buyerEmail=${store.customer.email}`
  assert.equal((await store.visitor.request('GET', orders, undefined, { authorization: `Bearer ${own}` })).statusCode, 401)
  assert.equal((await signIn(store, store.customer.email, password)).statusCode, 401)
  const entered = await signIn(store, store.customer.email, another)
  const verified = await store.visitor.request('GET', '/auth/verification', undefined, { authorization: `Bearer ${entered.json().token}` })
  assert.deepEqual(verified.json(), { verified: true })
  assert.equal((await open(store.visitor, { newPassword: another })).statusCode, 400, 'once')
  const ofCustomer = inArray(
    signInMethods.userId,
    store.db.select({ id: users.id }).from(users).where(eq(users.email, store.customer.email)),
  )
  assert.equal(await store.db.$count(signInMethods, ofCustomer), 1, 'the new password stands in the place of the old one')
  await newest(store, store.customer.email, 'Your password for Nucleus of PC was changed')
  assert.equal((await signIn(store, store.otherCustomer.email, password)).statusCode, 200, 'others keep theirs')
})

test('while too many passwords wait to be hashed, a link and a sign-in are refused for a few seconds, and work after that', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const { email } = store.customer
  const token = tokenIn(await verification(store, email), store, '/verify-email')
  const open = () => store.visitor.request('POST', '/auth/verify-email', { token, newPassword: another })
  let rush = true
  const hashers = Array.from({ length: 110 }, async (_, nth) => {
    const hash = () => runPasswordHashing({ network: `${nth}` }, () => unqueuedPasswordHasher.hash(password))
    while (rush) await hash().catch(() => new Promise(setImmediate))
  })

  const answers = [await open(), await signIn(store, email, password)]
  rush = false
  await Promise.all(hashers)

  for (const refused of answers) {
    assert.equal(refused.statusCode, 503, refused.body)
    assert.match(`${refused.headers['retry-after']}`, /^\d$/)
  }
  assert.equal((await open()).statusCode, 200)
})
