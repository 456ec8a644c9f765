import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { RetryItemLaterError } from '#platform/jobs.ts'
import type { Mailer } from '#platform/mail.ts'
import { mailRetryColumns, maxMailTries } from '#platform/mail-queue.ts'
import { enforceNetworkRateLimit, enforceRateLimit } from '#platform/rate-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { mailboxSql, users } from '#store/identity/table.ts'
import {
  type Company,
  type CompanyInvitation,
  companyLimits,
  type InvitationPreview,
  invalidInvitationMessage,
  invitationDays,
} from './contract.ts'
import { invitationEmail } from './emails.ts'
import { companyFullError, findManagership, lockCompany, lockEnteringAccount, lockManagedCompany, recordCompanyChange } from './members.ts'
import { enterCompany, getCompany } from './rules.ts'
import { companies, companyInvitations, companyMembers } from './table.ts'

/**
 * Mails of invitations, which say names that a manager has chosen, to addresses that nobody has verified. Each limit counts for a day: a
 * manager's mailbox counts all accounts of it.
 */
const mailLimits = {
  perCompany: { max: 20, seconds: 24 * 3600 },
  perManager: { max: 20, seconds: 24 * 3600 },
  perInvited: { max: 3, seconds: 24 * 3600 }, // by one company
  perInvitedByAll: { max: 10, seconds: 24 * 3600 },
  perNetwork: { max: 40, seconds: 24 * 3600 },
}

const invitationColumns = {
  _id: companyInvitations._id,
  email: companyInvitations.email,
  invitedBy: users.name,
  invitedAt: companyInvitations.invitedAt,
  expiresAt: companyInvitations.expiresAt,
}
const isOpen = gt(companyInvitations.expiresAt, sql`now()`)

/** The invitations that can be accepted, oldest first. @throws {HttpError} 404 no company; 403 no manager */
export async function listInvitations(db: Database, user: User): Promise<CompanyInvitation[]> {
  const { companyId } = await findManagership(db, user)
  return selectInvitations(db, companyId)
}

const selectInvitations = (db: Database, companyId: string) =>
  db
    .select(invitationColumns)
    .from(companyInvitations)
    .innerJoin(users, eq(users.id, companyInvitations.invitedBy))
    .where(and(eq(companyInvitations.companyId, companyId), isOpen))
    .orderBy(asc(companyInvitations.invitedAt), asc(companyInvitations._id))

/**
 * Invites an e-mail, in the place of an earlier invitation of it. Accounts are not asked whether one has this e-mail, except those of the
 * company itself. The mail is due from then on.
 * @param address of the client
 * @throws {HttpError} 404 no company; 403 no manager; 409 their e-mail is not verified, a member has this e-mail, or too many invitations are
 *   open; 429 too many of a day
 */
export async function invite(db: Database, user: User, email: string, address: string): Promise<CompanyInvitation> {
  const { companyId } = await findManagership(db, user)
  await limitInvitations(db, { user, companyId, email, address })
  return db.transaction(async (tx) => {
    await lockManagedCompany(tx, user)
    await assertNoMember(tx, companyId, email)
    await tx.delete(companyInvitations).where(and(eq(companyInvitations.companyId, companyId), eq(companyInvitations.email, email)))
    if ((await tx.$count(companyInvitations, and(eq(companyInvitations.companyId, companyId), isOpen))) >= companyLimits.invitations)
      throw companyFullError(`A company has at most ${companyLimits.invitations} open invitations: take one back`)
    const expiresAt = sql`now() + make_interval(days => ${invitationDays}::integer)`
    const [invitation] = await tx.insert(companyInvitations).values({ companyId, email, invitedBy: user.id, expiresAt }).returning()
    if (!invitation) throw new Error('The invitation was not returned')
    await recordCompanyChange(tx, companyId, { event: 'invited', userId: user.id, detail: email })
    const { _id, invitedAt } = invitation
    return { _id, email, invitedBy: user.name, invitedAt, expiresAt: invitation.expiresAt }
  })
}

type LimitedInvitation = { user: User; companyId: string; email: string; address: string }

/**
 * Counts each attempt, before it is known whether it becomes an invitation. The mailbox comes first: what is refused for it uses up nothing of the
 * company. Other companies have limits of their own for it, so that no stranger's keeps it from being invited.
 */
