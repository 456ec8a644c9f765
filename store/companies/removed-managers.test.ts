import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptInvitation, companyOf, inviteByMail, memberId, removeMember, setRole, verifyEmail } from '#test/company-actions.ts'
import { anEmptyStore } from '#test/store.ts'

test('the open invitations of a manager end when the manager is removed, made a member or leaves, and when the shop removes the account', async () => {
  await using store = await anEmptyStore()
  const { customer: ada, otherCustomer: bob } = store
  const [carol, dora, evan, second, guest] = ['Carol', 'Dora', 'Evan', 'Second', 'Guest'].map((name) => store.newCustomer(name))
  assert.ok(carol && dora && evan && second && guest)
  const managers = [bob, carol, dora, evan]
  await companyOf(store, ada, ...managers)
  await verifyEmail(store, second, guest)
  const kept = await inviteByMail(store, ada, guest.email)
  const ways = [
    () => removeMember(ada, bob),
    () => setRole(ada, carol, 'member'),
    async () => removeMember(dora, dora, await memberId(ada, dora)),
    () => store.admin.request('DELETE', `/user/${evan.email}`),
  ]
  for (const [nth, end] of ways.entries()) {
    const manager = managers[nth]
    assert.ok(manager)
    await setRole(ada, manager, 'manager')
    await store.db.execute("delete from limits where key like 'invitations to %'")
    const token = await inviteByMail(store, manager, second.email)
    assert.equal((await end()).statusCode, 200)
    const refused = await acceptInvitation(second, token)
    assert.deepEqual([refused.statusCode, refused.json().code], [404, 'invalid_link'], manager.name)
  }
  assert.equal((await acceptInvitation(guest, kept)).statusCode, 200, 'those of others stay')
})
