import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { createSecondInstance } from '#test/second-instance.ts'
import { anEmptyStore } from '#test/store.ts'
import { sendDueOwnerNotice } from './owner-notices.ts'
import { ownerNotices } from './table.ts'

test('owners whose mail server refuses keep no other owner from the news about admins: it comes at the same look, and what is refused for good is given up', async () => {
  await using store = await anEmptyStore()
  const sent: string[] = []
  const mailer = {
    async send({ to }: { to: string }) {
      if (to.startsWith('gone')) throw Object.assign(new Error('No such mailbox'), { responseCode: 550, command: 'RCPT TO' })
      if (to.startsWith('full')) throw Object.assign(new Error('Mailbox full'), { responseCode: 452, command: 'RCPT TO' })
      sent.push(to)
    },
    close: () => {},
  }
  await store.jobs.close() // the other process sends
  await using shop = await createSecondInstance(store, { mailer })
  for (const [nth, name] of ['gone', 'full', 'gone', 'full', 'here'].entries())
    await store.db.insert(ownerNotices).values({
      ...{ id: crypto.randomUUID(), to: `${name}@shop.example`, event: 'admin made', about: 'ada@shop.example' },
      mailDueAt: sql`now() - make_interval(mins => ${10 - nth})`,
    })

  await shop.jobs.runAllOnce()
  assert.deepEqual(sent, ['here@shop.example'])
  const { rows } = await store.db.execute(
    sql`select to_email as to, count(*)::int as notices from owner_notices where mail_due_at > now() group by 1`,
  )
  assert.deepEqual(rows, [{ to: 'full@shop.example', notices: 2 }])

  await store.db.execute(sql`update owner_notices set mail_due_at = now() - interval '1 hour' where mail_due_at is not null`)
  await store.db
    .insert(ownerNotices)
    .values({ id: crypto.randomUUID(), to: 'new@shop.example', event: 'admin made', about: 'ada@shop.example' })
  await shop.jobs.runAllOnce()
  assert.deepEqual(sent, ['here@shop.example', 'new@shop.example'])
})

test('a mail that the server refuses by a reply from 500 to 599 is given up, and after any other reply it is due again', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends
  for (const [responseCode, isDueAgain] of [
    [500, false],
    [599, false],
    [499, true],
    [600, true],
  ] as const) {
    const id = crypto.randomUUID()
    await store.db.insert(ownerNotices).values({ id, to: 'here@shop.example', event: 'admin made', about: 'ada@shop.example' })
    const refusal = Object.assign(new Error('Refused'), { responseCode, command: 'RCPT TO' })
    await assert.rejects(sendDueOwnerNotice(store.db, { send: () => Promise.reject(refusal), close: () => {} }, store.origin))
    const [notice] = await store.db.select().from(ownerNotices).where(eq(ownerNotices.id, id))
    assert.equal(notice?.mailDueAt != null, isDueAgain, `${responseCode}`)
  }
})

test('what owners are told is sent once, also by two processes that look for it at one moment', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends
  await store.db
    .insert(ownerNotices)
    .values({ id: crypto.randomUUID(), to: 'here@shop.example', event: 'admin made', about: 'ada@shop.example' })
  let sent = 0
  const mailer = {
    async send() {
      if (++sent === 1) assert.equal(await sendDueOwnerNotice(store.db, mailer, store.origin), false, 'the other process finds none')
    },
    close: () => {},
  }

  assert.equal(await sendDueOwnerNotice(store.db, mailer, store.origin), true)

  assert.equal(sent, 1)
})

test('a mail to an owner that the server refuses is reported and due again', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends
  await store.db
    .insert(ownerNotices)
    .values({ id: crypto.randomUUID(), to: 'full@shop.example', event: 'admin made', about: 'ada@shop.example' })
  const mailer = { send: () => Promise.reject(new Error('Mailbox full')), close: () => {} }

  await assert.rejects(sendDueOwnerNotice(store.db, mailer, store.origin), ({ cause }: Error) => /Mailbox full/.test(`${cause}`))

  const [notice] = await store.db.select().from(ownerNotices)
  assert.equal(notice?.mailTries, 1)
  assert.ok(notice?.mailDueAt)
})

test('the mail about refunds says "1 refund was made" and "2 refunds were made"', async () => {
  await using store = await anEmptyStore()
  await store.jobs.close() // this test sends
  const told: string[] = []
  const mailer = { send: async ({ text }: { text: string }) => void told.push(text), close: () => {} }
  for (const detail of ['1 refund of $12,000 in all', '2 refunds of $13,000 in all'])
    await store.db.insert(ownerNotices).values({
      id: crypto.randomUUID(),
      to: 'here@shop.example',
      event: 'many refunds',
      about: 'eve@shop.example',
      by: 'eve@shop.example',
      detail,
    })
  while (await sendDueOwnerNotice(store.db, mailer, store.origin));

  for (const words of ['1 refund of $12,000 in all within an hour was made by', '2 refunds of $13,000 in all within an hour were made by'])
    assert.equal(told.filter((text) => text.includes(words)).length, 1, words)
})
