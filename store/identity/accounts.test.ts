import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { StartupError } from '#platform/startup-error.ts'
import { runAdminCommand } from '#scripts/admin-command.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import { runCommand } from '#test/store-process.ts'
import { type Account, maxRemovedUsersListed, type RemovedAccount } from './contract.ts'
import { makeOwner, removeUser } from './rules.ts'
import { ownerNotices, signInMethods as signIns, users } from './table.ts'

const password = 'correct horse battery'

const makeAdmin = (asking: Actor, email: string) => asking.request('PUT', `/user/admin/${email}`)
const remove = (asking: Actor, email: string) => asking.request('DELETE', `/user/${email}`)
const takeBack = (asking: Actor, email: string) => asking.request('DELETE', `/user/admin/${email}`)
const restore = (asking: Actor, email: string) => asking.request('PUT', `/user/restored/${email}`)
const newestMail = async (store: Store, email: string) => {
  await store.jobs.runAllOnce() // also what nothing has woken
  return (await store.emailsTo(email)).at(-1)
}
const accounts = async (store: Store): Promise<Account[]> => (await store.admin.request('GET', '/user')).json()
const isAdmin = async (store: Store, email: string): Promise<boolean> => (await store.admin.request('GET', `/admin/${email}`)).json().admin
const signIn = (store: Store, email: string, tried = password) =>
  store.visitor.request('POST', '/auth/sign-in/email', { email, password: tried })
/** Whether the token that this account holds still opens a call of its own. */
const isSignedIn = async (actor: Actor) => (await actor.request('GET', `/purchase?buyerEmail=${actor.email}`)).statusCode === 200

/** Everybody who has an account has shown that the e-mail is theirs. */
async function verifyAll({ db }: Store) {
  await db.update(users).set({ emailVerified: true })
  await db.update(signIns).set({ emailProvenAt: new Date() })
}

/** What the owner's command ends with and says, on this store's database. */
async function command({ connectionString }: Store, ...words: string[]) {
  try {
    return { code: 0, said: await runAdminCommand({ dataDir: '', databaseUrl: connectionString }, words) }
  } catch (error) {
    if (error instanceof StartupError) return { code: 1, said: error.message }
    throw error
  }
}

test('an admin sees every account with its e-mail and role, oldest first, and nothing else of it', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.otherCustomer.token()

  const listed = await accounts(store)

  assert.deepEqual(
    listed.map(({ _id, ...account }) => account),
    [
      { email: 'owner@store.example', role: 'admin', owner: true, limitsLifted: false },
      { email: 'ada@shop.example', role: 'customer', verified: false, limitsLifted: false },
      { email: 'bob@shop.example', role: 'customer', verified: false, limitsLifted: false },
    ],
  )
  assert.equal(new Set(listed.map(({ _id }) => _id)).size, 3)
})

test('an admin asks for accounts by pages, finds them by parts of their e-mail, and is told whether they are an owner', async () => {
  await using store = await anEmptyStore()
  for (const actor of [store.customer, store.otherCustomer]) await actor.token()
  const page = async (query: string, asking = store.admin) => {
    const { accounts, ...others } = (await asking.request('GET', `/user/page?${query}`)).json()
    return { ...others, emails: accounts.map(({ email }: Account) => email) }
  }
  const [owner, ada, bob] = ['owner@store.example', 'ada@shop.example', 'bob@shop.example']

  assert.deepEqual(await page(''), { total: 3, askedByOwner: true, emails: [owner, ada, bob] })
  assert.deepEqual(await page('limit=2&page=2'), { total: 3, askedByOwner: true, emails: [bob] })
  assert.deepEqual((await page('sort=email')).emails, [ada, bob, owner])
  assert.deepEqual((await page('sort=-email&limit=1')).emails, [owner])
  assert.deepEqual(await page('q=SHOP+bo'), { total: 1, askedByOwner: true, emails: [bob] })
  assert.deepEqual(await page('q=%25'), { total: 0, askedByOwner: true, emails: [] })
  assert.equal((await store.admin.request('GET', '/user/page?sort=role')).statusCode, 400)

  await makeAdmin(store.admin, ada)
  await remove(store.admin, bob)
  assert.deepEqual(await page('', store.customer), { total: 2, askedByOwner: false, emails: [owner, ada] })
  assert.equal((await store.otherCustomer.request('GET', '/user/page')).statusCode, 401)
})

