import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { registerOutboxRoutes } from '#demo/outbox/outbox.ts'
import { createHttpApp } from '#platform/http.ts'
import { rateLimits } from '#platform/rate-limits.ts'
import { readSettings } from '#platform/settings.ts'
import { StartupError } from '#platform/startup-error.ts'
import type { RemovedProduct } from '#store/catalogue/contract.ts'
import { newProductLimit } from '#store/catalogue/new-product-limit.ts'
import { ProductHistoryEntry } from '#store/catalogue/product-history-contract.ts'
import { productHistory, products } from '#store/catalogue/table.ts'
import * as identity from '#store/identity/rules.ts'
import { ownerNotices, signInMethods, users } from '#store/identity/table.ts'
import {
  drill,
  findProduct,
  getImportByApi,
  importProducts,
  limitNewProducts,
  ndjson,
  refusalReason,
  saw,
  uploadAndCheck,
} from '#store/imports/import-test-actions.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { refunds } from '#store/orders/table.ts'
import { cancelPurchase, createProduct, placePaidOrder, refundPurchase } from '#test/order-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { forgetRateLimits } from './forget-rate-limits.ts'
import { sampleSize } from './full-run.ts'

const profile = { picture: '/drawings/avatar.svg', location: 'London', phone: '0171 987' }

test('H12 a colleague who was made an admin cannot lock the owner out, alone or with others at the same moment', async (t) => {
  await using store = await anEmptyStore()
  const { email: owner } = store.admin
  const rounds = sampleSize(1, 40)
  let asked = 0
  for (let round = 0; round < rounds; round++) {
    await forgetRateLimits(store.db) // of admins who are no owners
    const colleagues = [store.newCustomer(`One${round}`), store.newCustomer(`Other${round}`)]
    for (const { email, token } of colleagues) {
      await token()
      assert.equal((await store.admin.request('PUT', `/user/admin/${email}`)).statusCode, 200)
    }
    const attack = ({ request }: Actor) => [
      request('DELETE', `/user/${owner}`),
      request('DELETE', `/user/${owner.toUpperCase()}`),
      request('DELETE', `/user/admin/${owner}`),
      request('PUT', `/users/${owner}`, { ...profile, role: 'customer', owner: false, removedAt: '2020-02-02T00:00:00Z' }),
    ]
    const answers = await Promise.all(colleagues.flatMap(attack))
    asked += answers.length
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      colleagues.flatMap(() => [409, 409, 403, 403]),
    )
    assert.match(answers[0]?.body ?? '', /an owner of the store: nobody else can remove it/)
    assert.equal((await store.admin.request('GET', '/bookings')).statusCode, 200, 'the owner is signed in')

    for (const { email } of colleagues) assert.equal((await store.admin.request('DELETE', `/user/admin/${email}`)).statusCode, 200)
    for (const { request } of colleagues) assert.equal((await request('GET', '/bookings')).statusCode, 401, 'who was lowered is signed out')
  }
  t.diagnostic(`${asked} tries of ${rounds * 2} colleagues`)
})

test('H12 admins who are no owners make admins, remove accounts and bring them back twenty times an hour together, whatever comes of it, and an owner as often as they like', async (t) => {
  await using store = await anEmptyStore()
  const { admin: owner, customer: colleague, otherCustomer: other } = store
  const puppet = store.newCustomer('Eve')
  for (const { token } of [colleague, other, puppet]) await token()
  for (const { email } of [colleague, puppet]) assert.equal((await owner.request('PUT', `/user/admin/${email}`)).statusCode, 200)
  const { length: before } = await store.emailsTo(owner.email)

  const rounds = sampleSize(8, 15)
  const codes: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [method, path] of [
      ['PUT', 'user/admin'],
      ['DELETE', 'user'],
      ['PUT', 'user/restored'],
    ] as const) {
      const { statusCode, body } = await colleague.request(method, `/${path}/${other.email}`)
      if (statusCode === 429)
        assert.match(
          body,
          /Admins who are no owners have asked for 20 changes of roles and limits, removals and restorations within an hour, .*: wait \d+ minutes/,
        )
      codes.push(statusCode)
    }
  }

  assert.deepEqual(codes, [...Array<number>(20).fill(200), ...Array<number>(3 * rounds - 20).fill(429)])
  assert.equal((await puppet.request('DELETE', `/user/${other.email}`)).statusCode, 429, 'nor can who was made an admin')
  const { length: after } = await store.emailsTo(owner.email)
  t.diagnostic(`${after - before} mails to an owner for ${3 * rounds} calls of a colleague`)
  for (let round = 0; round < sampleSize(8, 11); round++)
    for (const [method, path] of [
      ['PUT', 'user/restored'],
      ['PUT', 'user/admin'],
      ['DELETE', 'user'],
    ] as const)
      assert.equal((await owner.request(method, `/${path}/${other.email}`)).statusCode, 200)
})

