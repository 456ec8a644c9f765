import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { type Account, maxRemovedUsersListed, type RemovedAccount, type UserPage, type UserPageQuery } from './contract.ts'
import { recordOwnerNotices } from './owner-notices.ts'
import { setVerifiedPassword } from './passwords.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { sessions, signInMethods, users } from './table.ts'

/** False also for an address without an account. */
export async function isAdmin(db: Database, email: string): Promise<boolean> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email))
  return user?.role === 'admin'
}

const accountColumns = {
  _id: users.id,
  email: users.email,
  role: users.role,
  owner: users.owner,
  verified: users.emailVerified,
  limitsLifted: sql<boolean>`${users.limitsLiftedAt} is not null`,
}
type AccountRow = Required<Omit<Account, 'verified'>> & { verified: boolean }
const isActive = isNull(users.removedAt)
/**
 * Whether everybody who can sign in to the account has proved access to the mailbox. False where the e-mail is verified, but not by the
 * person who chose the password.
 */
const isEmailProven = sql<boolean>`${users.emailVerified} and ${users.id} not in (select ${signInMethods.userId} from ${signInMethods}
  where ${signInMethods.providerId} = 'credential' and ${signInMethods.emailProvenAt} is null)`
const accountNotFoundError = () => new HttpError(404, 'There is no such account')

/** Every account that can sign in, oldest first. */
export async function listAccounts(db: Database): Promise<Account[]> {
  const found = await db.select(accountColumns).from(users).where(isActive).orderBy(asc(users.createdAt), asc(users.email))
  return found.map(toAccount)
}

/** A page of the accounts that can sign in. @param askedBy the e-mail of the admin who asks */
export async function listAccountPage(db: Database, { q, sort, page, limit }: UserPageQuery, askedBy: string): Promise<UserPage> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = and(isActive, ...words.map((word) => sql`strpos(${users.email}, ${word}) > 0`))
  const inOrder = sort === undefined ? [asc(users.createdAt), asc(users.email)] : [sort === 'email' ? asc(users.email) : desc(users.email)]
  const [accounts, total, askedByOwner] = await Promise.all([
    db
      .select(accountColumns)
      .from(users)
      .where(found)
      .orderBy(...inOrder)
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(users, found),
    isOwner(db, askedBy),
  ])
  return { accounts: accounts.map(toAccount), total, askedByOwner }
}

/** The most recently removed accounts, newest first, at most `maxRemovedUsersListed`. */
export async function listRemovedUsers(db: Database): Promise<RemovedAccount[]> {
  const found = await db
    .select({ _id: users.id, email: users.email, removedAt: users.removedAt })
    .from(users)
    .where(isNotNull(users.removedAt))
    .orderBy(desc(users.removedAt), asc(users.email))
    .limit(maxRemovedUsersListed)
  return found.map(({ removedAt, ...account }) => ({ ...account, removedAt: removedAt?.toISOString() ?? '' }))
}

/** False also for an address without an account. */
export const isOwner = async (db: Database, email: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.email, email), eq(users.owner, true)))) > 0

/** @param id of the account */
export const isOwnerById = async (db: Database, id: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, id), eq(users.owner, true)))) > 0

/**
 * Exempts an account from the buyer limits, or ends its exemption. Every owner gets an email about an exemption by an admin who is no owner.
 * @param by the e-mail of the admin who does it
 * @throws {HttpError} 404 no such account
 */
export function liftBuyerLimits(db: Database, email: string, lifted: boolean, by: string): Promise<Account> {
  return db.transaction(async (tx) => {
    const found = and(eq(users.email, email), isActive)
    const [before] = await tx.select(accountColumns).from(users).where(found).for('no key update')
    const limitsLiftedAt = lifted ? sql`coalesce(${users.limitsLiftedAt}, now())` : null
    const [account] = await tx.update(users).set({ limitsLiftedAt }).where(found).returning(accountColumns)
    if (!before || !account) throw accountNotFoundError()
    if (account.limitsLifted && !before.limitsLifted && !(await isOwner(tx, by)))
      await recordOwnerNotices(tx, { event: 'limits lifted', about: email, by })
    return toAccount(account)
  })
}

/**
 * Makes an account an admin. Its sessions stay valid and have the new role from their next request on. Every owner gets an email, which
 * says so when the account's e-mail is not proven.
 * @param by the e-mail of the admin who does it; undefined for a command on the store's machine
 * @param provenOnly rejects an account whose e-mail is not proven, see `isEmailProven`
 * @returns how many accounts were changed: 0 where it was an admin already
 * @throws {HttpError} 404 no such account, or a removed one; 409 not proven, with `provenOnly`
 */