test('an admin makes another one once; the account is one from its next call on', async () => {
  await using store = await anEmptyStore()
  assert.equal((await store.customer.request('GET', '/bookings')).statusCode, 403)

  const made = await makeAdmin(store.admin, 'ADA@shop.example')
  assert.deepEqual([made.statusCode, made.json()], [200, { modifiedCount: 1 }])
  assert.deepEqual((await makeAdmin(store.admin, store.customer.email)).json(), { modifiedCount: 0 })

  assert.equal(await isAdmin(store, store.customer.email), true)
  assert.equal((await store.customer.request('GET', '/bookings')).statusCode, 200)
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
    assert.deepEqual([unknown.statusCode, unknown.json()], [404, { message: 'There is no such account', code: 'not_found' }])
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
  await store.admin.request('POST', '/tools', { ...drill, available_quantity: 40 })
  const wish = { productName: 'Drill', productQuantity: 2, productCost: 60, buyerAddress: '1 Road' }
  const order = (await store.customer.request('POST', '/purchase', wish)).json()
  const elsewhere: string = (await signIn(store, store.customer.email)).json().token

  await remove(store.admin, store.customer.email)

  assert.equal(await isSignedIn(store.customer), false)
  for (const [method, address] of [
    ['GET', `/purchase/${order._id}`],
    ['PUT', `/user/${store.customer.email}`],
  ] as const)
    for (const token of [await store.customer.token(), elsewhere]) {
      const answer = await store.visitor.request(method, address, undefined, { authorization: `Bearer ${token}` })
      assert.equal(answer.statusCode, 401, `${method} ${address}`)
    }
  await store.emailsTo(store.customer.email) // what follows the removal is done
  const [kept] = (await store.admin.request('GET', '/bookings')).json()
  assert.deepEqual(kept, {
    ...{ ...order, refunds: [], attention: [], disputed: false, phone_number: null, sku: kept.sku },
    ...{ state: 'cancelled', restocked: 2, holdUntil: kept.holdUntil },
  })
})

test('the e-mail of a removed user cannot register again, nor set a new password', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await remove(store.admin, store.customer.email)
  const { length: before } = await store.emailsTo(store.customer.email)

  for (const email of ['ada@shop.example', 'ADA@shop.example']) {
    const again = await store.visitor.request('POST', '/auth/sign-up/email', { name: 'Ada', email, password: 'another good password' })
    assert.equal(again.statusCode, 422, again.body)
    assert.equal(again.json().token, undefined)
    const reset = await store.visitor.request('POST', '/auth/request-password-reset', { email })
    assert.deepEqual([reset.statusCode, reset.json()], [200, { status: true }], 'nobody learns that the account was removed')
  }

  assert.equal((await store.emailsTo(store.customer.email)).length, before)
  assert.equal((await signIn(store, store.customer.email, 'another good password')).statusCode, 401)
})

test('nobody removes themselves, nor the last admin', async () => {
  await using store = await anEmptyStore()

  const alone = await remove(store.admin, store.admin.email)
  assert.equal(alone.statusCode, 409)

  for (const actor of [store.customer, store.otherCustomer]) {
    await actor.token()
    await makeAdmin(store.admin, actor.email)
  }
  const oneself = await remove(store.customer, store.customer.email)
  assert.deepEqual([oneself.statusCode, oneself.json()], [409, { message: 'You cannot remove your own account', code: 'own_account' }])

  assert.equal((await remove(store.customer, store.otherCustomer.email)).statusCode, 200, 'one admin may remove another')
  assert.equal(await isSignedIn(store.otherCustomer), false)
  assert.deepEqual((await store.customer.request('GET', '/user')).json().length, 2)
})