test('H12 two owners who take each other at the same moment both stay, and the last owner stays whoever asks', async () => {
  await using store = await anEmptyStore()
  const { admin, customer, otherCustomer } = store
  for (const { token } of [customer, otherCustomer]) await token()
  await store.db.update(users).set({ emailVerified: true })
  await store.db.update(signInMethods).set({ emailProvenAt: new Date() })
  await identity.makeOwner(store.db, store.provider, customer.email)
  await identity.makeAdmin(store.db, otherCustomer.email) // so that what keeps an owner is not the rule for the last admin

  const each = [
    admin.request('DELETE', `/user/${customer.email}`),
    customer.request('DELETE', `/user/${admin.email}`),
    admin.request('DELETE', `/user/admin/${customer.email}`),
    customer.request('DELETE', `/user/admin/${admin.email}`),
  ]
  for (const { statusCode } of await Promise.all(each)) assert.equal(statusCode, 409)

  const both = await Promise.all([admin, customer].map(({ request, email }) => request('DELETE', `/user/admin/${email}`)))
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409], 'both give it up at once: one stays')
  assert.equal((await store.db.select().from(users).where(eq(users.owner, true))).length, 1)
})

test('H12 an owner who is gone all the same comes back: by the next start, and by the command', async () => {
  await using store = await anEmptyStore()
  const { db, provider, admin } = store
  const password = 'correct horse battery'
  const mayEnter = async () =>
    (await store.visitor.request('POST', '/auth/sign-in/email', { email: admin.email, password })).statusCode === 200
  for (const bringBack of [
    () => identity.ensureFirstOwner(db, provider, { email: admin.email, password: undefined }),
    () => identity.makeOwner(db, provider, admin.email),
  ]) {
    await db.update(users).set({ owner: false, role: 'customer', removedAt: new Date() })
    assert.equal(await mayEnter(), false)
    await bringBack()
    assert.equal(await mayEnter(), true)
    assert.equal(await identity.isOwner(db, admin.email), true)
  }
})

test('H13 a live store does not start with a password, a secret or a signing secret that is guessed at once', (t) => {
  const live = {
    STORE_MODE: 'live',
    PUBLIC_URL: 'https://shop.example',
    SECRET: 'kT4xv0nQe7ZbWq2LmYc9RjUa5Hs1Pd8G',
    STRIPE_SECRET_KEY: 'sk_live_abc',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    SMTP_URL: 'smtps://user:password@mail.example:465',
    MAIL_FROM: 'shop@shop.example',
    ADMIN_EMAIL: 'owner@shop.example',
    TRUST_PROXY: 'on',
  }
  assert.equal(readSettings(live).mode, 'live')
  const guessed = {
    ADMIN_PASSWORD: ['password', 'PASSWORD', 'Password1', '12345678', 'admin123'],
    SECRET: ['x'.repeat(32), 'a'.repeat(400), 'abc'.repeat(20)],
    STRIPE_WEBHOOK_SECRET: ['whsec_', 'whsec_ ', 'whsec_x'],
  }
  for (const [name, values] of Object.entries(guessed))
    for (const value of values)
      assert.throws(
        () => readSettings({ ...live, [name]: value }),
        (error) => error instanceof StartupError && error.message.startsWith(`${name} `),
        `${name}=${value}`,
      )
  t.diagnostic(`${Object.values(guessed).flat().length} settings`)
})

