import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import { type Actor, anEmptyStore } from '#test/store.ts'
import type { Profile, ProfileChange } from './contract.ts'
import { deleteOldProfileChanges } from './profile-changes.ts'
import { profileChanges } from './table.ts'

const told = {
  picture: 'https://pictures.example/ada.png',
  education: 'Mathematics, privately',
  location: 'London, United Kingdom',
  phone: '+44 20 7946 0018',
  linkedIn: 'https://www.linkedin.com/in/ada',
}
const untold = { picture: '', education: '', location: '', phone: '', linkedIn: '' }

const show = async (asking: Actor, email = asking.email): Promise<Profile[]> => (await asking.request('GET', `/user/${email}`)).json()
const save = (asking: Actor, changes: object = {}, email = asking.email) =>
  asking.request('PUT', `/users/${email}`, { ...told, ...changes })

test('a profile is fetched as a list of one, and is empty until something is told', async () => {
  await using store = await anEmptyStore()

  assert.deepEqual(await show(store.customer), [{ name: 'Ada', email: 'ada@shop.example', ...untold }])

  const saved = await save(store.customer)

  assert.equal(saved.statusCode, 200, saved.body)
  assert.deepEqual(await show(store.customer), [saved.json()])
  assert.deepEqual(await show(store.admin, 'nobody@shop.example'), [])
})

test('a profile keeps exactly the specified fields, and its last telling', async () => {
  await using store = await anEmptyStore()
  await save(store.customer, { education: 'None yet' })

  const saved = await save(store.customer, { role: 'admin', userId: 'x', _id: 'x', nickname: 'Countess' })

  assert.deepEqual(saved.json(), { name: 'Ada', email: 'ada@shop.example', ...told })
  assert.deepEqual(await show(store.customer), [saved.json()])
  assert.equal((await store.customer.request('GET', '/user')).statusCode, 403, 'a role slipped in makes nobody an admin')
})

test("name and e-mail of a profile are the account's, whatever the browser sends", async () => {
  await using store = await anEmptyStore()
  await store.otherCustomer.token()

  for (const slipped of [
    { name: 'Bob', email: store.otherCustomer.email },
    { name: 7, email: null },
  ]) {
    const saved = await save(store.customer, slipped)
    assert.deepEqual([saved.statusCode, saved.json().name, saved.json().email], [200, 'Ada', 'ada@shop.example'])
  }

  assert.deepEqual(await show(store.otherCustomer), [{ name: 'Bob', email: 'bob@shop.example', ...untold }])
})

test('a profile is seen and changed by its account, whatever the case of the e-mail, and by an admin', async () => {
  await using store = await anEmptyStore()
  await store.otherCustomer.token()

  for (const asking of [store.customer, store.admin]) {
    const saved = await save(asking, { location: asking.name }, 'ADA@Shop.Example')
    assert.deepEqual([saved.statusCode, saved.json().name, saved.json().location], [200, 'Ada', asking.name])
    assert.equal((await show(asking, 'Ada@shop.example'))[0]?.location, asking.name)
  }

  for (const [asking, status] of [
    [store.visitor, 401],
    [store.otherCustomer, 403],
  ] as const) {
    assert.equal((await asking.request('GET', `/user/${store.customer.email}`)).statusCode, status)
    assert.equal((await save(asking, { location: 'elsewhere' }, store.customer.email)).statusCode, status)
  }
  assert.equal((await show(store.customer))[0]?.location, store.admin.name)
  assert.equal((await save(store.admin, {}, 'nobody@shop.example')).statusCode, 404)
})

test('a profile with a wrong field is refused in words for that field, and the old one stays', async () => {
  await using store = await anEmptyStore()
  await save(store.customer)
  const text = 'This is text, or empty'
  const scheme = 'The picture is an address that begins with https:// or /'
  const digits = 'A phone number has digits, like +1 555 010 0199'
  const noLink = 'This is not a link, like linkedin.com/in/your-name'

  for (const [field, values, message] of [
    ['picture', ['', '  ', null, 1, undefined], 'picture is required'],
    [
      'picture',
      ['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'http://pictures.example/a.png', '//evil.example/a.png', 'ada'],
      scheme,
    ],
    ['education', [null, []], text],
    ['education', ['x'.repeat(501)], 'At most 500 characters'],
    ['location', ['', {}, undefined], 'location is required'],
    ['phone', ['', '   ', null, undefined], 'phone is required'],
    ['phone', ['call me', '+', '12a', '<b>1</b>'], digits],
    ['linkedIn', [null, 5], text],
    ['linkedIn', ['ada', 'javascript:alert(1)', 'JavaScript://x.example/%0aalert(1)', 'data:text/html,x', 'https://a@b.example'], noLink],
  ] as const)
    for (const value of values) {
      const answer = await save(store.customer, { [field]: value })
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { message, errors: { [field]: message }, code: 'invalid_request' }],
        `${field} ${JSON.stringify(value)}`,
      )
    }

  assert.deepEqual(await show(store.customer), [{ name: 'Ada', email: 'ada@shop.example', ...told }])
})