export function makeAdmin(db: Database, email: string, by?: string, { provenOnly = false } = {}): Promise<number> {
  return db.transaction(async (tx) => {
    const [made] = await tx
      .update(users)
      .set({ role: 'admin' })
      .where(and(eq(users.email, email), eq(users.role, 'customer'), isActive))
      .returning({ isProven: isEmailProven })
    if (made) {
      if (provenOnly && !made.isProven)
        throw new HttpError(
          409,
          `Whoever registered ${email} has not verified this e-mail; add --unverified to do it all the same`,
          undefined,
          { code: 'email_not_verified' },
        )
      await recordOwnerNotices(tx, { event: made.isProven ? 'admin made' : 'unverified admin made', about: email, by })
    } else if (!(await isAdmin(tx, email)))
      // One that is neither an active customer's nor an admin's was removed.
      throw (await hasAccount(tx, email))
        ? new HttpError(404, 'This account was removed: bring it back first', undefined, { code: 'account_removed' })
        : accountNotFoundError()
    return made ? 1 : 0
  })
}

/**
 * Makes an admin a customer and deletes the account's sessions. Every owner gets an email.
 * @param by the e-mail of the owner who does it; undefined for a command on the store's machine
 * @throws {HttpError} 404 no such admin; 409 another owner, the last owner or the last admin
 */
export function revokeAdmin(db: Database, email: string, by?: string): Promise<void> {
  return db.transaction(async (tx) => {
    const admin = await findAndLockAccount(tx, email)
    if (admin?.role !== 'admin') throw new HttpError(404, 'There is no such admin')
    if (admin.owner && by !== undefined && by !== email) throw ownerProtectedError()
    await assertNotLastOwner(tx, admin)
    await assertNotLastAdmin(tx)
    await recordOwnerNotices(tx, { event: 'role taken back', about: email, by })
    await tx.update(users).set({ role: 'customer', owner: false }).where(eq(users.id, admin._id))
    await tx.delete(sessions).where(eq(sessions.userId, admin._id))
  })
}

/**
 * Removes an account: its sessions are deleted, its buyer limits apply again and it cannot sign in. Its orders stay in the books. If it was
 * an admin, every owner gets an email.
 * @param within runs in the same transaction, given the account's id
 * @throws {HttpError} 404 no such account; 409 one's own account, an owner or the last admin; 401 the caller is no longer an admin
 */
export function removeUser(
  db: Database,
  requester: { email: string },
  email: string,
  within: (tx: Database, userId: string) => Promise<void>,
): Promise<Account> {
  return db.transaction(async (tx) => {
    const account = await findAndLockAccount(tx, email)
    // The requester may have been removed or demoted while this call waited for the lock.
    if (!(await isAdmin(tx, requester.email))) throw new HttpError(401, 'Sign in first')
    if (!account) throw accountNotFoundError()
    if (email === requester.email) throw new HttpError(409, 'You cannot remove your own account', undefined, { code: 'own_account' })
    if (account.owner) throw ownerProtectedError()
    if (account.role === 'admin') {
      await assertNotLastAdmin(tx)
      await recordOwnerNotices(tx, { event: 'admin removed', about: email, by: requester.email })
    }
    await tx.update(users).set({ removedAt: sql`now()`, role: 'customer', limitsLiftedAt: null }).where(eq(users.id, account._id))
    await tx.delete(sessions).where(eq(sessions.userId, account._id))
    await within(tx, account._id)
    return toAccount(account)
  })
}

/**
 * Restores a removed account as a customer, with the password that it had.
 * @throws {HttpError} 404 no such account; 409 it was not removed
 */
export async function restoreUser(db: Database, email: string): Promise<Account> {
  const [back] = await db
    .update(users)
    .set({ removedAt: null })
    .where(and(eq(users.email, email), isNotNull(users.removedAt)))
    .returning(accountColumns)
  if (back) return toAccount(back)
  throw (await hasAccount(db, email))
    ? new HttpError(409, 'This account was not removed', undefined, { code: 'account_not_removed' })
    : accountNotFoundError()
}

/**
 * Makes the account of this e-mail an owner: a removed account is restored first, a missing one is created. Every owner gets an email.
 * Only for commands on the store's machine: no endpoint calls this.
 * @returns the generated password, to be shown once, if the account was created or its e-mail was not proven
 */
