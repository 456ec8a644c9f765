import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import type { CompanyEvent, CompanyMember, CompanyRole } from './contract.ts'
import { companies, companyAddresses, companyHistory, companyInvitations, companyMembers } from './table.ts'

/*
 * Whoever changes the members of a company has locked its row, and an account that enters one is locked before that: so no two last managers
 * leave at once, and no account enters while it is removed. An order that is being placed holds the row of its buyer's membership.
 */

export type Membership = { companyId: string; role: CompanyRole }

export const noCompanyError = () => new HttpError(404, 'You are in no company', undefined, { code: 'no_company' })
const notManagerError = () => new HttpError(403, 'This is for managers of the company only')
const memberNotFoundError = () => new HttpError(404, 'Your company has no such member')
export const alreadyInCompanyError = () =>
  new HttpError(409, 'You are in a company already: leave it first', undefined, { code: 'already_in_company' })
export const companyFullError = (message: string) => new HttpError(409, message, undefined, { code: 'company_full' })
const lastManagerError = (message: string) => new HttpError(409, message, undefined, { code: 'last_manager' })

/** @throws {HttpError} 404 the account is in no company */
export async function findMembership(db: Database, { id }: Pick<User, 'id'>): Promise<Membership> {
  const [found] = await db
    .select({ companyId: companyMembers.companyId, role: companyMembers.role })
    .from(companyMembers)
    .where(eq(companyMembers.userId, id))
  if (!found) throw noCompanyError()
  return found
}

/** @throws {HttpError} 404 the account is in no company; 403 it is no manager there */
export async function findManagership(db: Database, user: Pick<User, 'id'>): Promise<Membership> {
  const membership = await findMembership(db, user)
  if (membership.role !== 'manager') throw notManagerError()
  return membership
}

/**
 * Locks the company of an account until the transaction ends, and reads the membership anew: it may have ended while the lock was waited for.
 * @throws {HttpError} 404 the account is in no company
 */
export async function lockCompanyOf(tx: Database, user: Pick<User, 'id'>): Promise<Membership> {
  const { companyId } = await findMembership(tx, user)
  await lockCompany(tx, companyId)
  const now = await findMembership(tx, user)
  if (now.companyId !== companyId) throw noCompanyError()
  return now
}

export const lockCompany = (tx: Database, companyId: string) =>
  tx.select({ _id: companies._id }).from(companies).where(eq(companies._id, companyId)).for('no key update')

/** Like `lockCompanyOf`, for what only managers do. @throws {HttpError} 403 the account is no manager */
export async function lockManagedCompany(tx: Database, user: Pick<User, 'id'>): Promise<Membership> {
  const membership = await lockCompanyOf(tx, user)
  if (membership.role !== 'manager') throw notManagerError()
  return membership
}

/**
 * Locks an account that is about to enter a company, before the company: an account that is removed at this moment enters none.
 * @throws {HttpError} 401 it was removed
 */