test('H13 another user of the machine reads no mail of a demo: every page of the outbox asks for the key', async (t) => {
  const outbox = mkdtempSync(path.join(os.tmpdir(), 'outbox-'))
  const app = createHttpApp()
  const key = 'k'.repeat(43)
  try {
    writeFileSync(
      path.join(outbox, 'one.eml'),
      'To: ada@shop.example\r\nSubject: Set a new password\r\n\r\nhttp://localhost:3000/reset-password#secret',
    )
    registerOutboxRoutes(app, {
      outbox,
      font: path.join(import.meta.dirname, '../web/fonts/geist.woff2'),
      publicUrl: 'http://localhost:3000',
      key,
    })
    const ask = (url: string, cookie: string) =>
      app.inject({ url, headers: { host: 'localhost:3000', ...(cookie && { cookie }) }, remoteAddress: '127.0.0.1' })
    const pages = ['/outbox', '/outbox/one.eml', '/outbox/one.eml/html', '/outbox/geist.woff2']
    const guesses = ['', '?key=', `?key=${'k'.repeat(42)}`, `?key=${key}${key}`, '?key=__proto__', `?key[]=${key}`]
    let asked = 0
    for (const page of pages)
      for (const guess of guesses)
        for (const cookie of ['', 'nucleus.outbox=', 'nucleus.outbox=kk', `xnucleus.outbox=${key}`]) {
          const { statusCode, body } = await ask(page + guess, cookie)
          assert.equal(statusCode, 403, `${page}${guess} ${cookie}`)
          assert.doesNotMatch(body, /ada@shop|new password|secret/)
          asked++
        }
    for (const page of pages) assert.equal((await ask(page, `nucleus.outbox=${key}`)).statusCode, 200)
    t.diagnostic(`${asked} knocks without the key`)
  } finally {
    await app.close()
    rmSync(outbox, { recursive: true })
  }
})

/** Admins who are no owners, made by the owner. */
async function colleaguesOf(store: Store, ...names: string[]): Promise<Actor[]> {
  const colleagues = names.map((name) => store.newCustomer(name))
  for (const { email, token } of colleagues) {
    await token()
    assert.equal((await store.admin.request('PUT', `/user/admin/${email}`)).statusCode, 200)
  }
  return colleagues
}

/** The subjects of an owner's mails that tell about this. */
const ownersMails = async (store: Store, about: RegExp) =>
  (await store.emailsTo(store.admin.email)).filter(({ subject }) => about.test(subject)).map(({ subject }) => subject)

const manyRefunds = /has refunded much within an hour/
const refundLimit = /Admins who are no owners can make 20 refunds and give back \$20,000 within an hour together/

test('H13 admins who are no owners refund twenty times an hour together, however many at one moment, and an owner as often as they like; owners get one mail about each who refunds much', async (t) => {
  await using store = await anEmptyStore({ cards: true })
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  const orders: Purchase[] = []
  for (let nth = 0; nth < 6; nth++) orders.push((await placePaidOrder(store, { dollars: 30 })).order)
  const refund = (admin: Actor, nth = 0) => refundPurchase(admin, orders[nth % orders.length] ?? assert.fail(), { amountCents: 100 })

  for (let nth = 0; nth < 5; nth++) assert.equal((await refund(eve)).statusCode, 200)
  assert.deepEqual(await ownersMails(store, manyRefunds), [], 'five are nothing out of the way')
  const answers = await Promise.all(Array.from({ length: 18 }, (_, nth) => refund(nth % 2 ? eve : mallory, nth)))
  const { length: given } = answers.filter(({ statusCode }) => statusCode === 200)
  assert.equal(given, 15)
  for (const { statusCode, body } of answers.filter(({ statusCode }) => statusCode !== 200))
    assert.match(
      `${statusCode} ${body}`,
      new RegExp(`^429 .*${refundLimit.source}: wait \\d+ minutes, then try again, or ask an owner to do it`),
    )
  assert.equal(await store.db.$count(refunds), 20)

  const counts = await store.db
    .select({ by: users.name, refunds: sql<number>`count(*)::integer` })
    .from(refunds)
    .innerJoin(users, eq(users.id, refunds.userId))
    .groupBy(users.name)
  const much = counts
    .filter(({ refunds }) => refunds > 5)
    .map(({ by }) => `${by.toLowerCase()}@shop.example has refunded much within an hour`)
  assert.deepEqual((await ownersMails(store, manyRefunds)).sort(), much.sort(), 'one mail about each of them')
  const mail = (await store.emailsTo(store.admin.email)).find(({ subject }) => subject === `${eve.email} has refunded much within an hour`)
  assert.match(mail?.text ?? '', /6 refunds of \$6 in all within an hour were made by eve@shop\.example on/)
  for (let nth = 0; nth < 3; nth++) assert.equal((await refund(store.admin)).statusCode, 200)
  assert.equal((await refund(eve)).statusCode, 429, 'what owners refund makes no room')

  await store.db.update(refunds).set({ askedAt: sql`now() - interval '61 minutes'` })
  await store.db.update(ownerNotices).set({ at: sql`now() - interval '61 minutes'` })
  for (let nth = 0; nth < 8; nth++) assert.equal((await refund(eve)).statusCode, 200)
  assert.equal((await ownersMails(store, manyRefunds)).length, much.length + 1, 'a further one in another hour')
  for (const order of orders.slice(-3)) assert.equal((await refundPurchase(eve, order, { amountCents: 1800 })).statusCode, 200)
  assert.equal((await ownersMails(store, manyRefunds)).length, much.length + 2, 'and one at ten times as much')
  t.diagnostic(`${answers.length + 5} refunds asked for by two admins who are no owners, 20 given`)
})

