import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import { type Account, mostRemoved, type RemovedAccount } from './contract.ts'
import { noteForOwners } from './owner-notices.ts'
import { setProvenPassword } from './passwords.ts'
import type { SignInProvider } from './provider.ts'
import { accounts, sessions, users } from './table.ts'

/** Is this account an admin? An address without an account is not. */
export async function isAdmin(db: Database, email: string): Promise<boolean> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email))
  return user?.role === 'admin'
}

const asAccount = {
  _id: users.id,
  email: users.email,
  role: users.role,
  owner: users.owner,
  verified: users.emailVerified,
  limitsLifted: sql<boolean>`${users.limitsLiftedAt} is not null`,
}
type AsKept = Required<Omit<Account, 'verified'>> & { verified: boolean }
const open = isNull(users.removedAt)
/** Whether whoever can sign in has shown that the e-mail is theirs. Not so where an e-mail counts as verified, but not by whoever chose the password. */
const isProven = sql<boolean>`${users.emailVerified} and ${users.id} not in (select ${accounts.userId} from ${accounts}
  where ${accounts.providerId} = 'credential' and ${accounts.emailProvenAt} is null)`
const noSuchAccount = () => new Refusal(404, 'There is no such account')

/** Every account that can sign in, oldest first. */
export async function listAccounts(db: Database): Promise<Account[]> {
  const found = await db.select(asAccount).from(users).where(open).orderBy(asc(users.createdAt), asc(users.email))
  return found.map(asTold)
}

/** The accounts that were removed last, newest first. */
export async function listRemoved(db: Database): Promise<RemovedAccount[]> {
  const found = await db
    .select({ _id: users.id, email: users.email, removedAt: users.removedAt })
    .from(users)
    .where(isNotNull(users.removedAt))
    .orderBy(desc(users.removedAt), asc(users.email))
    .limit(mostRemoved)
  return found.map(({ removedAt, ...account }) => ({ ...account, removedAt: removedAt?.toISOString() ?? '' }))
}

/** Is this account an owner? An address without an account is not. */
export async function isOwner(db: Database, email: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.email, email), eq(users.owner, true)))) > 0
}

/**
 * Lets an account order without the limits of buyers, or puts these limits back.
 * @throws {Refusal} 404 no such account
 */
export async function liftLimits(db: Database, email: string, lifted: boolean): Promise<Account> {
  const [account] = await db
    .update(users)
    .set({ limitsLiftedAt: lifted ? sql`coalesce(${users.limitsLiftedAt}, now())` : null })
    .where(and(eq(users.email, email), open))
    .returning(asAccount)
  if (!account) throw noSuchAccount()
  return asTold(account)
}

/**
 * Makes an account an admin. Its sessions go on: the next call of each is an admin's. Every owner is told by mail, also where nobody has
 * shown that the e-mail is theirs.
 * @param by the e-mail of who asks for it; none: a command on the store's machine
 * @param provenOnly refuses an account of which nobody has shown that the e-mail is theirs
 * @returns how many accounts were changed: 0 where it was an admin already
 * @throws {Refusal} 404 no such account, or a removed one; 409 not verified, where that is asked for
 */
export function makeAdmin(db: Database, email: string, by?: string, { provenOnly = false } = {}): Promise<number> {
  return db.transaction(async (tx) => {
    const [made] = await tx
      .update(users)
      .set({ role: 'admin' })
      .where(and(eq(users.email, email), eq(users.role, 'customer'), open))
      .returning({ isProven })
    if (made) {
      if (provenOnly && !made.isProven)
        throw new Refusal(409, `Whoever registered ${email} has not verified this e-mail; add --unverified to do it all the same`)
      await noteForOwners(tx, { event: made.isProven ? 'admin made' : 'unverified admin made', about: email, by })
    } else if (!(await isAdmin(tx, email)))
      throw (await isRemoved(tx, email)) ? new Refusal(404, 'This account was removed: bring it back first') : noSuchAccount()
    return made ? 1 : 0
  })
}

/**
 * Takes the role from an admin and ends the account's sessions. Every owner is told by mail.
 * @param by the e-mail of who asks for it; none: a command on the store's machine
 * @throws {Refusal} 404 no such admin; 409 an owner who is somebody else, the last owner or the last admin
 */
export function demote(db: Database, email: string, by?: string): Promise<void> {
  return db.transaction(async (tx) => {
    const admin = await lockedAccount(tx, email)
    if (admin?.role !== 'admin') throw new Refusal(404, 'There is no such admin')
    if (admin.owner && by !== undefined && by !== email) throw ownersOwn()
    await keepAnOwner(tx, admin)
    await keepAnAdmin(tx)
    await noteForOwners(tx, { event: 'role taken back', about: email, by })
    await tx.update(users).set({ role: 'customer', owner: false }).where(eq(users.id, admin._id))
    await tx.delete(sessions).where(eq(sessions.userId, admin._id))
  })
}

/**
 * Closes an account: its sessions end, its limits as a buyer are back and it cannot sign in again; what it ordered stays in the books. Where it was an admin, every owner is told by mail.
 * @param within what else is to be done in the same transaction, given the account's id
 * @throws {Refusal} 404 no such account; 409 oneself, an owner or the last admin; 401 who asks is an admin no more
 */