export async function lockEnteringAccount(tx: Database, userId: string): Promise<{ email: string; emailVerified: boolean }> {
  const [account] = await tx
    .select({ email: users.email, emailVerified: users.emailVerified, removedAt: users.removedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  if (!account || account.removedAt) throw new HttpError(401, 'Sign in first')
  return account
}

type Change = { event: CompanyEvent; userId: string | null; aboutUserId?: string; detail?: string }

/** Must run in the transaction of the change. */
export const recordCompanyChange = (tx: Database, companyId: string, change: Change) =>
  tx.insert(companyHistory).values({ companyId, ...change })

/**
 * New names, roles and addresses of a company: each leaves a row for good. Who is removed is not counted, as they had to be invited, nor is an
 * address that is removed, as it had to be added.
 */
const managingLimits = {
  'name and roles': { max: 50, seconds: 24 * 3600 },
  addresses: { max: 200, seconds: 24 * 3600 }, // by one manager
}

/**
 * Records a change that managers can make again and again. Must run in the transaction of the change, which ends where there are too many.
 * @throws {HttpError} 429
 */
export async function recordManagersChange(
  tx: Database,
  companyId: string,
  change: Change,
  of: keyof typeof managingLimits = 'name and roles',
): Promise<void> {
  const limit = managingLimits[of]
  // Each manager has changes of addresses of their own: the next one can correct what one has spoiled.
  const by = of === 'addresses' ? ` by ${change.userId}` : ''
  await enforceRateLimit(
    tx,
    `changes of ${of} of company ${companyId}${by}`,
    limit,
    `The ${of} of a company change ${limit.max} times a day`,
  )
  await recordCompanyChange(tx, companyId, change)
}

const inviters = alias(users, 'inviters')

/** The members of a company in the order in which they have joined. */
export function listMembers(db: Database, companyId: string, asker: Pick<User, 'id'>): Promise<CompanyMember[]> {
  return db
    .select({
      _id: companyMembers.userId,
      name: users.name,
      email: users.email,
      role: companyMembers.role,
      joinedAt: companyMembers.joinedAt,
      invitedBy: inviters.name,
      isSelf: sql<boolean>`${companyMembers.userId} = ${asker.id}`,
    })
    .from(companyMembers)
    .innerJoin(users, eq(users.id, companyMembers.userId))
    .leftJoin(inviters, eq(inviters.id, companyMembers.invitedBy))
    .where(eq(companyMembers.companyId, companyId))
    .orderBy(asc(companyMembers.joinedAt), asc(companyMembers.userId))
}

/** @throws {HttpError} 404 no company, or no such member; 403 no manager; 409 the last manager; 429 too many changes of a day */
export function changeRole(db: Database, user: User, memberId: string, role: CompanyRole): Promise<CompanyMember[]> {
  return db.transaction(async (tx) => {
    const { companyId } = await lockManagedCompany(tx, user)
    const member = await findMember(tx, companyId, memberId)
    if (member.role !== role) {
      if (role === 'member' && (await countManagers(tx, companyId)) === 1)
        throw lastManagerError('A company has a manager: make another member one first')
      await tx.update(companyMembers).set({ role }).where(eq(companyMembers.userId, memberId))
      await endInvitationsBy(tx, memberId)
      await recordManagersChange(tx, companyId, { event: `made ${role}`, userId: user.id, aboutUserId: memberId })
    }
    return listMembers(tx, companyId, user)
  })
}

/**
 * Ends a membership: a manager removes anybody, and everybody leaves. The orders that the member has placed stay the company's. An order that
 * is being placed comes before that: the deletion waits for it.
 * @throws {HttpError} 404 no company, or no such member; 403 no manager; 409 the last manager, while others stay
 */
export function endMembership(db: Database, user: User, memberId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { companyId, role } = await lockCompanyOf(tx, user)
    const isLeaving = memberId === user.id
    if (!isLeaving && role !== 'manager') throw notManagerError()
    const member = await findMember(tx, companyId, memberId)
    const others = await tx.$count(companyMembers, and(eq(companyMembers.companyId, companyId), ne(companyMembers.userId, memberId)))
    if (member.role === 'manager' && others > 0 && (await countManagers(tx, companyId)) === 1)
      throw lastManagerError('You are the last manager, and there are other members: make one of them a manager first')
    await tx.delete(companyMembers).where(eq(companyMembers.userId, memberId))
    await endInvitationsBy(tx, memberId)
    await recordCompanyChange(tx, companyId, { event: isLeaving ? 'left' : 'removed', userId: user.id, aboutUserId: memberId })
    if (others === 0) await forgetEmptyCompany(tx, companyId)
  })
}

/**
 * Ends the membership of an account that is removed. Where it was the last manager, whoever has joined first becomes one.
 * @param tx the transaction that removes the account
 */
export async function endMembershipOfRemovedAccount(tx: Database, userId: string): Promise<void> {
  const [found] = await tx.select({ companyId: companyMembers.companyId }).from(companyMembers).where(eq(companyMembers.userId, userId))
  if (!found) return
  const { companyId } = found
  await lockCompany(tx, companyId)
  const ended = await tx.delete(companyMembers).where(eq(companyMembers.userId, userId)).returning({ userId: companyMembers.userId })
  if (ended.length === 0) return
  await endInvitationsBy(tx, userId)
  await recordCompanyChange(tx, companyId, { event: 'removed', userId: null, aboutUserId: userId })
  const [eldest] = await tx
    .select({ userId: companyMembers.userId })
    .from(companyMembers)
    .where(eq(companyMembers.companyId, companyId))
    .orderBy(asc(companyMembers.joinedAt), asc(companyMembers.userId))
    .limit(1)
  if (!eldest) return forgetEmptyCompany(tx, companyId)
  if ((await countManagers(tx, companyId)) > 0) return
  await tx.update(companyMembers).set({ role: 'manager' }).where(eq(companyMembers.userId, eldest.userId))
  await recordCompanyChange(tx, companyId, { event: 'made manager', userId: null, aboutUserId: eldest.userId })
}

/**
 * Deletes the open invitations of an account that invites no more: to another mailbox of the same person they would be a way back. The row of
 * the company is locked, so none is added or accepted meanwhile.
 */
const endInvitationsBy = (tx: Database, userId: string) => tx.delete(companyInvitations).where(eq(companyInvitations.invitedBy, userId))

async function findMember(tx: Database, companyId: string, userId: string): Promise<{ role: CompanyRole }> {
  const [member] = await tx
    .select({ role: companyMembers.role })
    .from(companyMembers)
    .where(and(eq(companyMembers.companyId, companyId), eq(companyMembers.userId, userId)))
  if (!member) throw memberNotFoundError()
  return member
}

const countManagers = (tx: Database, companyId: string) =>
  tx.$count(companyMembers, and(eq(companyMembers.companyId, companyId), eq(companyMembers.role, 'manager')))

/** Nobody can use what a company without members has, and invitations to it would make a member without a manager. */
async function forgetEmptyCompany(tx: Database, companyId: string): Promise<void> {
  await tx.delete(companyAddresses).where(eq(companyAddresses.companyId, companyId))
  await tx.delete(companyInvitations).where(eq(companyInvitations.companyId, companyId))
}