test('two admins who remove each other at the same moment leave one', async () => {
  await using store = await anEmptyStore()
  const two = [store.customer, store.otherCustomer] as const
  for (const actor of two) {
    await actor.token()
    await makeAdmin(store.admin, actor.email)
  }

  const [one, other] = await Promise.all([remove(two[0], two[1].email), remove(two[1], two[0].email)])

  assert.equal([one, other].filter(({ statusCode }) => statusCode === 200).length, 1, `${one.body} ${other.body}`)
  const [left, gone] = one.statusCode === 200 ? two : [two[1], two[0]]
  await assert.rejects(
    removeUser(store.db, gone, left.email, async () => {}),
    { status: 401 },
    'also where the call was let in before and waited for its turn',
  )
  assert.deepEqual(
    (await left.request('GET', '/user')).json().map(({ email, role }: Account) => ({ email, role })),
    [store.admin, left].map(({ email }) => ({ email, role: 'admin' })),
  )
})

test('an admin loses the role by an owner or the command only, and is signed out by it', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await makeAdmin(store.admin, store.customer.email)

  const otherwise = { role: 'customer', admin: false, email: store.customer.email }
  await store.admin.request('PUT', `/user/${store.customer.email}`, otherwise)
  await store.customer.request('PUT', `/user/${store.customer.email}`, otherwise)
  await store.admin.request('PUT', `/user/admin/${store.customer.email}`, otherwise)
  assert.equal(await isAdmin(store, store.customer.email), true)
  assert.deepEqual(await command(store, 'list'), { code: 0, said: 'owner@store.example  owner\nada@shop.example' })

  assert.deepEqual(await command(store, 'demote', 'Ada@Shop.Example'), {
    code: 0,
    said: 'ada@shop.example is no admin any more, and was signed out everywhere',
  })

  assert.equal(await isAdmin(store, store.customer.email), false)
  assert.equal(await isSignedIn(store.customer), false)
  assert.equal((await signIn(store, store.customer.email)).statusCode, 200, 'as a customer the account goes on')

  const last = await runCommand('admin.ts', store.connectionString, 'demote', store.admin.email)
  assert.deepEqual(last, { code: 1, said: 'This is the last owner: make another one first' })
  assert.equal(await isSignedIn(store.admin), true)
})

test('an owner takes the admin role back, and nobody else does', async () => {
  await using store = await anEmptyStore()
  for (const actor of [store.customer, store.otherCustomer]) {
    await actor.token()
    await makeAdmin(store.admin, actor.email)
  }

  const byColleague = await takeBack(store.otherCustomer, store.customer.email)
  assert.deepEqual(
    [byColleague.statusCode, byColleague.json()],
    [403, { message: 'This is for owners of the store only', code: 'forbidden' }],
  )
  const byOwner = await takeBack(store.admin, store.customer.email)
  assert.deepEqual([byOwner.statusCode, byOwner.json()], [200, { modifiedCount: 1 }])
  assert.equal(await isAdmin(store, store.customer.email), false)
  assert.equal(await isSignedIn(store.customer), false)
  assert.equal((await takeBack(store.admin, store.customer.email)).statusCode, 404, 'once is enough')
  assert.equal((await signIn(store, store.customer.email)).statusCode, 200, 'as a customer the account goes on')
})