export function removeUser(
  db: Database,
  asking: { email: string },
  email: string,
  within: (tx: Database, userId: string) => Promise<void>,
): Promise<Account> {
  return db.transaction(async (tx) => {
    const account = await lockedAccount(tx, email)
    if (!(await isAdmin(tx, asking.email))) throw new Refusal(401, 'Sign in first') // removed or lowered while this call waited for the lock
    if (!account) throw noSuchAccount()
    if (email === asking.email) throw new Refusal(409, 'You cannot remove your own account')
    if (account.owner) throw ownersOwn()
    if (account.role === 'admin') {
      await keepAnAdmin(tx)
      await noteForOwners(tx, { event: 'admin removed', about: email, by: asking.email })
    }
    await tx.update(users).set({ removedAt: sql`now()`, role: 'customer', limitsLiftedAt: null }).where(eq(users.id, account._id))
    await tx.delete(sessions).where(eq(sessions.userId, account._id))
    await within(tx, account._id)
    return asTold(account)
  })
}

/**
 * Brings a removed account back, as a customer: it signs in with the password it had, and its e-mail is its own again.
 * @throws {Refusal} 404 no such account; 409 it was not removed
 */
export async function restoreUser(db: Database, email: string): Promise<Account> {
  const [back] = await db
    .update(users)
    .set({ removedAt: null })
    .where(and(eq(users.email, email), isNotNull(users.removedAt)))
    .returning(asAccount)
  if (back) return asTold(back)
  const accounts = await db.$count(users, eq(users.email, email))
  throw accounts > 0 ? new Refusal(409, 'This account was not removed') : noSuchAccount()
}

/**
 * Makes an owner, whatever there is of this e-mail: an open account, a removed one, which comes back, or none, which is made. Every owner
 * is told by mail. Only for commands on the store's machine: no call leads here.
 * @returns the generated password of an account that was made, or whose password nobody has shown to belong to the e-mail, to be shown this once
 */
export function makeOwner(db: Database, provider: SignInProvider, email: string): Promise<{ was: Before; password?: string }> {
  return db.transaction(async (tx) => {
    await lockAccounts(tx)
    const made = await ownerWith(tx, provider, { email, password: undefined })
    if (made.was !== 'owner') await noteForOwners(tx, { event: 'owner made', about: email })
    return made
  })
}

const ownersOwn = () =>
  new Refusal(
    409,
    "This account is an owner of the store: nobody else can remove it or take its role. A command on the store's machine can",
  )

/** `owner` and `verified` are said only where they matter, so that an account is spelled as the first version of the API spelled it. */
const asTold = ({ owner, verified, ...account }: AsKept): Account => ({
  ...account,
  ...(owner && { owner }),
  ...(!verified && { verified: false }),
})

async function isRemoved(db: Database, email: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.email, email), isNotNull(users.removedAt)))) > 0
}

/** Two who take each other's role at the same moment would leave none: changes that make the admins fewer come one after another. */
const lockAccounts = (tx: Database) => tx.execute(sql`lock table ${users} in share row exclusive mode`)

async function lockedAccount(tx: Database, email: string): Promise<AsKept | undefined> {
  await lockAccounts(tx)
  const [account] = await tx
    .select(asAccount)
    .from(users)
    .where(and(eq(users.email, email), open))
  return account
}

async function keepAnAdmin(tx: Database): Promise<void> {
  const admins = await tx.$count(users, and(eq(users.role, 'admin'), open))
  if (admins <= 1) throw new Refusal(409, 'This is the last admin: make another one first')
}

async function keepAnOwner(tx: Database, account: AsKept): Promise<void> {
  if (account.owner && (await tx.$count(users, eq(users.owner, true))) <= 1)
    throw new Refusal(409, 'This is the last owner: make another one first')
}

/**
 * The first start makes the first owner. While there is none, this e-mail becomes one: its account is made, or promoted if there is one, and
 * brought back if that was removed.
 * @returns the password that it generated, to be shown this once; nothing when the password was given, an owner exists or an account with a verified
 *   e-mail was promoted
 */
export function makeFirstAdmin(db: Database, provider: SignInProvider, first: { email: string; password: string | undefined }) {
  return db.transaction(async (tx) => {
    await lockAccounts(tx) // two first starts at once make one owner
    if ((await tx.$count(users, eq(users.owner, true))) > 0) return undefined
    return (await ownerWith(tx, provider, first)).password
  })
}

/** What an account was before it was made an owner. */
export type Before = 'owner' | 'admin' | 'customer' | 'removed' | 'nobody'

/** @param tx holds the lock on the accounts */
async function ownerWith(
  tx: Database,
  provider: SignInProvider,
  { email, password }: { email: string; password: string | undefined },
): Promise<{ was: Before; password?: string }> {
  const first = password ?? randomBytes(9).toString('base64url')
  const { password: passwords } = await provider.$context
  const [account] = await tx
    .select({ ...getTableColumns(users), isProven })
    .from(users)
    .where(eq(users.email, email))
  if (account) {
    const was = account.removedAt ? 'removed' : account.owner ? 'owner' : account.role
    const kept = account.owner || account.isProven
    // Whoever chose this password has never shown that the e-mail is theirs: the shop is not handed to it.
    if (!kept) await setProvenPassword(tx, account.id, await passwords.hash(first))
    const owner = { role: 'admin', owner: true, removedAt: null, emailVerified: true } as const
    await tx.update(users).set(owner).where(eq(users.id, account.id))
    return { was, ...(!kept && password === undefined && { password: first }) }
  }

  const id = crypto.randomUUID()
  await tx.insert(users).values({ id, email, name: 'Store owner', emailVerified: true, role: 'admin', owner: true })
  await tx.insert(accounts).values({
    id: crypto.randomUUID(),
    accountId: id,
    providerId: 'credential',
    userId: id,
    password: await passwords.hash(first),
    emailProvenAt: new Date(),
  })
  return { was: 'nobody', ...(password === undefined && { password: first }) }
}