test('H13 admins who are no owners give back $20,000 an hour together, by refunds and by cancelling paid orders; owners are told beyond $5,000, and give back any amount', async () => {
  await using store = await anEmptyStore({ cards: true, buyerLimits: 'off' })
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  const paid = async (dollars: number) => (await placePaidOrder(store, { toolId: await createProduct(store, { dollars }), dollars })).order
  const [huge, large, middling, small] = [await paid(30_000), await paid(15_000), await paid(5_001), await paid(4_999)]
  const whole = await paid(20_000)

  for (const refused of [await refundPurchase(eve, huge), await cancelPurchase(eve, huge)]) {
    assert.equal(refused.statusCode, 429, refused.body)
    assert.match(refused.body, new RegExp(`${refundLimit.source}: give back less at a time, or ask an owner to do it`))
  }
  assert.deepEqual(await ownersMails(store, manyRefunds), [], 'nothing has gone back')
  assert.equal((await cancelPurchase(eve, large)).statusCode, 200)
  assert.equal((await ownersMails(store, manyRefunds)).length, 1)
  const mail = (await store.emailsTo(store.admin.email)).find(({ subject }) => manyRefunds.test(subject))
  assert.match(mail?.text ?? '', /\b1 refund of \$15,000 in all within an hour/)
  for (const refused of [await refundPurchase(mallory, middling), await cancelPurchase(eve, middling)]) {
    assert.equal(refused.statusCode, 429, refused.body)
    assert.match(refused.body, /wait \d+ minutes, then try again, or ask an owner/)
  }
  assert.equal((await refundPurchase(mallory, small)).statusCode, 200, 'what is left of the $20,000')
  assert.equal((await ownersMails(store, manyRefunds)).length, 1, 'Mallory has given back little')
  assert.equal((await refundPurchase(store.admin, huge)).statusCode, 200)
  assert.equal((await cancelPurchase(store.admin, middling)).statusCode, 200)
  await store.db.update(refunds).set({ askedAt: sql`now() - interval '61 minutes'` })
  assert.equal((await refundPurchase(eve, whole)).statusCode, 200, 'all of the $20,000 at once')
})

test('H13 an admin who is no owner lifts the limits of buyers as one of twenty changes of accounts an hour, and every owner is told of each account', async () => {
  await using store = await anEmptyStore()
  const [eve] = await colleaguesOf(store, 'Eve')
  assert.ok(eve)
  await store.customer.token()
  const { email } = store.customer
  const lift = (admin: Actor, lifted = true) => admin.request('PUT', `/user/limits/${email}`, { lifted })
  const told = () => ownersMails(store, /orders at Nucleus of PC without the limits of buyers now/)

  assert.equal((await lift(store.admin)).statusCode, 200)
  assert.equal((await lift(store.admin, false)).statusCode, 200)
  assert.deepEqual(await told(), [], 'owners know what they do')
  for (const lifted of [true, true, false, true]) assert.equal((await lift(eve, lifted)).statusCode, 200)
  assert.deepEqual(await told(), Array(2).fill(`${email} orders at Nucleus of PC without the limits of buyers now`))
  const mail = (await store.emailsTo(store.admin.email)).at(-1)
  assert.match(mail?.text ?? '', /The limits of ada@shop\.example as a buyer were lifted by eve@shop\.example on/)

  const codes: number[] = []
  for (let nth = 0; nth < 18; nth++) codes.push((await lift(eve)).statusCode)
  assert.deepEqual(codes, [...Array<number>(16).fill(200), 429, 429])
  assert.equal((await eve.request('DELETE', `/user/${email}`)).statusCode, 429, 'removals are counted with them')
  assert.equal((await lift(store.admin, false)).statusCode, 200)
})

