import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asc, eq } from 'drizzle-orm'
import { forgetRateLimits } from '#proof/forget-rate-limits.ts'
import {
  acceptInvitation,
  companyOf,
  foundCompany,
  inviteByMail,
  memberId,
  membersSeenBy,
  removeMember,
  sendInvitation,
  setRole,
  tokenInMail,
  verifyEmail,
} from '#test/company-actions.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { companyLimits } from './contract.ts'
import { companyHistory, companyInvitations, companyMembers } from './table.ts'

const refusalOf = ({ statusCode, json }: ApiResponse) => [statusCode, json().code]
const rolesSeenBy = async (actor: Actor) => (await membersSeenBy(actor)).map(({ email, role }) => [email.split('@')[0], role])
const companySeenBy = async (actor: Actor) => (await actor.request('GET', '/company')).json().company

/** What the history of the companies says, oldest first. */
async function historyOf({ db }: Store) {
  const rows = await db.select().from(companyHistory).orderBy(asc(companyHistory._id))
  return rows.map(({ event, detail }) => (detail === null ? event : `${event} ${detail}`))
}

test('who founds a company is its manager, an account is in one company at most, and its managers change name and VAT id', async () => {
  await using store = await anEmptyStore()
  const { customer, otherCustomer } = store
  assert.equal(await companySeenBy(customer), null)
  const company = await foundCompany(customer, { name: ' Analytical Engines ', vatId: 'de 136 695 976' })
  assert.deepEqual([company.name, company.vatId, company.role, company.memberCount], ['Analytical Engines', 'DE136695976', 'manager', 1])
  assert.deepEqual(await companySeenBy(customer), company)
  assert.equal(await companySeenBy(otherCustomer), null)
  assert.deepEqual(refusalOf(await customer.request('POST', '/company', { name: 'Another' })), [409, 'already_in_company'])
  const changed = await customer.request('PUT', '/company', { name: 'Difference Engines' })
  assert.deepEqual([changed.statusCode, changed.json().name, changed.json().vatId], [200, 'Difference Engines', null])
  const wrong = await customer.request('PUT', '/company', { name: 'Engines', vatId: 'DE136695977' })
  const fault = 'This is no VAT id of Germany: DE is right, but a digit of the rest is wrong'
  assert.deepEqual([wrong.statusCode, wrong.json().errors], [400, { vatId: fault }])
  assert.deepEqual(await historyOf(store), ['founded Analytical Engines, DE136695976', 'renamed Difference Engines'])
  for (const name of ['', 'Free parts at https://evil.example', 'Engines\nBuy now'])
    assert.equal((await customer.request('PUT', '/company', { name })).statusCode, 400, name)
})

test('an account founds five companies within a day', async () => {
  await using store = await anEmptyStore()
  const { customer } = store
  for (let nth = 1; nth <= 6; nth++) {
    const founded = await customer.request('POST', '/company', { name: `Company ${nth}` })
    assert.equal(founded.statusCode, nth <= 5 ? 201 : 429, founded.body)
    if (nth <= 5) assert.equal((await removeMember(customer, customer)).statusCode, 200)
  }
})

test('whoever is invited by mail and has verified that e-mail becomes a member, and the link works once', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await verifyEmail(store, ada)
  await foundCompany(ada)
  await bob.token()
  const token = await inviteByMail(store, ada, 'BOB@shop.example'.toLowerCase())
  assert.ok((await store.emailsTo(bob.email)).some(({ subject }) => subject.startsWith('An invitation to buy for a company')))
  const listed = (await ada.request('GET', '/company/invitations')).json().invitations
  assert.deepEqual(
    listed.map(({ email, invitedBy }: { email: string; invitedBy: string }) => [email, invitedBy]),
    [[bob.email, 'Ada']],
  )
  const days = (Date.parse(listed[0].expiresAt) - Date.parse(listed[0].invitedAt)) / 86_400_000
  assert.equal(Math.round(days), 7)

  const show = (actor: Actor, of = token) => actor.request('GET', `/company-invitations/${of}`)
  for (const ask of [show, acceptInvitation]) {
    assert.deepEqual(refusalOf(await ask(bob, token)), [409, 'email_not_verified'])
    assert.deepEqual(refusalOf(await ask(store.admin, token)), [403, 'other_email'])
    assert.deepEqual(refusalOf(await ask(bob, '0'.repeat(64))), [404, 'invalid_link'])
    assert.equal((await ask(store.visitor, token)).statusCode, 401)
  }
  assert.doesNotMatch((await show(store.admin)).body, /Analytical|Ada|bob/)
  await verifyEmail(store, bob)
  assert.deepEqual([(await show(bob)).json().company, (await show(bob)).json().invitedBy], ['Analytical Engines', 'Ada'])
  const accepted = await acceptInvitation(bob, token)
  assert.deepEqual([accepted.statusCode, accepted.json().role, accepted.json().memberCount], [200, 'member', 2])
  assert.deepEqual(refusalOf(await acceptInvitation(bob, token)), [404, 'invalid_link'])
  assert.deepEqual(await rolesSeenBy(bob), [
    ['ada', 'manager'],
    ['bob', 'member'],
  ])
  assert.equal((await membersSeenBy(bob))[1]?.invitedBy, 'Ada')
  assert.deepEqual(await historyOf(store), ['founded Analytical Engines', 'invited bob@shop.example', 'joined'])
  assert.deepEqual((await ada.request('GET', '/company/invitations')).json(), { invitations: [] })
})

