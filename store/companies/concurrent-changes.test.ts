import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { sampleSize } from '#proof/full-run.ts'
import { users } from '#store/identity/table.ts'
import {
  acceptInvitation,
  companyOf,
  inviteByMail,
  memberId,
  membersSeenBy,
  removeMember,
  sendInvitation,
  setRole,
  verifyEmail,
} from '#test/company-actions.ts'
import { type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { companyLimits } from './contract.ts'
import { sendDueInvitation } from './invitations.ts'
import { companyInvitations, companyMembers } from './table.ts'

const told = (answers: ApiResponse[]) => answers.map(({ statusCode, json }) => [statusCode, json().code].filter(Boolean).join(' ')).sort()

/** Waits until so many statements wait for a lock. */
async function untilWaiting({ db }: Store, count: number) {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (let found = 0; found < count; ) found = (await db.execute(waiting)).rowCount ?? 0
}

/** Does these at once: they begin while the row of the only company is locked. With buyer limits an account does one thing at a time. */
async function atOnce(store: Store, acts: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  const { begun } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from companies for update`)
    const begun = acts.map((act) => act())
    await untilWaiting(store, acts.length)
    return { begun }
  })
  return Promise.all(begun)
}

test('one invitation that is accepted twice at once makes one member, and whoever is second hears that it was used', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada)
  await verifyEmail(store, bob)
  const token = await inviteByMail(store, ada, bob.email)
  const accept = () => acceptInvitation(bob, token)
  assert.deepEqual(told(await atOnce(store, [accept, accept])), ['200', '404 invalid_link'])
  assert.equal((await membersSeenBy(ada)).length, 2)
})

test('of two that enter at once a company with one place left, one does', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  const company = await companyOf(store, ada)
  await verifyEmail(store, bob, carol)
  const tokens = [await inviteByMail(store, ada, bob.email), await inviteByMail(store, ada, carol.email)] as const
  const { rows } = await store.db.execute<{ id: string }>(
    `insert into users (id, name, email) select 'm' || n, 'M', 'm' || n || '@shop.example' from generate_series(3, ${companyLimits.members}) n returning id`,
  )
  await store.db.insert(companyMembers).values(rows.map(({ id }) => ({ userId: id, companyId: company._id, role: 'member' as const })))
  const answers = await atOnce(store, [() => acceptInvitation(bob, tokens[0]), () => acceptInvitation(carol, tokens[1])])
  assert.deepEqual(told(answers), ['200', '409 company_full'])
})

test('of two last managers who leave, step down or remove each other at once, one stays manager', async (t) => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada, bob, carol)
  const [adasId, bobsId] = [await memberId(ada, ada), await memberId(ada, bob)]
  const makeBothManagers = () =>
    store.db.execute(sql`insert into company_members (user_id, company_id, role)
      select users.id, companies.id, 'manager' from users, companies where users.id in (${adasId}, ${bobsId})
      on conflict (user_id) do update set role = 'manager'`)
  const stepDown = (who: typeof ada, id: string) => () => who.request('PUT', `/company/members/${id}`, { role: 'member' })
  const ways: [() => Promise<ApiResponse>, () => Promise<ApiResponse>][] = [
    [() => removeMember(ada, ada, adasId), () => removeMember(bob, bob, bobsId)],
    [stepDown(ada, adasId), stepDown(bob, bobsId)],
    [() => removeMember(ada, bob, bobsId), () => removeMember(bob, ada, adasId)],
    [() => removeMember(ada, ada, adasId), stepDown(ada, bobsId)],
  ]
  const rounds = sampleSize(1, 10)
  for (let round = 0; round < rounds; round++)
    for (const way of ways) {
      await makeBothManagers()
      const answers = await atOnce(store, way)
      assert.ok(
        answers.some(({ statusCode }) => statusCode === 200) && answers.some(({ statusCode }) => statusCode >= 400),
        `${told(answers)}`,
      )
      assert.equal((await membersSeenBy(carol)).filter(({ role }) => role === 'manager').length, 1)
    }
  t.diagnostic(`${rounds * ways.length} times`)
})

test('an account that is removed while it accepts an invitation is in no company', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada)
  await verifyEmail(store, bob)
  const token = await inviteByMail(store, ada, bob.email)
  const { accepting } = await store.db.transaction(async (tx) => {
    await tx.update(users).set({ removedAt: new Date() }).where(eq(users.email, bob.email))
    const begun = { accepting: acceptInvitation(bob, token) }
    await untilWaiting(store, 1)
    return begun
  })
  assert.equal((await accepting).statusCode, 401)
  assert.equal((await membersSeenBy(ada)).length, 1)
})

test('a manager whose role is taken while they act as one acts no more', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada, bob, carol)
  await setRole(ada, bob, 'manager')
  const [adasId, carolsId] = [await memberId(ada, ada), await memberId(ada, carol)]
  const { removing } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from companies for update`)
    await tx.update(companyMembers).set({ role: 'member' }).where(eq(companyMembers.userId, adasId))
    const begun = { removing: removeMember(ada, carol, carolsId) }
    await untilWaiting(store, 1)
    return begun
  })
  assert.equal((await removing).statusCode, 403)
})

