import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { createInitializedDataDir } from './initialized-data-dir.ts'
import { startMailServer } from './mail-server.ts'
import { createEmptyDatabase } from './postgres.ts'
import { createDataDir, findFreePort, type StoreProcess, startStoreProcess } from './store-process.ts'

const publicUrl = 'https://shop.example'

/** All that a live store needs, with keys that look right and open nothing: neither Stripe nor Google is asked when a store starts. */
const live = {
  STORE_MODE: 'live',
  PUBLIC_URL: publicUrl,
  SECRET: 'a secret of thirty-two characters',
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  MAIL_FROM: 'Nucleus of PC <shop@shop.example>',
  ADMIN_EMAIL: 'owner@shop.example',
  TRUST_PROXY: 'on',
}

const withGoogle = { GOOGLE_CLIENT_ID: 'store', GOOGLE_CLIENT_SECRET: 'none', GOOGLE_ISSUER: 'https://issuer.invalid' }

/** What the proxy before the store hands on. */
const ask = (port: number, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

/** The data of a live store, made by the first start. */
const opened = new AsyncDisposableStack()
const folder = opened.use(createDataDir())
const { connectionString } = opened.use(await createEmptyDatabase())
const place = { DATA_DIR: folder.dataDir, DATABASE_URL: connectionString }
after(() => opened.disposeAsync())

test('a live store opens with nothing of a demo: an empty shop, real cards, real mails, its public address alone', async () => {
  await using mails = await startMailServer()
  const port = await findFreePort()
  const store = startStoreProcess({ ...live, ...withGoogle, ...place, PORT: `${port}`, SMTP_URL: mails.address() })
  try {
    assert.equal(await store.ready, publicUrl)
    const password = store.output().match(/Admin {4}owner@shop\.example {2}password (\S{12,})/)?.[1]
    assert.ok(password, store.output())

    for (const list of ['tools', 'reviews']) assert.deepEqual(await (await ask(port, `/api/${list}`)).json(), [])
    for (const place of ['/outbox', '/outbox/x.eml']) assert.equal((await ask(port, place)).status, 404)

    const home = await ask(port, '/')
    assert.equal(home.status, 200)
    assert.match(home.headers.get('strict-transport-security') ?? '', /max-age=31536000/)
    const policy = home.headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self' .*https:\/\/js\.stripe\.com/)
    assert.match(policy, /connect-src 'self' https:\/\/api\.stripe\.com/)
    assert.match(policy, /frame-src https:\/\/js\.stripe\.com https:\/\/hooks\.stripe\.com/)
    assert.doesNotMatch(policy, /127\.0\.0\.1|localhost/)
    assert.doesNotMatch(await home.text(), /test mode|4242|Brands on our shelves/i)

    const signIn = (origin: string) =>
      ask(port, '/api/auth/sign-in/email', { email: live.ADMIN_EMAIL, password }, { origin, cookie: 'nucleus.session_token=x' })
    assert.equal((await signIn(publicUrl)).status, 200)
    assert.equal((await signIn(`http://localhost:${port}`)).status, 403, 'localhost is an origin of demos')
    const google = await ask(port, '/api/auth/sign-in/google', {}, { origin: publicUrl })
    assert.equal(google.status, 503)
    assert.match(JSON.stringify(await google.json()), /Google does not answer at the moment/)

    assert.equal((await ask(port, '/api/auth/request-password-reset', { email: live.ADMIN_EMAIL }, { origin: publicUrl })).status, 200)
  } finally {
    assert.equal(await store.stop(), 0) // whose mails have gone by then
  }
  assert.match(store.output(), /Cards {4}Stripe, live\n/)
  assert.match(store.output(), /Google {3}https:\/\/issuer\.invalid\n/)
  assert.match(store.output(), /Mails {4}by 127\.0\.0\.1:\d+\n/)
  const [mail, ...others] = mails.taken
  assert.deepEqual([mail?.from, mail?.to, others], ['shop@shop.example', ['owner@shop.example'], []])
  assert.match((await PostalMime.parse(mail?.message ?? '')).text ?? '', /https:\/\/shop\.example\/reset-password#/)
  assert.ok(!fs.existsSync(`${folder.dataDir}/outbox`))
})

/** A live store without the keys of Google: no button, no call, and no stand-in either. */
async function isWithoutGoogle({ output, port }: StoreProcess & { port: number }) {
  assert.match(output(), /Google {3}none: people sign in with e-mail and password\n/)
  for (const page of ['/login', '/register']) assert.doesNotMatch(await (await ask(port, page)).text(), /\bGoogle\b/, page)
  assert.equal((await ask(port, '/api/auth/sign-in/google', {}, { origin: publicUrl })).status, 404)
  assert.equal((await ask(port, '/api/auth/callback/google')).status, 404)
}

test('a database stays in its mode: neither a demo becomes a shop, nor a shop a demo', async () => {
  await using mails = await startMailServer()
  const settingsOf = { demo: {}, live: { ...live, SMTP_URL: mails.address() } }
  for (const [first, second] of [
    ['demo', 'live'],
    ['live', 'demo'],
  ] as const) {
    using demo = first === 'demo' ? await createInitializedDataDir() : undefined
    const ofFirst = demo ? { DATA_DIR: demo.dataDir } : place
    const start = async (mode: 'demo' | 'live') => {
      const port = await findFreePort()
      return { ...startStoreProcess({ ...settingsOf[mode], ...ofFirst, PORT: `${port}` }), port }
    }
    const other = await start(second)
    const opened = await other.ready.catch(() => undefined)
    const code = await other.stop()
    assert.equal(opened, undefined, `a ${second} store opens on the database of a ${first} store`)
    assert.equal(code, 1)
    assert.equal(
      other.output().trim(),
      `This database belongs to a ${first} store: a ${second} store needs one of its own, so set another DATA_DIR or DATABASE_URL`,
    )

    if (first === 'live') {
      const again = await start('live')
      await again.ready
      await isWithoutGoogle(again)
      assert.equal(await again.stop(), 0)
    }
  }
})
