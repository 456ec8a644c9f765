import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GoogleSandbox, openGoogleSandbox } from '#demo/google-sandbox/google-sandbox.ts'
import { placeGuestOrder } from '#test/guest-actions.ts'
import { createProduct } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { findFreePort } from '#test/store-process.ts'
import type { Account } from './contract.ts'
import { knownSignInLocations } from './table.ts'

const password = 'correct horse battery'

/** A listening store whose Google is the stand-in on a port of its own, which can go down and come back. */
async function aStoreWithGoogle({ down = false } = {}) {
  const port = await findFreePort()
  const google = { clientId: 'none', clientSecret: 'none', issuer: `http://127.0.0.1:${port}` }
  const store = await anEmptyStore({ cards: true, google: () => google })
  let standIn: GoogleSandbox | undefined
  const comesUp = async () => {
    standIn = await openGoogleSandbox({ port, origins: [store.origin] })
    Object.assign(google, standIn)
  }
  if (!down) await comesUp()
  return {
    store,
    comesUp,
    goesDown: async () => standIn?.close(),
    [Symbol.asyncDispose]: async () => {
      await standIn?.close()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** A browser without screens: keeps cookies (which know no ports) and follows nothing by itself. */
function aBrowser() {
  const cookies = new Map<string, string>()
  return async (method: 'GET' | 'POST' | 'PUT', url: string | URL, body?: URLSearchParams | object): Promise<Response> => {
    const form = body instanceof URLSearchParams
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method !== 'GET' && { origin: new URL(url).origin }),
        ...(body && !form && { 'content-type': 'application/json' }),
      },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
}
type Browser = ReturnType<typeof aBrowser>

/** Goes wherever it is led, up to the first page. The screen /login/google is one, though this store has no screens. */
async function follow(browser: Browser, first: string | URL): Promise<URL> {
  let url = new URL(first)
  for (let hops = 0; hops < 10 && url.pathname !== '/login/google'; hops++) {
    const answer = await browser('GET', url)
    const location = answer.headers.get('location')
    if (!location) {
      assert.equal(answer.status, 200, `${url}: ${await answer.text()}`)
      return url
    }
    url = new URL(location, url)
  }
  return url
}

const begin = (browser: Browser, store: Store, from?: string) =>
  browser('POST', `${store.origin}/api/auth/sign-in/google`, from === undefined ? {} : { from })

/** Goes to Google, as far as the page where one picks a person. */
async function goToGoogle(browser: Browser, store: Store, from?: string): Promise<URL> {
  const begun = await begin(browser, store, from)
  const said = await begun.text()
  assert.equal(begun.status, 200, said)
  const page = await follow(browser, JSON.parse(said).url)
  assert.match(page.pathname, /^\/interaction\//)
  return page
}

/** Presses a button there. @returns where in the store it ends */
async function press(browser: Browser, page: URL, form: Record<string, string>): Promise<URL> {
  const pressed = await browser('POST', page, new URLSearchParams(form))
  return follow(browser, new URL(pressed.headers.get('location') ?? '', page))
}

/** A sign-in from beginning to end, and the access token that the screen then takes with the cookie; without one `token` is undefined. */
async function signIn(
  store: Store,
  form: Record<string, string>,
  { from, browser = aBrowser() }: { from?: string; browser?: Browser } = {},
) {
  const back = await press(browser, await goToGoogle(browser, store, from), form)
  const came: { name?: string; email?: string } = JSON.parse(await (await browser('GET', `${store.origin}/api/auth/session`)).text())
  const asked = await browser('PUT', `${store.origin}/api/user/${came.email ?? form.email}`, { email: came.email ?? form.email })
  const { token }: { token?: string } = JSON.parse(await asked.text())
  return { back, came, token, status: asked.status, refused: back.searchParams.get('error') }
}

const mia = { name: 'Mia Torres', email: 'Mia@People.example', verified: 'yes' }
const email = 'mia@people.example'
const withPassword = (store: Store, way: 'sign-in' | 'sign-up') =>
  store.visitor.request('POST', `/auth/${way}/email`, { name: 'Mia by mail', email, password })
const bearer = (token = ''): Record<string, string> => ({ authorization: `Bearer ${token}` })
const ownOrders = (store: Store, token?: string) => store.visitor.request('GET', `/purchase?buyerEmail=${email}`, undefined, bearer(token))
const accounts = async (store: Store): Promise<Account[]> => (await store.admin.request('GET', '/user')).json()

test('who signs in with Google has an account, verified and with the display name, and takes the token with the cookie', async () => {
  await using it = await aStoreWithGoogle()

  const first = await signIn(it.store, mia, { from: '/purchase/1?quantity=25' })

  assert.deepEqual(first.came, { email, name: 'Mia Torres' })
  assert.deepEqual(
    [first.back.pathname, first.back.search],
    ['/login/google', `?${new URLSearchParams({ from: '/purchase/1?quantity=25' })}`],
  )
  assert.equal((await ownOrders(it.store, first.token)).statusCode, 200)
  const asked = await it.store.visitor.request('POST', '/auth/send-verification-email', undefined, bearer(first.token))
  assert.deepEqual(asked.json(), { verified: true })
  assert.deepEqual(await it.store.emailsTo(email), [], 'there is nothing to verify')
  assert.equal(await it.store.db.$count(knownSignInLocations), 2, 'this device and this network have signed in before')
  const [profile] = (await it.store.admin.request('GET', `/user/${email}`)).json()
  assert.deepEqual([profile.name, profile.email], ['Mia Torres', email])
  assert.deepEqual(
    (await accounts(it.store)).map(({ email, role }) => [email, role]),
    [
      ['owner@store.example', 'admin'],
      [email, 'customer'],
    ],
  )
})

test('who signs in with Google has the orders that they have placed as a guest with the e-mail that Google has verified', async () => {
  await using it = await aStoreWithGoogle()
  const drill = await createProduct(it.store)
  const order = await placeGuestOrder(it.store, { [drill]: 1 }, { email })

  const { token } = await signIn(it.store, mia)

  assert.deepEqual(
    (await ownOrders(it.store, token)).json().map(({ _id }: { _id: string }) => _id),
    [order._id],
  )
})

test('the second sign-in with Google, from wherever, is the same account with a session of its own', async () => {
  await using it = await aStoreWithGoogle()
  const browser = aBrowser()

  const first = await signIn(it.store, mia, { browser })
  const again = await signIn(it.store, mia, { browser })
  const elsewhere = await signIn(it.store, { ...mia, email })

  assert.equal((await accounts(it.store)).length, 2)
  assert.equal(new Set([first.token, again.token, elsewhere.token]).size, 3)
  for (const { token } of [again, elsewhere]) assert.equal((await ownOrders(it.store, token)).statusCode, 200)
})

test('a sign-in with Google that is cancelled leads back with the reason, and opens nothing', async () => {
  await using it = await aStoreWithGoogle()

  const cancelled = await signIn(it.store, { cancel: 'yes', email }, { from: '/dashboard' })

  assert.deepEqual([cancelled.refused, cancelled.back.searchParams.get('from')], ['access_denied', '/dashboard'])
  assert.deepEqual([cancelled.back.hash, cancelled.status, cancelled.token], ['', 401, undefined])
  assert.equal((await accounts(it.store)).length, 1)
})

test('an e-mail that Google has not verified opens no account', async () => {
  await using it = await aStoreWithGoogle()

  const { verified, ...unverified } = mia
  const refused = await signIn(it.store, unverified)

  assert.deepEqual([refused.refused, refused.status, refused.back.hash], ['email_not_verified', 401, ''])
  assert.equal((await accounts(it.store)).length, 1)
})

test('Google is refused while a password account of that e-mail is unverified, and is the same account once it was verified in its own session', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  const registered = await withPassword(store, 'sign-up')
  assert.equal(registered.statusCode, 200)

  const refused = await signIn(store, mia)
  assert.deepEqual([refused.refused, refused.status, refused.back.hash], ['account_not_linked', 401, ''])

  const [letter] = await store.emailsTo(email)
  const token = letter?.text.match(/#([\w-]+)/)?.[1]
  const verified = await store.visitor.request('POST', '/auth/verify-email', { token }, bearer(registered.json().token))
  assert.equal(verified.statusCode, 200)
  const linked = await signIn(store, mia)

  assert.deepEqual(linked.came, { email, name: 'Mia by mail' }, 'the account keeps its name')
  assert.equal((await ownOrders(store, linked.token)).statusCode, 200)
  assert.equal((await withPassword(store, 'sign-in')).statusCode, 200, 'the password goes on')
  assert.equal((await accounts(store)).length, 2)
})

test('a removed user comes in by Google no more', async () => {
  await using it = await aStoreWithGoogle()
  const { token } = await signIn(it.store, mia)
  assert.equal((await it.store.admin.request('DELETE', `/user/${email}`)).statusCode, 200)

  const refused = await signIn(it.store, mia)

  assert.deepEqual([refused.back.pathname, refused.back.hash, refused.status], ['/login/google', '', 401])
  assert.ok(refused.refused)
  assert.equal((await ownOrders(it.store, token)).statusCode, 401)
  assert.equal((await accounts(it.store)).length, 1)
})

test('while Google does not answer people sign in with the password, and with Google as soon as it is back', async () => {
  await using it = await aStoreWithGoogle({ down: true })
  const { store } = it

  for (let nth = 1; nth <= 2; nth++) {
    const refused = await begin(aBrowser(), store)
    assert.equal(refused.status, 503)
    assert.deepEqual(await refused.json(), {
      message: 'Google does not answer at the moment: sign in with your e-mail, or try again in a minute',
      code: 'unavailable',
    })
  }
  assert.equal((await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).statusCode, 200)
  assert.equal((await store.admin.request('GET', '/user')).statusCode, 200)

  await it.comesUp()

  assert.deepEqual((await signIn(store, mia)).came, { email, name: 'Mia Torres' })
})

test('a Google that falls silent in the middle of a sign-in leads back with a reason, and the password goes on', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  const browser = aBrowser()
  const page = await goToGoogle(browser, store)
  const picked = await browser('POST', page, new URLSearchParams(mia))
  const resumed = await browser('GET', new URL(picked.headers.get('location') ?? '', page))
  await it.goesDown()

  const back = await follow(browser, resumed.headers.get('location') ?? '')

  assert.equal(back.pathname, '/login/google')
  assert.ok(back.searchParams.get('error'), back.href)
  assert.equal((await browser('PUT', `${store.origin}/api/user/${email}`, {})).status, 401)
  assert.equal((await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).statusCode, 200)
})

test('the answer of one browser to Google is of no use in another, nor a second time', async () => {
  await using it = await aStoreWithGoogle()
  const { store } = it
  const browser = aBrowser()
  const page = await goToGoogle(browser, store)
  const picked = await browser('POST', page, new URLSearchParams(mia))
  const resumed = await browser('GET', new URL(picked.headers.get('location') ?? '', page))
  const callback = resumed.headers.get('location') ?? ''
  assert.match(callback, /\/api\/auth\/callback\/google\?code=/)

  const stranger = aBrowser()
  await begin(stranger, store)
  const stolen = await follow(stranger, callback)
  assert.ok(stolen.searchParams.get('error'), stolen.href)
  assert.equal((await stranger('PUT', `${store.origin}/api/user/${email}`, {})).status, 401)

  const back = await follow(browser, callback)
  assert.deepEqual([back.pathname, back.search, back.hash], ['/login/google', '', ''])
  assert.equal((await browser('PUT', `${store.origin}/api/user/${email}`, {})).status, 200)
  assert.ok((await follow(browser, callback)).searchParams.get('error'), 'it is spent')
})

test('who comes back from Google again and again is asked to wait', async () => {
  await using it = await aStoreWithGoogle()
  const statuses: number[] = []
  for (let nth = 0; nth < 11; nth++) {
    const back = `${it.store.origin}/api/auth/callback/google?error=access_denied`
    statuses.push((await fetch(back, { redirect: 'manual' })).status)
  }
  assert.deepEqual(new Set(statuses.slice(0, 10)), new Set([302]))
  assert.equal(statuses[10], 429)
})