test('an account changes its company once at a time: hundreds of changes that wait for each other keep nobody else waiting', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const company = await companyOf(store, ada)
  await companyOf(store, bob)
  const change = (who: typeof ada) => who.request('PUT', '/company', { name: 'Engines' })
  let sent: Promise<ApiResponse>[] = []
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from companies where id = ${company._id} for update`)
    sent = Array.from({ length: 300 }, () => change(ada))
    assert.equal((await change(bob)).statusCode, 200, 'in the same network')
  })
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
  assert.deepEqual(new Set(statuses), new Set([200, 503]))
})

test('a mail server that does not answer keeps no company from changing its invitations, and the mail is sent once', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends the mails itself
  const { customer: ada } = store
  await companyOf(store, ada)
  const email = 'grace@mail.example'
  const { _id } = (await sendInvitation(ada, email)).json()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const sent: string[] = []
  const mailer = {
    close: () => {},
    send: ({ to }: EmailMessage) => {
      sent.push(to)
      asked.resolve()
      return answer.promise
    },
  }
  const send = () => sendDueInvitation(store.db, mailer, 'http://shop.example')
  const sending = send()
  await asked.promise
  assert.equal(await send(), false, 'no other process sends it meanwhile')
  const [tried] = await store.db.select({ tries: companyInvitations.mailTries }).from(companyInvitations)
  assert.equal(tried?.tries, 1, 'a process that is killed now has tried it')
  assert.equal((await ada.request('DELETE', `/company/invitations/${_id}`)).statusCode, 200)
  answer.resolve()
  assert.equal(await sending, true)
  assert.equal(await send(), false)
  assert.deepEqual(sent, [email])
})

test('an invitation that the mail server has not taken within two minutes has failed, and is tried again later', async (t) => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends the mails itself
  const { customer: ada } = store
  await companyOf(store, ada)
  await sendInvitation(ada, 'grace@mail.example')
  const asked = Promise.withResolvers<void>()
  const mailer = {
    close: () => {},
    send: () => {
      asked.resolve()
      return new Promise<void>(() => {})
    },
  }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sending = sendDueInvitation(store.db, mailer, 'http://shop.example')
  const failed = assert.rejects(sending, ({ cause }: Error) => /within 120 s/.test(`${cause}`))
  await asked.promise
  await new Promise(setImmediate) // until the time runs
  t.mock.timers.tick(120_000)
  await failed
  t.mock.timers.reset()
  const { rows } = await store.db.execute(sql`select mail_due_at > now() as later, mail_tries from company_invitations`)
  assert.deepEqual(rows, [{ later: true, mail_tries: 1 }])
})
