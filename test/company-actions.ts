import assert from 'node:assert/strict'
import { eq } from 'drizzle-orm'
import type { Company, CompanyMember } from '#store/companies/contract.ts'
import { users } from '#store/identity/table.ts'
import type { Actor, Store } from './store.ts'

/* What people do in tests about companies. */

/** Signs in first, so that there is an account. */
export async function verifyEmail(store: Store, ...actors: Actor[]): Promise<void> {
  for (const actor of actors) {
    await actor.token()
    await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, actor.email))
  }
}

export async function foundCompany(founder: Actor, fields: object = { name: 'Analytical Engines' }): Promise<Company> {
  const founded = await founder.request('POST', '/company', fields)
  assert.equal(founded.statusCode, 201, founded.body)
  return founded.json()
}

export const sendInvitation = (manager: Actor, email: string) => manager.request('POST', '/company/invitations', { email })

/** Invites an e-mail, and reads the token in the mail that goes there. */
export async function inviteByMail(store: Store, manager: Actor, email: string): Promise<string> {
  const invited = await sendInvitation(manager, email)
  assert.equal(invited.statusCode, 201, invited.body)
  return tokenInMail(store, email)
}

/** The token in the last mail to this address that invites. */
export async function tokenInMail(store: Store, email: string): Promise<string> {
  const mails = await store.emailsTo(email)
  const token = mails.flatMap(({ text }) => text.match(/\/company\/invitations\/([0-9a-f]{64})$/m)?.[1] ?? []).at(-1)
  assert.ok(token, `a link with a token in the mails to ${email}`)
  return token
}

export const acceptInvitation = (actor: Actor, token: string) => actor.request('POST', `/company-invitations/${token}`)

/** A company of a manager, whose e-mail is verified by it, with these members besides. */
export async function companyOf(store: Store, manager: Actor, ...others: Actor[]): Promise<Company> {
  await verifyEmail(store, manager, ...others)
  const company = await foundCompany(manager, { name: `Company of ${manager.name}` })
  for (const other of others) {
    const accepted = await acceptInvitation(other, await inviteByMail(store, manager, other.email))
    assert.equal(accepted.statusCode, 200, accepted.body)
  }
  return company
}

export async function membersSeenBy(actor: Actor): Promise<CompanyMember[]> {
  const listed = await actor.request('GET', '/company/members')
  assert.equal(listed.statusCode, 200, listed.body)
  return listed.json().members
}

/** The id of a member, as another one sees it. */
export async function memberId(actor: Actor, member: Actor): Promise<string> {
  const found = (await membersSeenBy(actor)).find(({ email }) => email === member.email)
  assert.ok(found, `${member.email} is a member`)
  return found._id
}

export const removeMember = async (actor: Actor, member: Actor, id?: string) =>
  actor.request('DELETE', `/company/members/${id ?? (await memberId(actor, member))}`)

export const setRole = async (actor: Actor, member: Actor, role: 'manager' | 'member') =>
  actor.request('PUT', `/company/members/${await memberId(actor, member)}`, { role })