async function limitInvitations(db: Database, { user, companyId, email, address }: LimitedInvitation): Promise<void> {
  const [manager] = await db
    .select({ mailbox: users.mailbox, isVerified: users.emailVerified, invited: mailboxSql(sql`${email}::text`) })
    .from(users)
    .where(eq(users.id, user.id))
  if (!manager?.isVerified)
    throw new HttpError(409, 'Verify your e-mail before you invite others', undefined, { code: 'email_not_verified' })
  const { perCompany, perManager, perInvited, perInvitedByAll, perNetwork } = mailLimits
  const often = `This e-mail can be invited ${perInvited.max} times a day`
  await enforceRateLimit(db, `invitations to ${manager.invited} of company ${companyId}`, perInvited, often)
  await enforceRateLimit(db, `invitations to ${manager.invited}`, perInvitedByAll, 'This e-mail was invited very often today')
  await enforceRateLimit(db, `invitations of company ${companyId}`, perCompany, `Your company can invite ${perCompany.max} times a day`)
  await enforceRateLimit(db, `invitations by ${manager.mailbox}`, perManager, `You can invite ${perManager.max} times a day`)
  await enforceNetworkRateLimit(db, 'invitations', address, perNetwork)
}

async function assertNoMember(tx: Database, companyId: string, email: string): Promise<void> {
  const members = tx
    .select({ id: users.id })
    .from(companyMembers)
    .innerJoin(users, eq(users.id, companyMembers.userId))
    .where(and(eq(companyMembers.companyId, companyId), eq(users.email, email)))
  if ((await members).length === 0) return
  const message = 'This e-mail is that of a member'
  throw new HttpError(409, message, { email: message }, { code: 'already_member' })
}

/** @throws {HttpError} 404 no company, or no such invitation; 403 no manager */
export function takeBack(db: Database, user: User, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { companyId } = await lockManagedCompany(tx, user)
    const [taken] = await tx
      .delete(companyInvitations)
      .where(and(eq(companyInvitations._id, id), eq(companyInvitations.companyId, companyId)))
      .returning({ email: companyInvitations.email })
    if (!taken) throw new HttpError(404, 'Your company has no such invitation')
    await recordCompanyChange(tx, companyId, { event: 'invitation taken back', userId: user.id, detail: taken.email })
  })
}

const hashToken = (token: string) => createHash('sha256').update(`invitation ${token}`).digest('base64url')
const invalidLinkError = () => new HttpError(404, invalidInvitationMessage, undefined, { code: 'invalid_link' })

/** What the link invites to. @throws {HttpError} like `accept` */
export async function preview(db: Database, user: User, token: string): Promise<InvitationPreview> {
  const invitation = await findInvitation(db, token)
  const [account] = await db.select({ emailVerified: users.emailVerified }).from(users).where(eq(users.id, user.id))
  assertIsInvited({ email: user.email, emailVerified: account?.emailVerified === true }, invitation)
  return { company: invitation.company, invitedBy: invitation.invitedBy, expiresAt: invitation.expiresAt }
}

/**
 * Makes the account a member. The invitation is used up.
 * @throws {HttpError} 404 no open invitation has this token; 403 another e-mail is invited; 409 the account has not verified its own, it is
 *   in a company already, or the company has as many members as it can; 401 the account was removed at this moment
 */
export function accept(db: Database, user: User, token: string): Promise<Company> {
  return db.transaction(async (tx) => {
    const account = await lockEnteringAccount(tx, user.id)
    const { companyId } = await findInvitation(tx, token)
    await lockCompany(tx, companyId)
    const invitation = await findInvitation(tx, token) // anew: it may have been used while the lock was waited for
    assertIsInvited(account, invitation)
    if ((await tx.$count(companyMembers, eq(companyMembers.companyId, companyId))) >= companyLimits.members)
      throw companyFullError(`${invitation.company} has ${companyLimits.members} members, which is as many as a company can have`)
    await enterCompany(tx, { userId: user.id, companyId, role: 'member', invitedBy: invitation.inviterId })
    await tx.delete(companyInvitations).where(eq(companyInvitations._id, invitation._id))
    await recordCompanyChange(tx, companyId, { event: 'joined', userId: user.id, aboutUserId: user.id })
    return getCompany(tx, user)
  })
}

