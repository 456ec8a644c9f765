import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Account } from './contract.ts'
import type { SignInProvider } from './provider.ts'
import { accounts, sessions, users } from './table.ts'

/** Is this account an admin? An address without an account is not. */
export async function isAdmin(db: Database, email: string): Promise<boolean> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email))
  return user?.role === 'admin'
}

const asAccount = { _id: users.id, email: users.email, role: users.role }
const open = isNull(users.removedAt)
const noSuchAccount = () => new Refusal(404, 'There is no such account')

/** Every account that can sign in, oldest first. */
export const listAccounts = (db: Database): Promise<Account[]> =>
  db.select(asAccount).from(users).where(open).orderBy(asc(users.createdAt), asc(users.email))

/**
 * Makes an account an admin. Its sessions go on: the next call of each is an admin's.
 * @returns how many accounts were changed: 0 where it was an admin already
 * @throws {Refusal} 404 no such account
 */
export async function makeAdmin(db: Database, email: string): Promise<number> {
  const made = await db
    .update(users)
    .set({ role: 'admin' })
    .where(and(eq(users.email, email), eq(users.role, 'customer'), open))
  if (made.rowCount === 0 && !(await isAdmin(db, email))) throw noSuchAccount()
  return made.rowCount ?? 0
}

/**
 * Takes the role from an admin and ends the account's sessions.
 * @throws {Refusal} 404 no such admin; 409 it is the last one
 */
export function demote(db: Database, email: string): Promise<void> {
  return db.transaction(async (tx) => {
    const admin = await lockedAccount(tx, email)
    if (admin?.role !== 'admin') throw new Refusal(404, 'There is no such admin')
    await keepAnAdmin(tx)
    await tx.update(users).set({ role: 'customer' }).where(eq(users.id, admin._id))
    await tx.delete(sessions).where(eq(sessions.userId, admin._id))
  })
}

/**
 * Closes an account: its sessions end and it cannot sign in again; what it ordered stays in the books.
 * @throws {Refusal} 404 no such account; 409 oneself, or the last admin
 */
export function removeUser(db: Database, asking: { email: string }, email: string): Promise<Account> {
  return db.transaction(async (tx) => {
    const account = await lockedAccount(tx, email)
    if (!account) throw noSuchAccount()
    if (email === asking.email) throw new Refusal(409, 'You cannot remove your own account')
    if (account.role === 'admin') await keepAnAdmin(tx)
    await tx.update(users).set({ removedAt: sql`now()`, role: 'customer' }).where(eq(users.id, account._id))
    await tx.delete(sessions).where(eq(sessions.userId, account._id))
    return account
  })
}

/** Two who take each other's role at the same moment would leave none: changes that make the admins fewer come one after another. */
async function lockedAccount(tx: Database, email: string): Promise<Account | undefined> {
  await tx.execute(sql`lock table ${users} in share row exclusive mode`)
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

/**
 * The first start makes the first admin: while there is none, this e-mail is made one, or promoted if it has an account.
 * @returns the password that it generated, to be shown this once; nothing when the password was given, an admin exists or one was promoted
 */
export function makeFirstAdmin(db: Database, provider: SignInProvider, first: { email: string; password: string | undefined }) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`) // two first starts at once make one admin
    const admins = await tx.$count(users, eq(users.role, 'admin'))
    if (admins > 0) return undefined

    const promoted = await tx.update(users).set({ role: 'admin', emailVerified: true }).where(eq(users.email, first.email))
    if (promoted.rowCount) return undefined

    const password = first.password ?? randomBytes(9).toString('base64url')
    const id = crypto.randomUUID()
    const { password: passwords } = await provider.$context
    await tx.insert(users).values({ id, email: first.email, name: 'Store owner', emailVerified: true, role: 'admin' })
    await tx
      .insert(accounts)
      .values({ id: crypto.randomUUID(), accountId: id, providerId: 'credential', userId: id, password: await passwords.hash(password) })
    return first.password ? undefined : password
  })
}