test('every owner gets a mail about each change of the admins: who, by whom, when, and how to undo it', async () => {
  await using store = await anEmptyStore()
  for (const actor of [store.customer, store.otherCustomer]) await actor.token()
  await verifyAll(store)
  await makeOwner(store.db, store.provider, store.otherCustomer.email)
  for (const owner of [store.admin, store.otherCustomer])
    assert.equal((await newestMail(store, owner.email))?.subject, 'bob@shop.example is an owner of Nucleus of PC now', owner.email)

  const told = async (act: () => ReturnType<Actor['request']>, subject: string, ...says: RegExp[]) => {
    assert.equal((await act()).statusCode, 200)
    for (const owner of [store.admin, store.otherCustomer]) {
      const mail = await newestMail(store, owner.email)
      assert.equal(mail?.subject, subject)
      for (const each of [/by \S+@\S+ on \d+ \w{3} \d{4}, \d\d:\d\d UTC/, ...says]) assert.match(mail?.text ?? '', each)
    }
  }
  const { email } = store.customer
  await told(
    () => makeAdmin(store.admin, email),
    `${email} is an admin of Nucleus of PC now`,
    /ada@shop\.example was made an admin by owner@store\.example/,
    /change products, prices and stock, see all orders and customers, refund payments/,
    /npm run admin -- demote ada@shop\.example/,
  )
  const { length: before } = await store.emailsTo(store.admin.email)
  assert.deepEqual((await makeAdmin(store.admin, email)).json(), { modifiedCount: 0 })
  assert.equal((await store.emailsTo(store.admin.email)).length, before, 'what changes nothing is no news')
  await told(
    () => takeBack(store.otherCustomer, email),
    `${email} is no admin of Nucleus of PC any more`,
    /taken back by bob@shop\.example/,
    /npm run admin -- make ada@shop\.example/,
  )
  await makeAdmin(store.admin, email)
  await told(
    () => remove(store.admin, email),
    `${email}, an admin of Nucleus of PC, was removed`,
    /removed by owner@store\.example/,
    /npm run admin -- restore ada@shop\.example/,
  )
  assert.equal((await store.emailsTo(email)).filter(({ subject }) => /admin/.test(subject)).length, 0, 'customers and admins are not told')
})

test('the mail about a new admin says where nobody has shown that the e-mail is theirs, and the command refuses such an account unless told to', async () => {
  await using store = await anEmptyStore()
  for (const { token } of [store.customer, store.otherCustomer]) await token()
  const warning = /This e-mail is not verified: anybody may have registered it/
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, store.customer.email)) // not by who holds its password

  for (const { email } of [store.customer, store.otherCustomer]) {
    const refused = await command(store, 'make', email)
    assert.notEqual(refused.code, 0)
    assert.match(refused.said, /has not verified this e-mail; add --unverified to do it all the same/)
    assert.equal(await isAdmin(store, email), false)
    assert.deepEqual((await makeAdmin(store.admin, email)).json(), { modifiedCount: 1 }, 'the call takes it')
    const mail = await newestMail(store, store.admin.email)
    assert.equal(mail?.subject, `${email} is an admin of Nucleus of PC now, and its e-mail is not verified`)
    assert.match(mail?.text ?? '', warning)
    assert.equal((await takeBack(store.admin, email)).statusCode, 200)
  }
  const { email } = store.customer
  assert.equal((await command(store, 'make', email, '--unverified')).said, `${email} is an admin now`)
  await takeBack(store.admin, email)
  await verifyAll(store)
  assert.equal((await command(store, 'make', email)).said, `${email} is an admin now`)
  assert.doesNotMatch((await newestMail(store, store.admin.email))?.text ?? '', warning)
})

test('a removed account comes back as a customer, with its password and its orders', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.admin.request('PUT', `/user/limits/${store.customer.email}`, { lifted: true })
  await makeAdmin(store.admin, store.customer.email)
  await remove(store.admin, store.customer.email)
  const removed: RemovedAccount[] = (await store.admin.request('GET', '/user/removed')).json()
  assert.deepEqual(
    removed.map(({ email, removedAt }) => [email, Number.isNaN(Date.parse(removedAt))]),
    [['ada@shop.example', false]],
  )
  assert.match((await makeAdmin(store.admin, store.customer.email)).json().message, /removed: bring it back first/)
  const lifted = await store.admin.request('PUT', `/user/limits/${store.customer.email}`, { lifted: true })
  assert.equal(lifted.statusCode, 404, 'a removed account has no limits to lift')

  const back = await restore(store.admin, 'ADA@shop.example')
  assert.deepEqual([back.statusCode, back.json().email, back.json().role], [200, 'ada@shop.example', 'customer'])
  assert.equal(back.json().limitsLifted, false)

  assert.equal((await signIn(store, store.customer.email)).statusCode, 200)
  assert.equal(await isAdmin(store, store.customer.email), false)
  assert.equal(await isSignedIn(store.customer), false, 'the old sessions stay ended')
  assert.deepEqual((await store.admin.request('GET', '/user/removed')).json(), [])
  assert.equal((await restore(store.admin, store.customer.email)).statusCode, 409, 'once is enough')
  assert.equal((await restore(store.admin, 'nobody@shop.example')).statusCode, 404)
})