test("H13 admins who are no owners change twenty profiles of others an hour together, and no owner's; their own, and owners any, as often as they like", async () => {
  await using store = await anEmptyStore()
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  await store.customer.token()
  const profile = { picture: '/drawings/drill.svg', education: 'Gone', location: 'Nowhere', phone: '+44 20 7946 0018', linkedIn: '' }
  const change = async (admin: Actor, { email }: Actor) => (await admin.request('PUT', `/users/${email}`, profile)).statusCode

  assert.equal(await change(eve, store.admin), 403)
  const codes: number[] = []
  for (let nth = 0; nth < 22; nth++) codes.push(await change(nth % 2 ? eve : mallory, store.customer))
  assert.deepEqual(codes, [...Array<number>(20).fill(200), 429, 429])
  for (const [admin, whose] of [
    [eve, eve],
    [store.admin, store.customer],
    [store.admin, eve],
  ] as const)
    assert.equal(await change(admin, whose), 200)
})

test('H13 admins who are no owners remove sixty products an hour together, and owners get one mail about who removes more than twenty', async () => {
  await using store = await anEmptyStore()
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  await importProducts(store, ndjson(...Array.from({ length: 64 }, (_, nth) => ({ ...drill, sku: `D-${nth}` }))))
  const ids = (await store.db.select({ _id: products._id }).from(products)).map(({ _id }) => _id)
  const remove = (admin: Actor) => admin.request('DELETE', `/tools/${ids.pop()}`)
  const told = () => ownersMails(store, /has removed many products within an hour/)

  for (let nth = 0; nth < 20; nth++) assert.equal((await remove(mallory)).statusCode, 200)
  assert.deepEqual(await told(), [], 'twenty are nothing out of the way')
  for (let nth = 0; nth < 4; nth++) {
    const answers: ApiResponse[] = await Promise.all(Array.from({ length: 10 }, () => remove(eve)))
    for (const answer of answers) assert.equal(answer.statusCode, 200, answer.body)
  }
  assert.deepEqual(await told(), [`${eve.email} has removed many products within an hour`])
  const mail = (await store.emailsTo(store.admin.email)).at(-1)
  assert.match(mail?.text ?? '', /21 removals of products within an hour were made by eve@shop\.example on/)
  assert.match(mail?.text ?? '', /can be brought back/)

  for (const admin of [eve, mallory]) {
    const { statusCode, body } = await remove(admin)
    assert.equal(statusCode, 429, body)
    assert.match(
      body,
      /asked to remove 60 products within an hour, .* together: wait \d+ minutes, then try again, or ask an owner to do it/,
    )
  }
  assert.equal((await remove(store.admin)).statusCode, 200)
})