test('an invitation ends after seven days, when it is taken back, and when the e-mail is invited again', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await verifyEmail(store, ada, bob)
  await foundCompany(ada)
  const first = await inviteByMail(store, ada, bob.email)
  const second = await inviteByMail(store, ada, bob.email)
  assert.notEqual(first, second)
  assert.deepEqual(refusalOf(await acceptInvitation(bob, first)), [404, 'invalid_link'])
  const open = (await ada.request('GET', '/company/invitations')).json().invitations
  assert.equal(open.length, 1)
  assert.equal((await ada.request('DELETE', `/company/invitations/${open[0]._id}`)).statusCode, 200)
  assert.deepEqual(refusalOf(await acceptInvitation(bob, second)), [404, 'invalid_link'])
  const third = await inviteByMail(store, ada, bob.email)
  await store.db.update(companyInvitations).set({ expiresAt: new Date().toISOString() })
  assert.deepEqual(refusalOf(await acceptInvitation(bob, third)), [404, 'invalid_link'])
  assert.deepEqual((await ada.request('GET', '/company/invitations')).json(), { invitations: [] })
})

test('only the hash of an invitation is kept, and a mail that goes out later has a link that works', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await verifyEmail(store, ada, bob)
  await foundCompany(ada)
  const token = await inviteByMail(store, ada, bob.email)
  const [row] = await store.db.select().from(companyInvitations)
  assert.ok(row && !JSON.stringify(row).includes(token))
  await store.db.update(companyInvitations).set({ mailDueAt: new Date(), mailTries: 3 })
  await store.jobs.runAllOnce()
  const later = await tokenInMail(store, bob.email)
  assert.notEqual(later, token)
  const ids = (await store.emailsTo(bob.email)).map(({ messageIdSeed }) => messageIdSeed)
  assert.equal(new Set(ids).size, ids.length, 'a mail client shows both mails')
  assert.equal((await acceptInvitation(bob, later)).statusCode, 200)
})

test('inviting says the same of an e-mail with an account, of one without, and of a member of another company', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await carol.token()
  await companyOf(store, bob)
  await verifyEmail(store, ada)
  await foundCompany(ada)
  const answers = []
  for (const email of [carol.email, bob.email, 'nobody@shop.example']) {
    const { statusCode, body } = await sendInvitation(ada, email)
    const said = JSON.parse(body)
    answers.push([statusCode, Object.keys(said), said.email === email])
    await store.jobs.whenIdle()
    assert.ok((await store.emailsTo(email)).some(({ subject }) => subject.startsWith('An invitation')))
  }
  assert.deepEqual(answers, [answers[0], answers[0], answers[0]])
  assert.deepEqual(refusalOf(await acceptInvitation(bob, await tokenInMail(store, bob.email))), [409, 'already_in_company'])
})

test('names that an attacker chooses put no link and no message into the mail of an invitation', async () => {
  await using store = await anEmptyStore()
  const { customer: ada } = store
  await verifyEmail(store, ada)
  await foundCompany(ada)
  await store.db.execute("update users set name = 'Win a prize at evil.example' where email = 'ada@shop.example'")
  await store.db.execute("update companies set name = 'Your account ends: evil.example'")
  await sendInvitation(ada, 'victim@mail.example')
  const [mail] = await store.emailsTo('victim@mail.example')
  assert.ok(mail)
  assert.doesNotMatch(`${mail.subject} ${mail.text} ${mail.html}`, /evil|prize|account ends/)
  await store.db.execute("update users set name = 'Ada' where email = 'ada@shop.example'")
  await store.db.execute("update companies set name = 'URGENT your order is blocked! Call +1 555 123 4567'")
  await sendInvitation(ada, 'other@mail.example')
  const [other] = await store.emailsTo('other@mail.example')
  assert.ok(other)
  assert.match(other.text, /^Hello, Ada invites you to a company at/)
  assert.doesNotMatch(`${other.subject} ${other.text} ${other.html}`, /URGENT|4567/)
})