test('limits that owners cannot be told of are not lifted', async () => {
  await using store = await anEmptyStore()
  await store.otherCustomer.token()
  await store.customer.token()
  await makeAdmin(store.admin, store.customer.email)
  await store.db.execute(sql`alter table owner_notices add constraint none check (event <> 'limits lifted')`)

  const asked = await store.customer.request('PUT', `/user/limits/${store.otherCustomer.email}`, { lifted: true })

  assert.equal(asked.statusCode, 500)
  const accounts: Account[] = (await store.admin.request('GET', '/user')).json()
  assert.equal(accounts.find(({ email }) => email === store.otherCustomer.email)?.limitsLifted, false)
})

test('the account that was removed last stands first among those that can come back', async () => {
  await using store = await anEmptyStore()
  const left = ['Cleo', 'Ada', 'Bob'].map((name) => store.newCustomer(name))
  for (const { token } of left) await token()
  for (const { email } of left) assert.equal((await remove(store.admin, email)).statusCode, 200)
  const removed: RemovedAccount[] = (await store.admin.request('GET', '/user/removed')).json()
  assert.deepEqual(
    removed.map(({ email }) => email),
    ['bob@shop.example', 'ada@shop.example', 'cleo@shop.example'],
  )
  assert.equal((await restore(store.admin, 'ada@shop.example')).statusCode, 200)
  const stillRemoved: RemovedAccount[] = (await store.admin.request('GET', '/user/removed')).json()
  assert.deepEqual(
    stillRemoved.map(({ email }) => email),
    ['bob@shop.example', 'cleo@shop.example'],
    'the one comes back and no other',
  )

  const removedAt = new Date(0)
  const older = Array.from({ length: maxRemovedUsersListed }, (_, nth) => ({
    id: `${nth}`,
    name: 'Old',
    email: `${nth}@shop.example`,
    removedAt,
  }))
  await store.db.insert(users).values(older)
  assert.equal((await store.admin.request('GET', '/user/removed')).json().length, maxRemovedUsersListed)
})

test('in a shop that has lost its owner an admin can still make another', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.db.update(users).set({ owner: false })
  assert.deepEqual((await makeAdmin(store.admin, store.customer.email)).json(), { modifiedCount: 1 })
})

test('the command always makes an owner: of an open account, of a removed one, and of an e-mail without an account', async () => {
  await using store = await anEmptyStore()
  for (const actor of [store.customer, store.otherCustomer]) await actor.token()
  await verifyAll(store)
  await remove(store.admin, store.otherCustomer.email)
  assert.match((await command(store, 'make', store.otherCustomer.email)).said, /This account was removed: bring it back first/)
  assert.match((await command(store, 'owner', 'no address')).said, /no address is no e-mail address/)
  for (const words of ['promote ada@shop.example', 'list ada@shop.example', 'make', 'make ada@shop.example --yes', 'list --unverified'])
    assert.match((await command(store, ...words.split(' '))).said, /^npm run admin -- /, words)
  assert.equal(await isAdmin(store, 'ada@shop.example'), false)

  assert.deepEqual(await command(store, 'owner', 'Ada@shop.example'), { code: 0, said: 'ada@shop.example is an owner now' })
  assert.equal((await command(store, 'owner', 'ada@shop.example')).said, 'ada@shop.example was an owner already')
  assert.match((await command(store, 'owner', store.otherCustomer.email)).said, /was removed, is back, and is an owner now/)
  assert.equal((await signIn(store, store.otherCustomer.email)).statusCode, 200)
  const made = await command(store, 'owner', 'new@shop.example')
  const generated = /^new@shop\.example is an owner now, with the password (\S{12,}) {2}\(shown this once\)$/.exec(made.said)?.[1]
  assert.ok(generated, made.said)
  assert.equal((await signIn(store, 'new@shop.example', generated)).statusCode, 200)

  const owners = (await accounts(store)).filter(({ owner }) => owner).map(({ email }) => email)
  assert.deepEqual(owners, ['owner@store.example', 'ada@shop.example', 'bob@shop.example', 'new@shop.example'])
  await store.jobs.runAllOnce() // as the store that runs beside the command does by itself
  const toOwner = (await store.emailsTo(store.admin.email)).map(({ text }) => text)
  assert.match(toOwner.at(-1) ?? '', /was made an owner by a command on the store's machine/)

  assert.equal((await remove(store.admin, 'new@shop.example')).statusCode, 409)
  assert.match((await command(store, 'demote', 'new@shop.example')).said, /is no admin any more/)
  assert.equal((await remove(store.admin, 'new@shop.example')).statusCode, 200)
  assert.equal((await signIn(store, 'new@shop.example', generated)).statusCode, 401)
  assert.equal((await command(store, 'restore', 'new@shop.example')).said, 'new@shop.example can sign in again, as a customer')
  assert.equal((await signIn(store, 'new@shop.example', generated)).statusCode, 200)
})

test('an account whose e-mail nobody has verified becomes an owner with a new password, and whoever chose the old one is out', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const made = await command(store, 'owner', store.customer.email)
  const generated = /^ada@shop\.example is an owner now, with the password (\S{12,}) {2}\(shown this once\)$/.exec(made.said)?.[1]
  assert.ok(generated, made.said)
  assert.equal(await isSignedIn(store.customer), false)
  assert.equal((await signIn(store, store.customer.email)).statusCode, 401)
  assert.equal((await signIn(store, store.customer.email, generated)).statusCode, 200)
})