test('education and LinkedIn of a profile may be empty or left out', async () => {
  await using store = await anEmptyStore()
  const { education: _, linkedIn: __, ...needed } = told
  for (const said of [needed, { ...needed, education: '', linkedIn: '' }, { ...needed, education: ' ', linkedIn: ' ' }]) {
    await save(store.customer)
    const saved = await store.customer.request('PUT', `/users/${store.customer.email}`, said)
    assert.equal(saved.statusCode, 200, saved.body)
    assert.deepEqual(await show(store.customer), [{ name: 'Ada', email: 'ada@shop.example', ...told, education: '', linkedIn: '' }])
  }
})

test('a phone number stays as it was typed, with its plus, its leading nought and its spaces', async () => {
  await using store = await anEmptyStore()

  for (const phone of ['+4917012345678', '0171 987', '(020) 7946-0018', '0171/98.7']) {
    await save(store.customer, { phone })
    assert.equal((await show(store.customer))[0]?.phone, phone)
  }
  assert.equal((await save(store.customer, { phone: 4917012345678 })).json().phone, '4917012345678', 'as a number field sends it')
})

test('a LinkedIn link without its beginning is completed, and one with it stays', async () => {
  await using store = await anEmptyStore()

  for (const [typed, kept] of [
    ['linkedin.com/in/x', 'https://linkedin.com/in/x'],
    [' www.linkedin.com/in/x ', 'https://www.linkedin.com/in/x'],
    ['http://linkedin.com/in/x', 'http://linkedin.com/in/x'],
    ['https://de.linkedin.com/in/x?trk=1', 'https://de.linkedin.com/in/x?trk=1'],
  ])
    assert.equal((await save(store.customer, { linkedIn: typed })).json().linkedIn, kept)
})

test('what an admin overwrites of a profile is kept for owners, who put back just these fields; it is gone with the account, and after ninety days', async () => {
  await using store = await anEmptyStore()
  const eve = store.newCustomer('Eve')
  await eve.token()
  assert.equal((await store.admin.request('PUT', `/user/admin/${eve.email}`)).statusCode, 200)
  await save(store.customer, { education: '' })
  const changes = async (query = ''): Promise<ProfileChange[]> => {
    const answer = await store.admin.request('GET', `/profile-changes${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  assert.deepEqual(await changes(), [], 'what people change of their own profile is kept nowhere')

  const { email } = store.customer
  assert.equal((await save(eve, { education: 'None', location: 'Nowhere' }, email)).statusCode, 200)
  assert.equal((await save(eve, { education: 'None', location: 'Nowhere' }, email)).statusCode, 200)
  const [change, ...others] = await changes()
  assert.ok(change)
  assert.deepEqual([change.email, change.by, change.before, others], [email, eve.email, { education: '', location: told.location }, []])

  await save(store.customer, { education: 'None', location: 'Nowhere', phone: '0171 987' })
  const back = await store.admin.request('POST', `/profile-changes/${change._id}/undo`)
  assert.deepEqual([back.statusCode, back.json()], [200, { name: 'Ada', email, ...told, education: '', phone: '0171 987' }])
  const [undone] = await changes()
  assert.deepEqual([undone?.by, undone?.before], [store.admin.email, { education: 'None', location: 'Nowhere' }])
  assert.deepEqual(await changes(`?before=${undone?._id}`), [change])

  for (const [method, path] of [
    ['GET', '/profile-changes'],
    ['POST', `/profile-changes/${change._id}/undo`],
  ] as const)
    assert.equal((await eve.request(method, path)).statusCode, 403, 'an admin who is no owner')
  assert.equal((await store.admin.request('POST', '/profile-changes/999/undo')).statusCode, 404)

  assert.equal((await store.admin.request('DELETE', `/user/${email}`)).statusCode, 200)
  assert.deepEqual(await changes(), [], 'a removed account')
  assert.equal((await store.admin.request('POST', `/profile-changes/${change._id}/undo`)).statusCode, 404)
  await store.otherCustomer.token()
  await save(eve, {}, store.otherCustomer.email)
  const [ofBob] = await changes()
  assert.deepEqual(ofBob?.before, untold, 'nothing had been filled in')
  assert.equal((await store.admin.request('POST', `/profile-changes/${ofBob?._id}/undo`)).statusCode, 200)
  assert.deepEqual(await show(store.otherCustomer), [{ name: 'Bob', email: 'bob@shop.example', ...untold }])
  await store.db.delete(users).where(eq(users.email, store.otherCustomer.email))
  assert.equal(await store.db.$count(profileChanges), 2, 'those of Ada')

  await store.db.update(profileChanges).set({ at: sql`now() - interval '91 days'` }).where(eq(profileChanges._id, change._id))
  await deleteOldProfileChanges(store.db)
  assert.equal(await store.db.$count(profileChanges), 1)
})

test('two admins who change a profile at the same moment: each change keeps what it has overwritten', async () => {
  await using store = await anEmptyStore()
  await save(store.customer, { location: 'first' })
  await store.admin.token()
  const written = Array.from({ length: 8 }, (_, nth) => `at ${nth}`)
  await Promise.all(written.map((location) => save(store.admin, { location }, store.customer.email)))
  const changes: ProfileChange[] = (await store.admin.request('GET', '/profile-changes')).json()
  const [profile] = await show(store.customer)
  assert.deepEqual([...changes.map(({ before }) => before.location), profile?.location].sort(), ['first', ...written].sort())
})
