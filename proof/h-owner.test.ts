import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { openOutbox } from '#demo/outbox/outbox.ts'
import { CannotStart } from '#platform/cannot-start.ts'
import { openHttp } from '#platform/http.ts'
import { readSettings } from '#platform/settings.ts'
import * as identity from '#store/identity/rules.ts'
import { accounts, users } from '#store/identity/table.ts'
import { type Actor, anEmptyStore } from '#test/store.ts'
import { howMany } from './size.ts'

const profile = { picture: '/drawings/avatar.svg', location: 'London', phone: '0171 987' }

test('H12 a colleague who was made an admin cannot lock the owner out, alone or with others at the same moment', async (t) => {
  await using store = await anEmptyStore()
  const { email: owner } = store.admin
  const rounds = howMany(3, 40)
  let asked = 0
  for (let round = 0; round < rounds; round++) {
    const colleagues = [store.newcomer(`One${round}`), store.newcomer(`Other${round}`)]
    for (const { email, token } of colleagues) {
      await token()
      assert.equal((await store.admin.ask('PUT', `/user/admin/${email}`)).statusCode, 200)
    }
    const attack = ({ ask }: Actor) => [
      ask('DELETE', `/user/${owner}`),
      ask('DELETE', `/user/${owner.toUpperCase()}`),
      ask('DELETE', `/user/admin/${owner}`),
      ask('PUT', `/users/${owner}`, { ...profile, role: 'customer', owner: false, removedAt: '2020-02-02T00:00:00Z' }),
    ]
    const answers = await Promise.all(colleagues.flatMap(attack))
    asked += answers.length
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      colleagues.flatMap(() => [409, 409, 403, 200]),
    )
    assert.match(answers[0]?.body ?? '', /an owner of the store: nobody else can remove it/)
    assert.equal((await store.admin.ask('GET', '/bookings')).statusCode, 200, 'the owner is signed in')

    for (const { email } of colleagues) assert.equal((await store.admin.ask('DELETE', `/user/admin/${email}`)).statusCode, 200)
    for (const { ask } of colleagues) assert.equal((await ask('GET', '/bookings')).statusCode, 401, 'who was lowered is signed out')
  }
  t.diagnostic(`${asked} tries of ${rounds * 2} colleagues`)
})

test('H12 admins who are no owners make admins, remove accounts and bring them back twenty times an hour together, whatever comes of it, and an owner as often as they like', async (t) => {
  await using store = await anEmptyStore()
  const { admin: owner, customer: colleague, otherCustomer: other } = store
  const puppet = store.newcomer('Eve')
  for (const { token } of [colleague, other, puppet]) await token()
  for (const { email } of [colleague, puppet]) assert.equal((await owner.ask('PUT', `/user/admin/${email}`)).statusCode, 200)
  const { length: before } = await store.mailsTo(owner.email)

  const codes: number[] = []
  for (let round = 0; round < 15; round++) {
    for (const [method, path] of [
      ['PUT', 'user/admin'],
      ['DELETE', 'user'],
      ['PUT', 'user/restored'],
    ] as const) {
      const { statusCode, body } = await colleague.ask(method, `/${path}/${other.email}`)
      if (statusCode === 429)
        assert.match(
          body,
          /Admins who are no owners have asked for 20 changes of roles, removals and restorations within an hour, .*: wait \d+ minutes/,
        )
      codes.push(statusCode)
    }
  }

  assert.deepEqual(codes, [...Array<number>(20).fill(200), ...Array<number>(25).fill(429)])
  assert.equal((await puppet.ask('DELETE', `/user/${other.email}`)).statusCode, 429, 'nor can who was made an admin')
  const { length: after } = await store.mailsTo(owner.email)
  t.diagnostic(`${after - before} mails to an owner for 45 calls of a colleague`)
  for (let round = 0; round < 11; round++)
    for (const [method, path] of [
      ['PUT', 'user/restored'],
      ['PUT', 'user/admin'],
      ['DELETE', 'user'],
    ] as const)
      assert.equal((await owner.ask(method, `/${path}/${other.email}`)).statusCode, 200)
})

test('H12 two owners who take each other at the same moment both stay, and the last owner stays whoever asks', async () => {
  await using store = await anEmptyStore()
  const { admin, customer, otherCustomer } = store
  for (const { token } of [customer, otherCustomer]) await token()
  await store.db.update(users).set({ emailVerified: true })
  await store.db.update(accounts).set({ emailProvenAt: new Date() })
  await identity.makeOwner(store.db, store.provider, customer.email)
  await identity.makeAdmin(store.db, otherCustomer.email) // so that what keeps an owner is not the rule for the last admin

  const each = [
    admin.ask('DELETE', `/user/${customer.email}`),
    customer.ask('DELETE', `/user/${admin.email}`),
    admin.ask('DELETE', `/user/admin/${customer.email}`),
    customer.ask('DELETE', `/user/admin/${admin.email}`),
  ]
  for (const { statusCode } of await Promise.all(each)) assert.equal(statusCode, 409)

  const both = await Promise.all([admin, customer].map(({ ask, email }) => ask('DELETE', `/user/admin/${email}`)))
  assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409], 'both give it up at once: one stays')
  assert.equal((await store.db.select().from(users).where(eq(users.owner, true))).length, 1)
})

test('H12 an owner who is gone all the same comes back: by the next start, and by the command', async () => {
  await using store = await anEmptyStore()
  const { db, provider, admin } = store
  const password = 'correct horse battery'
  const mayEnter = async () => (await store.visitor.ask('POST', '/auth/sign-in/email', { email: admin.email, password })).statusCode === 200
  for (const bringBack of [
    () => identity.makeFirstAdmin(db, provider, { email: admin.email, password: undefined }),
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
        (error) => error instanceof CannotStart && error.message.startsWith(`${name} `),
        `${name}=${value}`,
      )
  t.diagnostic(`${Object.values(guessed).flat().length} settings`)
})

test('H13 another user of the machine reads no mail of a demo: every page of the outbox asks for the key', async (t) => {
  const outbox = mkdtempSync(path.join(os.tmpdir(), 'outbox-'))
  const app = openHttp()
  const key = 'k'.repeat(43)
  try {
    writeFileSync(
      path.join(outbox, 'one.eml'),
      'To: ada@shop.example\r\nSubject: Set a new password\r\n\r\nhttp://localhost:3000/reset-password#secret',
    )
    openOutbox(app, { outbox, font: path.join(import.meta.dirname, '../web/fonts/geist.woff2'), publicUrl: 'http://localhost:3000', key })
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