test('an e-mail that counts as verified, but not by whoever chose the password, becomes an owner with a new password too', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true }) // as migration 0007 carried accounts over

  const { was, password: generated } = await makeOwner(store.db, store.provider, store.customer.email)

  assert.equal(was, 'customer')
  assert.ok(generated)
  assert.equal(await isSignedIn(store.customer), false)
  assert.equal((await signIn(store, store.customer.email)).statusCode, 401)
  assert.equal((await signIn(store, store.customer.email, generated)).statusCode, 200)
})

test('who signs in with the old password while an account becomes an owner is signed out by it', async () => {
  await using store = await anEmptyStore()
  await store.customer.token()
  const context = await store.provider.$context
  const entered: string[] = []
  const hash = async (chosen: string) => {
    entered.push((await signIn(store, store.customer.email)).json().token)
    return context.password.hash(chosen)
  }
  const slow = { ...store.provider, $context: Promise.resolve({ ...context, password: { ...context.password, hash } }) }

  await makeOwner(store.db, slow, store.customer.email)

  assert.equal(entered.length, 1)
  const answer = await store.visitor.request('GET', '/user', undefined, { authorization: `Bearer ${entered[0]}` })
  assert.equal(answer.statusCode, 401)
})

test('registrations from one address have to wait after thirty in ten minutes, and others need not', async () => {
  await using store = await anEmptyStore()
  const register = (actor: Actor, nth: number) =>
    actor.request('POST', '/auth/sign-up/email', { name: 'Eve', email: `eve${nth}@shop.example`, password })
  await store.customer.token() // the first of the thirty

  assert.equal((await register(store.customer, 2)).statusCode, 200)
  for (let nth = 3; nth <= 30; nth++) assert.equal((await register(store.customer, 2)).statusCode, 422, `${nth}`) // counted all the same
  const refused = await register(store.customer, 31)

  assert.equal(refused.statusCode, 429, refused.body)
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
  assert.match(refused.json().message, /^Too many tries: wait \d+ minutes, then try again$/)
  assert.equal((await register(store.visitor, 11)).statusCode, 200)
})

test('what owners were told by mail is forgotten after ninety days, and what is still to be sent is not', async () => {
  await using store = await anEmptyStore()
  const about = { to: store.admin.email, event: 'admin made', about: store.customer.email, mailDueAt: null } as const
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000)
  await store.db.insert(ownerNotices).values([
    { ...about, id: 'old', at: daysAgo(91) },
    { ...about, id: 'young', at: daysAgo(89) },
    { ...about, id: 'waiting', at: daysAgo(91), mailDueAt: daysAgo(-1) },
  ])
  await store.jobs.runAllOnce()
  assert.deepEqual((await store.db.select().from(ownerNotices)).map(({ id }) => id).sort(), ['waiting', 'young'])
})