async function findInvitation(db: Database, token: string) {
  const [found] = await db
    .select({
      ...invitationColumns,
      companyId: companyInvitations.companyId,
      inviterId: companyInvitations.invitedBy,
      company: companies.name,
    })
    .from(companyInvitations)
    .innerJoin(companies, eq(companies._id, companyInvitations.companyId))
    .innerJoin(users, eq(users.id, companyInvitations.invitedBy))
    .where(and(eq(companyInvitations.tokenHash, hashToken(token)), isOpen))
  if (!found) throw invalidLinkError()
  return found
}

/** Says nothing of the invitation to whom it is not for. */
function assertIsInvited(account: { email: string; emailVerified: boolean }, invitation: { email: string }): void {
  if (account.email !== invitation.email)
    throw new HttpError(403, 'This invitation was sent to another e-mail than yours: sign in with that one', undefined, {
      code: 'other_email',
    })
  if (!account.emailVerified)
    throw new HttpError(409, 'Verify your e-mail first: then you can accept the invitation', undefined, { code: 'email_not_verified' })
}

/** A mail that is not accepted within `send` has failed; one whose process was killed is due again after `lease`. */
const mailSeconds = { send: 120, lease: 300 }

/**
 * Sends the mail of the invitation that has been due longest, of those with the fewest failed tries. It is put off before that, and
 * its try counted, so that no other process sends it too, a crash only delays it, and no lock of a row waits for a mail server. The token is made here and kept as a hash, so each
 * try has another one; with another Message-ID, since a mail client may show the first of two mails with the same.
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the mailer's error; the mail is due again later or given up, see `mailRetryColumns`
 */
export async function sendDueInvitation(db: Database, mailer: Mailer, publicUrl: string): Promise<boolean> {
  const next = db
    .select({ _id: companyInvitations._id })
    .from(companyInvitations)
    .where(and(lte(companyInvitations.mailDueAt, sql`now()`), isOpen, lt(companyInvitations.mailTries, maxMailTries)))
    .orderBy(asc(companyInvitations.mailTries), asc(companyInvitations.mailDueAt), asc(companyInvitations._id))
    .limit(1)
    .for('update', { skipLocked: true })
  const token = randomBytes(32).toString('hex')
  const tokenHash = hashToken(token)
  const [taken] = await db
    .update(companyInvitations)
    .set({
      tokenHash,
      mailDueAt: sql`now() + make_interval(secs => ${mailSeconds.lease})`,
      mailTries: sql`${companyInvitations.mailTries} + 1`,
    })
    .where(eq(companyInvitations._id, sql`(${next})`))
    .returning({ _id: companyInvitations._id, tries: companyInvitations.mailTries })
  if (!taken) return false
  const isTaken = and(eq(companyInvitations._id, taken._id), eq(companyInvitations.tokenHash, tokenHash))
  const [due] = await db
    .select({ ...invitationColumns, company: companies.name })
    .from(companyInvitations)
    .innerJoin(companies, eq(companies._id, companyInvitations.companyId))
    .innerJoin(users, eq(users.id, companyInvitations.invitedBy))
    .where(isTaken)
  if (!due) return true // taken back meanwhile
  const send = async () =>
    mailer.send({
      ...invitationEmail(due, `${publicUrl}/company/invitations/${token}`),
      messageIdSeed: `company-invitation-${tokenHash}`,
      occurredAt: new Date(),
    })
  try {
    await withinSeconds(mailSeconds.send, send())
  } catch (error) {
    const { mailDueAt } = mailRetryColumns(error, { mailTries: companyInvitations.mailTries, tries: taken.tries - 1 })
    await db.update(companyInvitations).set({ mailDueAt }).where(isTaken)
    throw new RetryItemLaterError(error)
  }
  await db.update(companyInvitations).set({ mailDueAt: null }).where(isTaken)
  return true
}

/** A mail server that answers now and then can take any time. */
async function withinSeconds<Result>(seconds: number, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`The mail server has not taken the mail within ${seconds} s`)), seconds * 1000)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Deletes the invitations that nobody can accept any more. */
export async function deleteEndedInvitations(db: Database): Promise<void> {
  await db.delete(companyInvitations).where(lt(companyInvitations.expiresAt, sql`now()`))
}