export function makeOwner(db: Database, provider: SignInProvider, email: string): Promise<{ was: PreviousRole; password?: string }> {
  return db.transaction(async (tx) => {
    await lockAccountsTable(tx)
    const made = await createOrPromoteOwner(tx, provider, { email, password: undefined })
    if (made.was !== 'owner') await recordOwnerNotices(tx, { event: 'owner made', about: email })
    return made
  })
}

const ownerProtectedError = () =>
  new HttpError(
    409,
    "This account is an owner of the store: nobody else can remove it or take its role. A command on the store's machine can",
    undefined,
    { code: 'owner_protected' },
  )

/** Omits `owner` and `verified` where they have their usual values, so that the JSON of an account is as in the first API version. */
const toAccount = ({ owner, verified, ...account }: AccountRow): Account => ({
  ...account,
  ...(owner && { owner }),
  ...(!verified && { verified: false }),
})

/** Whether there is an account of this e-mail, active or removed. */
async function hasAccount(db: Database, email: string): Promise<boolean> {
  return (await db.$count(users, eq(users.email, email))) > 0
}

/** Two admins who revoke each other's role concurrently would leave no admin, so changes that reduce the admins run one at a time. */
const lockAccountsTable = (tx: Database) => tx.execute(sql`lock table ${users} in share row exclusive mode`)

async function findAndLockAccount(tx: Database, email: string): Promise<AccountRow | undefined> {
  await lockAccountsTable(tx)
  const [account] = await tx
    .select(accountColumns)
    .from(users)
    .where(and(eq(users.email, email), isActive))
  return account
}

async function assertNotLastAdmin(tx: Database): Promise<void> {
  const admins = await tx.$count(users, and(eq(users.role, 'admin'), isActive))
  if (admins <= 1) throw new HttpError(409, 'This is the last admin: make another one first', undefined, { code: 'last_admin' })
}

async function assertNotLastOwner(tx: Database, account: AccountRow): Promise<void> {
  if (account.owner && (await tx.$count(users, eq(users.owner, true))) <= 1)
    throw new HttpError(409, 'This is the last owner: make another one first', undefined, { code: 'last_owner' })
}

/**
 * Runs at start. While the store has no owner, this e-mail becomes one: its account is created, or promoted if there is one, and restored
 * if it was removed.
 * @returns the generated password, to be shown once; undefined when the password was given, an owner exists or an account with a proven
 *   e-mail was promoted
 */
export function ensureFirstOwner(db: Database, provider: SignInProvider, first: { email: string; password: string | undefined }) {
  return db.transaction(async (tx) => {
    await lockAccountsTable(tx) // two first starts at the same time must make only one owner
    if ((await tx.$count(users, eq(users.owner, true))) > 0) return undefined
    return (await createOrPromoteOwner(tx, provider, first)).password
  })
}

/** What the account was before `makeOwner`; `nobody`: there was no account. */
export type PreviousRole = 'owner' | 'admin' | 'customer' | 'removed' | 'nobody'

/** @param tx a transaction that holds the lock of `lockAccountsTable` */
async function createOrPromoteOwner(
  tx: Database,
  provider: SignInProvider,
  { email, password }: { email: string; password: string | undefined },
): Promise<{ was: PreviousRole; password?: string }> {
  const ownerPassword = password ?? randomBytes(9).toString('base64url')
  const { password: passwords } = await provider.$context
  const [account] = await tx
    .select({ ...getTableColumns(users), isProven: isEmailProven })
    .from(users)
    .where(eq(users.email, email))
  if (account) {
    const was = account.removedAt ? 'removed' : account.owner ? 'owner' : account.role
    const keepsPassword = account.owner || account.isProven
    // Whoever chose this password has never proved access to the mailbox, so it must not give access to an owner's account.
    if (!keepsPassword) await setVerifiedPassword(tx, account.id, await passwords.hash(ownerPassword))
    const owner = { role: 'admin', owner: true, removedAt: null, emailVerified: true } as const
    await tx.update(users).set(owner).where(eq(users.id, account.id))
    return { was, ...(!keepsPassword && password === undefined && { password: ownerPassword }) }
  }

  const id = crypto.randomUUID()
  await tx.insert(users).values({ id, email, name: 'Store owner', emailVerified: true, role: 'admin', owner: true })
  await tx.insert(signInMethods).values({
    id: crypto.randomUUID(),
    accountId: id,
    providerId: 'credential',
    userId: id,
    password: await passwords.hash(ownerPassword),
    emailProvenAt: new Date(),
  })
  return { was: 'nobody', ...(password === undefined && { password: ownerPassword }) }
}
