import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import type { Account } from './contract.ts'

const password = 'correct horse battery'
const house = path.join(import.meta.dirname, '../..')

const makeAdmin = (asking: Actor, email: string) => asking.ask('PUT', `/user/admin/${email}`)
const remove = (asking: Actor, email: string) => asking.ask('DELETE', `/user/${email}`)
const accounts = async (store: Store): Promise<Account[]> => (await store.admin.ask('GET', '/user')).json()
const isAdmin = async (store: Store, email: string): Promise<boolean> => (await store.admin.ask('GET', `/admin/${email}`)).json().admin
const signIn = (store: Store, email: string, tried = password) =>
  store.visitor.ask('POST', '/auth/sign-in/email', { email, password: tried })
/** Whether the token that this account holds still opens a call of its own. */
const isSignedIn = async (actor: Actor) => (await actor.ask('GET', `/purchase?buyerEmail=${actor.email}`)).statusCode === 200

/** The owner's command, on this store's database. */
async function command(store: Store, ...words: string[]) {
  const child = spawn(process.execPath, ['scripts/admin.ts', ...words], {
    cwd: house,
    env: { PATH: process.env.PATH, DATABASE_URL: store.connectionString },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, said: (said + complained).trim() }
}

test('an admin sees every account with its e-mail and role, oldest first, and nothing else of it', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.otherCustomer.token()

  const listed = await accounts(store)

  assert.deepEqual(
    listed.map(({ _id, ...account }) => account),
    [
      { email: 'owner@store.example', role: 'admin' },
      { email: 'ada@shop.example', role: 'customer' },
      { email: 'bob@shop.example', role: 'customer' },
    ],
  )
  assert.equal(new Set(listed.map(({ _id }) => _id)).size, 3)
})

test('an admin makes another one once; the account is one from its next call on', async () => {
  await using store = await anEmptyStore()
  assert.equal((await store.customer.ask('GET', '/bookings')).statusCode, 403)

  const made = await makeAdmin(store.admin, 'ADA@shop.example')
  assert.deepEqual([made.statusCode, made.json()], [200, { modifiedCount: 1 }])
  assert.deepEqual((await makeAdmin(store.admin, store.customer.email)).json(), { modifiedCount: 0 })

  assert.equal(await isAdmin(store, store.customer.email), true)
  assert.equal((await store.customer.ask('GET', '/bookings')).statusCode, 200)
  assert.deepEqual(
    (await accounts(store)).map(({ role }) => role),
    ['admin', 'admin'],
  )
})

test('only an admin makes admins and removes users, and only of accounts that are there', async () => {
  await using store = await anEmptyStore()
  await store.otherCustomer.token()

  for (const act of [makeAdmin, remove]) {
    const unknown = await act(store.admin, 'nobody@shop.example')
    assert.deepEqual([unknown.statusCode, unknown.json()], [404, { message: 'There is no such account' }])
    for (const email of [store.otherCustomer.email, store.customer.email, store.admin.email, 'nobody@shop.example']) {
      assert.equal((await act(store.customer, email)).statusCode, 403, email)
      assert.equal((await act(store.visitor, email)).statusCode, 401, email)
    }
  }

  assert.deepEqual(
    (await accounts(store)).map(({ role }) => role),
    ['admin', 'customer', 'customer'],
  )
})

test('a removed user can no longer sign in, and hears what an unknown one hears', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()

  const removed = await remove(store.admin, 'ADA@shop.example')
  assert.equal(removed.statusCode, 200, removed.body)
  assert.deepEqual([removed.json().email, removed.json().role], ['ada@shop.example', 'customer'])

  const [refused, unknown] = [await signIn(store, store.customer.email), await signIn(store, 'nobody@shop.example')]
  assert.deepEqual([refused.statusCode, refused.json()], [unknown.statusCode, unknown.json()])
  assert.deepEqual([refused.statusCode, refused.headers['set-cookie']], [401, undefined])
  assert.deepEqual(
    (await accounts(store)).map(({ email }) => email),
    [store.admin.email],
  )
  assert.equal((await remove(store.admin, store.customer.email)).statusCode, 404, 'once is enough')
  assert.equal((await makeAdmin(store.admin, store.customer.email)).statusCode, 404)
})

