import { availableParallelism } from 'node:os'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { openPlaces } from '#platform/places.ts'
import { accounts, knownPlaces, sessions, users } from './table.ts'

/**
 * A hash takes a core for a tenth of a second, on one of the four threads that also sign cookies and look up the database's address. All
 * of them at once would let each request of a rush wait for the last hash, and the whole rush be answered too late.
 */
const hashing = openPlaces({ places: Math.min(availableParallelism(), 3), queue: 100, waitMs: 15_000, before: async () => {} })

/** scrypt as better-auth has it, a few at a time. Throws a Refusal with 503 when too many are waiting, or when this one has waited too long. */
export const passwordHashes = {
  hash: (password: string) => hashing.run(() => hashPassword(password)),
  verify: (tried: { hash: string; password: string }) => hashing.run(() => verifyPassword(tried)),
}

const ownPassword = (userId: string) => and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential'))

/**
 * The salted hash of an account's password, another one each time a password is set; undefined where there is none. Waits for a change that
 * is being committed.
 */
export async function currentHash(db: Database, email: string): Promise<string | undefined> {
  const [account] = await db
    .select({ hash: accounts.password })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(users.email, email), eq(accounts.providerId, 'credential')))
    .for('share', { of: accounts })
  return account?.hash ?? undefined
}

/** Whoever holds the account's password has shown that the mailbox is theirs, too. */
export async function markProven(db: Database, userId: string): Promise<void> {
  await db.update(accounts).set({ emailProvenAt: new Date() }).where(ownPassword(userId))
}

/** Sets the password of whoever has shown that the mailbox of this account is theirs, and ends what others may have had of it. */
export async function setProvenPassword(db: Database, userId: string, hash: string): Promise<void> {
  const set = { password: hash, emailProvenAt: new Date(), updatedAt: new Date() }
  const changed = await db.update(accounts).set(set).where(ownPassword(userId))
  if (!changed.rowCount)
    await db.insert(accounts).values({ id: crypto.randomUUID(), accountId: userId, providerId: 'credential', userId, ...set })
  await endAccess(db, userId)
}

/**
 * Takes away a password of which nobody has shown that its holder has the mailbox, ends the account's sessions and forgets its places.
 * @returns false where there is none
 */
export async function endUnprovenPassword(db: Database, userId: string): Promise<boolean> {
  const ended = await db.delete(accounts).where(and(ownPassword(userId), isNull(accounts.emailProvenAt)))
  if (!ended.rowCount) return false
  await endAccess(db, userId)
  return true
}

/**
 * Ends every session of an account and forgets the places that it was signed in from. After the password was changed, not before: a sign-in
 * that overlaps compares the password again once its session is written.
 */
export async function endAccess(db: Database, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
  await db.delete(knownPlaces).where(eq(knownPlaces.userId, userId))
}