test('H13 owners get a mail about an admin who is no owner and makes more than fifty changes of products within an hour, by files and by calls, and a further one at ten times as many', async () => {
  await using store = await anEmptyStore()
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  const parts = (many: number, price: number) =>
    ndjson(...Array.from({ length: many }, (_, nth) => ({ ...drill, sku: `D-${nth}`, name: `Drill ${nth}`, mpn: `${nth}`, price })))
  const importAs = (admin: Actor, file: string) => importProducts({ ...store, admin }, file)
  const told = async () =>
    (await store.emailsTo(store.admin.email))
      .filter(({ subject }) => subject.endsWith('has changed many products within an hour'))
      .map(({ text }) => /^[\d,]+ changes of products within an hour were made by eve@shop\.example on/m.exec(text)?.[0].split(' ')[0])
  const id = await createProduct(store)
  const put = async (figures: { price?: number; available_quantity?: number }) => {
    const { price, minimum_order_quantity, available_quantity } = (await store.visitor.request('GET', `/tools/${id}`)).json()
    const answer = await eve.request('PUT', `/tools/${id}`, { price, minimum_order_quantity, available_quantity, ...figures })
    assert.equal(answer.statusCode, 200, answer.body)
  }

  await importAs(store.admin, parts(60, 30))
  await importAs(mallory, parts(50, 31))
  await importAs(eve, parts(20, 32))
  await importAs(eve, parts(22, 32)) // two more change
  await importAs(eve, ndjson(...Array.from({ length: 20 }, (_, nth) => ({ ...drill, sku: `N-${nth}`, available_quantity: 0 }))))
  for (let nth = 0; nth < 3; nth++) {
    const { _id, ...product } = (await store.visitor.request('GET', `/tools/${id}`)).json()
    const added = await eve.request('POST', '/tools', { ...product, img: 'https://shop.example/drill.png', available_quantity: 0 })
    assert.equal(added.statusCode, 201, added.body)
  }
  for (const price of [40, 41, 42, 42]) await put({ price }) // the last changes nothing
  await put({ available_quantity: 7 })
  assert.equal((await eve.request('DELETE', `/tools/${id}`)).statusCode, 200)
  assert.equal((await eve.request('PUT', `/tools/restored/${id}`)).statusCode, 200)
  assert.deepEqual(await told(), [], 'fifty are nothing out of the way')
  await put({ price: 43 })
  assert.deepEqual(await told(), ['51'])

  await importAs(eve, parts(458, 33))
  await put({ price: 43 })
  assert.deepEqual(await told(), ['51'], '509 are not ten times as many')
  await put({ price: 44 })
  assert.deepEqual(await told(), ['51', '510'])

  await store.db.update(ownerNotices).set({ at: sql`now() - interval '61 minutes'` })
  await store.db.update(rateLimits).set({ endsAt: sql`now() - interval '1 minute'` })
  await importAs(eve, parts(50, 34))
  assert.equal((await told()).length, 2, 'another hour')
  await put({ price: 45 })
  assert.deepEqual(await told(), ['51', '510', '51'])
})