test('invitations are limited for a day by company, by the mailbox of the manager and by the invited mailbox, and need a verified e-mail', async () => {
  await using store = await anEmptyStore()
  const { customer: ada } = store
  await foundCompany(ada)
  assert.deepEqual(refusalOf(await sendInvitation(ada, 'x@mail.example')), [409, 'email_not_verified'])
  await verifyEmail(store, ada)
  for (let nth = 0; nth < 4; nth++) {
    const { statusCode, body } = await sendInvitation(ada, nth % 2 ? 'victim@mail.example' : `victim+${nth}@mail.example`)
    assert.equal(statusCode, nth < 3 ? 201 : 429, body)
  }
  for (let nth = 0; nth < 18; nth++) {
    const { statusCode, body } = await sendInvitation(ada, `many${nth}@mail.example`)
    assert.equal(statusCode, nth < 17 ? 201 : 429, body) // the refused one has used up nothing of the twenty
  }
  assert.equal((await store.emailsTo('victim@mail.example')).length, 1)
  await verifyEmail(store, store.otherCustomer)
  await foundCompany(store.otherCustomer)
  assert.equal(
    (await sendInvitation(store.otherCustomer, 'victim@mail.example')).statusCode,
    201,
    'no stranger keeps it from being invited',
  )
  const again = store.newCustomer('ada+2')
  await verifyEmail(store, again)
  await foundCompany(again)
  assert.equal((await sendInvitation(again, 'new@mail.example')).statusCode, 429, 'the same mailbox, in another company')
})

test('a company has at most fifty members and twenty open invitations', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const company = await companyOf(store, ada)
  await verifyEmail(store, bob)
  const token = await inviteByMail(store, ada, bob.email)
  const { rows } = await store.db.execute<{ id: string }>(
    `insert into users (id, name, email) select 'm' || n, 'M', 'm' || n || '@shop.example' from generate_series(2, ${companyLimits.members}) n returning id`,
  )
  await store.db.insert(companyMembers).values(rows.map(({ id }) => ({ userId: id, companyId: company._id, role: 'member' as const })))
  assert.deepEqual(refusalOf(await acceptInvitation(bob, token)), [409, 'company_full'])
  await store.db.delete(companyMembers).where(eq(companyMembers.userId, 'm2'))
  assert.equal((await acceptInvitation(bob, token)).statusCode, 200)

  for (let nth = 0; nth <= companyLimits.invitations; nth++) {
    await forgetRateLimits(store.db)
    const invited = await sendInvitation(ada, `i${nth}@mail.example`)
    assert.equal(invited.statusCode, nth < companyLimits.invitations ? 201 : 409, invited.body)
  }
  assert.equal((await sendInvitation(ada, 'i3@mail.example')).statusCode, 201, 'in the place of its own')
})

test('managers invite, remove members and make others managers; members see and leave, and the last manager stays while others are there', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada, bob, carol)
  const carolsId = await memberId(ada, carol)
  for (const refused of [
    await sendInvitation(bob, 'x@mail.example'),
    await bob.request('GET', '/company/invitations'),
    await bob.request('DELETE', `/company/invitations/${crypto.randomUUID()}`),
    await bob.request('PUT', '/company', { name: 'Bobs' }),
    await setRole(bob, bob, 'manager'),
    await removeMember(bob, carol),
  ])
    assert.deepEqual(refusalOf(refused), [403, 'forbidden'])
  assert.deepEqual(refusalOf(await sendInvitation(ada, carol.email)), [409, 'already_member'])
  assert.deepEqual(refusalOf(await removeMember(ada, ada)), [409, 'last_manager'])
  assert.deepEqual(refusalOf(await setRole(ada, ada, 'member')), [409, 'last_manager'])
  assert.equal((await setRole(ada, bob, 'manager')).statusCode, 200)
  assert.equal((await removeMember(ada, ada)).statusCode, 200)
  assert.deepEqual(refusalOf(await ada.request('GET', '/company/members')), [404, 'no_company'])
  assert.equal((await removeMember(bob, carol, carolsId)).statusCode, 200)
  assert.deepEqual(refusalOf(await removeMember(bob, carol, carolsId)), [404, 'not_found'])
  assert.deepEqual(await rolesSeenBy(bob), [['bob', 'manager']])
  assert.deepEqual((await historyOf(store)).slice(-3), ['made manager', 'left', 'removed'])
})

test('a company that the last member has left cannot be entered any more', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada)
  await verifyEmail(store, bob)
  const token = await inviteByMail(store, ada, bob.email)
  assert.equal((await removeMember(ada, ada)).statusCode, 200)
  assert.deepEqual(refusalOf(await acceptInvitation(bob, token)), [404, 'invalid_link'])
  assert.equal((await foundCompany(ada, { name: 'Anew' })).role, 'manager')
})

test('an account that is removed is out of its company, and where it was the last manager the next member becomes one', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada, bob, carol)
  assert.equal((await store.admin.request('DELETE', `/user/${ada.email}`)).statusCode, 200)
  assert.deepEqual(await rolesSeenBy(carol), [
    ['bob', 'manager'],
    ['carol', 'member'],
  ])
  assert.equal((await store.admin.request('DELETE', `/user/${carol.email}`)).statusCode, 200)
  assert.deepEqual(await rolesSeenBy(bob), [['bob', 'manager']])
  assert.deepEqual((await historyOf(store)).slice(-3), ['removed', 'made manager', 'removed'])
  assert.equal((await store.admin.request('DELETE', `/user/${bob.email}`)).statusCode, 200)
})