test('the sessions of a removed user end at once, and the orders stay in the books', async () => {
  await using store = await anEmptyStore()
  const drill = { name: 'Drill', img: '/drawings/drill.svg', description: 'Turns.', price: 30, minimum_order_quantity: 1 }
  await store.admin.ask('POST', '/tools', { ...drill, available_quantity: 40 })
  const wish = { productName: 'Drill', productQuantity: 2, productCost: 60, buyerAddress: '1 Road' }
  const order = (await store.customer.ask('POST', '/purchase', wish)).json()
  const elsewhere: string = (await signIn(store, store.customer.email)).json().token

  await remove(store.admin, store.customer.email)

  assert.equal(await isSignedIn(store.customer), false)
  for (const [method, address] of [
    ['GET', `/purchase/${order._id}`],
    ['PUT', `/user/${store.customer.email}`],
  ] as const)
    for (const token of [await store.customer.token(), elsewhere]) {
      const answer = await store.visitor.ask(method, address, undefined, { authorization: `Bearer ${token}` })
      assert.equal(answer.statusCode, 401, `${method} ${address}`)
    }
  assert.deepEqual((await store.admin.ask('GET', '/bookings')).json(), [{ ...order, refunds: [], attention: [] }])
})

test('the e-mail of a removed user cannot register again, nor set a new password', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await remove(store.admin, store.customer.email)
  const { length: before } = await store.mailsTo(store.customer.email)

  for (const email of ['ada@shop.example', 'ADA@shop.example']) {
    const again = await store.visitor.ask('POST', '/auth/sign-up/email', { name: 'Ada', email, password: 'another good password' })
    assert.equal(again.statusCode, 422, again.body)
    assert.equal(again.json().token, undefined)
    const reset = await store.visitor.ask('POST', '/auth/request-password-reset', { email })
    assert.deepEqual([reset.statusCode, reset.json()], [200, { status: true }], 'nobody learns that the account was removed')
  }

  assert.equal((await store.mailsTo(store.customer.email)).length, before)
  assert.equal((await signIn(store, store.customer.email, 'another good password')).statusCode, 401)
})

test('nobody removes themselves, nor the last admin', async () => {
  await using store = await anEmptyStore()

  const alone = await remove(store.admin, store.admin.email)
  assert.equal(alone.statusCode, 409)

  await store.customer.token()
  await makeAdmin(store.admin, store.customer.email)
  const oneself = await remove(store.customer, store.customer.email)
  assert.deepEqual([oneself.statusCode, oneself.json()], [409, { message: 'You cannot remove your own account' }])

  assert.equal((await remove(store.customer, store.admin.email)).statusCode, 200, 'one admin may remove another')
  assert.equal(await isSignedIn(store.admin), false)
  assert.deepEqual((await store.customer.ask('GET', '/user')).json().length, 1)
})

test('two admins who remove each other at the same moment leave one', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await makeAdmin(store.admin, store.customer.email)

  const [one, other] = await Promise.all([remove(store.admin, store.customer.email), remove(store.customer, store.admin.email)])

  assert.equal([one, other].filter(({ statusCode }) => statusCode === 200).length, 1, `${one.body} ${other.body}`)
  const left = one.statusCode === 200 ? store.admin : store.customer
  assert.deepEqual(
    (await left.ask('GET', '/user')).json().map(({ email, role }: Account) => ({ email, role })),
    [{ email: left.email, role: 'admin' }],
  )
})

test('an admin loses the role by the command of the owner only, and is signed out by it', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await makeAdmin(store.admin, store.customer.email)

  const otherwise = { role: 'customer', admin: false, email: store.customer.email }
  await store.admin.ask('PUT', `/user/${store.customer.email}`, otherwise)
  await store.customer.ask('PUT', `/user/${store.customer.email}`, otherwise)
  await store.admin.ask('PUT', `/user/admin/${store.customer.email}`, otherwise)
  assert.equal(await isAdmin(store, store.customer.email), true)
  assert.deepEqual(await command(store, 'list'), { code: 0, said: 'owner@store.example\nada@shop.example' })

  assert.deepEqual(await command(store, 'demote', 'Ada@Shop.Example'), {
    code: 0,
    said: 'ada@shop.example is no admin any more, and was signed out everywhere',
  })

  assert.equal(await isAdmin(store, store.customer.email), false)
  assert.equal(await isSignedIn(store.customer), false)
  assert.equal((await signIn(store, store.customer.email)).statusCode, 200, 'as a customer the account goes on')

  const last = await command(store, 'demote', store.admin.email)
  assert.notEqual(last.code, 0)
  assert.match(last.said, /This is the last admin: make another one first/)
  assert.equal(await isSignedIn(store.admin), true)
})

test('registrations from one address have to wait after ten, and others need not', async () => {
  await using store = await anEmptyStore()
  const register = (actor: Actor, nth: number) =>
    actor.ask('POST', '/auth/sign-up/email', { name: 'Eve', email: `eve${nth}@shop.example`, password })
  await store.customer.token() // the first of the ten

  for (let nth = 2; nth <= 10; nth++) assert.equal((await register(store.customer, nth)).statusCode, 200, `${nth}`)
  const refused = await register(store.customer, 11)

  assert.equal(refused.statusCode, 429, refused.body)
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
  assert.match(refused.json().message, /^Too many tries: wait \d+ seconds, then try again$/)
  assert.equal((await register(store.visitor, 11)).statusCode, 200)
})