/** Sends these requests, and lets the first of them insert a product when all have come as far as they can. */
async function atOneMoment(store: Store, requests: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holder = store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table tools in share mode`)
    hold()
    await held
  })
  await isHeld
  const sent = requests.map((send) => send())
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= requests.length) break
  }
  letGo()
  await holder
  return Promise.all(sent)
}

test('H13 admins who are no owners add 50,000 products a day together, by calls and by files, and no more at one moment either; an owner adds any number', async () => {
  await using store = await anEmptyStore()
  assert.equal(newProductLimit.products, 50_000)
  using _ = limitNewProducts(5)
  const [eve, mallory] = await colleaguesOf(store, 'Eve', 'Mallory')
  assert.ok(eve && mallory)
  const asEve = { ...store, admin: eve }
  const numbered = (nth: number) => ({ ...drill, sku: `D-${nth}`, name: `Drill ${nth}` })
  const add = async (admin: Actor) => {
    const { specs: _specs, sku: _sku, ...product } = drill
    return admin.request('POST', '/tools', { ...product, img: 'https://shop.example/drill.png' })
  }
  const words =
    /Admins who are no owners can add 5 products within a day, all of them together: add the others tomorrow, or ask an owner to add them/
  await importProducts(asEve, ndjson(numbered(1), numbered(2)))
  const removed = (await findProduct(store, 'D-2')) ?? assert.fail()
  assert.equal((await eve.request('DELETE', `/tools/${removed._id}`)).statusCode, 200)

  assert.match(await refusalReason(asEve, ndjson(numbered(3), numbered(4), numbered(5), numbered(6))), words)
  const { _id: waiting } = await uploadAndCheck(asEve, ndjson(numbered(3), numbered(4), { ...numbered(1), price: 99 }))
  const answers = await atOneMoment(
    store,
    Array.from({ length: 5 }, (_, nth) => () => add(nth % 2 ? eve : mallory)),
  )
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 201, 201, 429, 429])
  for (const { statusCode, body } of answers) if (statusCode === 429) assert.match(body, words)

  assert.equal((await eve.request('POST', `/imports/${waiting}/run`, {})).statusCode, 200)
  await store.jobs.whenIdle()
  const { state, trouble } = await getImportByApi(store, waiting)
  assert.match(`${state}: ${trouble}`, new RegExp(`^failed: ${words.source}`))
  assert.equal(await store.db.$count(products), 5)
  assert.equal((await findProduct(store, 'D-1'))?.priceCents, 3000)
  await importProducts(asEve, ndjson({ ...numbered(1), price: 31 }))
  assert.equal((await eve.request('PUT', `/tools/restored/${removed._id}`)).statusCode, 200)

  assert.equal((await add(store.admin)).statusCode, 201)
  await importProducts(store, ndjson(numbered(3), numbered(4)))
  assert.equal(await store.db.$count(products), 8)
  assert.equal((await add(eve)).statusCode, 429)
  await store.db.update(rateLimits).set({ endsAt: sql`now() - interval '1 minute'` })
  assert.equal((await add(eve)).statusCode, 201, 'another day')
})

test('H13 removed products are listed for admins, newest first, and each is for sale again as it was once it is brought back', async () => {
  await using store = await anEmptyStore()
  const [eve] = await colleaguesOf(store, 'Eve')
  assert.ok(eve)
  const [drill, saw] = [await createProduct(store, { name: 'Drill' }), await createProduct(store, { name: 'Saw', dollars: 12, pieces: 7 })]
  const [before] = await store.db.select().from(products).where(eq(products._id, saw))
  const restore = (id = '') => eve.request('PUT', `/tools/restored/${id}`)
  const removed = async (): Promise<RemovedProduct[]> => (await eve.request('GET', '/tools/removed')).json()
  const isFound = async (name: string) => (await store.visitor.request('GET', `/search?q=${name}`)).json().total === 1

  assert.deepEqual(await removed(), [])
  for (const id of [drill, saw]) assert.equal((await eve.request('DELETE', `/tools/${id}`)).statusCode, 200)
  assert.equal(await isFound('saw'), false)
  const [newest, ...older] = await removed()
  assert.ok(newest)
  const { removedAt, ...product } = newest
  assert.deepEqual(product, { _id: saw, name: 'Saw', price: 12, sku: before?.sku })
  assert.ok(Math.abs(Date.parse(removedAt) - Date.now()) < 60_000)
  assert.deepEqual(
    older.map(({ name }) => name),
    ['Drill'],
  )

  const back = await restore(saw)
  assert.equal(back.statusCode, 200, back.body)
  assert.deepEqual(back.json(), (await store.visitor.request('GET', `/tools/${saw}`)).json())
  const [after] = await store.db.select().from(products).where(eq(products._id, saw))
  assert.deepEqual({ ...after, listPriceAskedSince: null }, { ...before, listPriceAskedSince: null }) // its price is asked anew
  assert.equal(await isFound('saw'), true)
  assert.deepEqual(
    (await removed()).map(({ name }) => name),
    ['Drill'],
  )
  const [twice, unknown] = [await restore(saw), await restore(crypto.randomUUID())]
  assert.deepEqual([twice.statusCode, twice.json().message], [409, 'This product was not removed'])
  assert.equal(unknown.statusCode, 404)
})

test('H13 what a change on a screen or an import overwrites of a product can be seen for a year: field by field, before and after, when and by whom', async () => {
  await using store = await anEmptyStore()
  const [eve] = await colleaguesOf(store, 'Eve')
  assert.ok(eve)
  const { email: owner } = store.admin
  await importProducts(store, ndjson(drill, saw))
  const { _id } = (await findProduct(store, drill.sku)) ?? assert.fail()
  const history = async (): Promise<ProductHistoryEntry[]> => {
    const { statusCode, body } = await store.admin.request('GET', `/tools/${_id}/history`)
    assert.equal(statusCode, 200, body)
    return z.array(ProductHistoryEntry).parse(JSON.parse(body))
  }
  const told = async (since = 0) =>
    (await history())
      .map(({ field, before, after, by }) => `${by} ${field}: ${before} -> ${after}`)
      .reverse()
      .slice(since)
  assert.deepEqual(await history(), [], 'a new product has overwritten nothing')

  const figures = { price: 1, minimum_order_quantity: 1, available_quantity: 3 }
  assert.equal((await eve.request('PUT', `/tools/${_id}`, figures)).statusCode, 200)
  assert.deepEqual(await told(), [`${eve.email} price: 30 -> 1`])
  const [first] = await history()
  assert.ok(Math.abs(Date.parse(`${first?.at}`) - Date.now()) < 60_000)
  assert.equal(first?.importId, null)

  const { brand: _, ...rest } = drill
  const changed = {
    ...rest,
    brand: '',
    name: 'Drill 2',
    description: 'Gone.',
    price: 31,
    available_quantity: 3,
    specs: { cores: 8, socket: 'AM5' },
  }
  const { _id: importId } = await importProducts(store, ndjson(changed, saw))
  assert.deepEqual((await told(1)).sort(), [
    `${owner} brand: Bosch -> null`,
    `${owner} description: Turns. -> Gone.`,
    `${owner} name: Drill -> Drill 2`,
    `${owner} price: 1 -> 31`,
    `${owner} specs.cores: 4 -> 8`,
    `${owner} specs.socket: null -> AM5`,
  ])
  assert.deepEqual([...new Set((await history()).slice(0, -1).map((entry) => entry.importId))], [importId])
  await importProducts(store, ndjson(changed, saw))
  assert.equal((await history()).length, 7, 'what is the same is no news')
  const { _id: sawId } = (await findProduct(store, saw.sku)) ?? assert.fail()
  assert.deepEqual((await store.admin.request('GET', `/tools/${sawId}/history`)).json(), [], 'nor is what stayed')

  assert.equal((await eve.request('DELETE', `/tools/${_id}`)).statusCode, 200)
  await importProducts(store, ndjson(changed, saw))
  assert.deepEqual(await told(7), [`${eve.email} for_sale: true -> false`, `${owner} for_sale: false -> true`])
  assert.equal((await eve.request('DELETE', `/tools/${_id}`)).statusCode, 200)
  assert.equal((await eve.request('PUT', `/tools/restored/${_id}`)).statusCode, 200)
  assert.deepEqual(await told(9), [`${eve.email} for_sale: true -> false`, `${eve.email} for_sale: false -> true`])

  await store.db.update(productHistory).set({ at: sql`now() - interval '366 days'` })
  await store.jobs.runAllOnce()
  assert.equal((await history()).length, 11, 'a year later it is there')
  await store.db.update(productHistory).set({ at: sql`now() - interval '401 days'` }).where(eq(productHistory.field, 'price'))
  await store.jobs.runAllOnce()
  assert.equal((await history()).length, 9)
  assert.equal((await store.admin.request('GET', `/tools/${crypto.randomUUID()}/history`)).statusCode, 404)
})

test('H13 however many attributes of a product change, what was overwritten of its price, name and state stays in view', async () => {
  await using store = await anEmptyStore()
  const attributes = (value: number) => Object.fromEntries(Array.from({ length: 120 }, (_, nth) => [`key_${nth}`, value]))
  await importProducts(store, ndjson({ ...drill, specs: attributes(1) }))
  const { _id } = (await findProduct(store, drill.sku)) ?? assert.fail()
  for (const changes of [{ price: 1, name: 'Toy' }, { specs: attributes(2) }, { specs: attributes(3) }, { price: 2 }])
    await importProducts(store, ndjson({ sku: drill.sku, ...changes }))

  const history: ProductHistoryEntry[] = (await store.admin.request('GET', `/tools/${_id}/history`)).json()
  const isOfAttribute = ({ field }: ProductHistoryEntry) => field.startsWith('specs.')
  const told = (entries: ProductHistoryEntry[]) => entries.map(({ field, before, after }) => `${field}: ${before} -> ${after}`)
  assert.deepEqual(told(history.slice(0, 1)), ['price: 1 -> 2'], 'the newest stands first, whatever it is')
  assert.deepEqual(told(history.slice(-2)).sort(), ['name: Drill -> Toy', 'price: 30 -> 1'])
  const ofAttributes = history.slice(1, -2)
  assert.equal(ofAttributes.filter(isOfAttribute).length, 100)
  assert.deepEqual([...new Set(ofAttributes.map(({ before, after }) => `${before} -> ${after}`))], ['2 -> 3'])
})
