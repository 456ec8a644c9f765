import { availableParallelism } from 'node:os'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import { knownSignInLocations, sessions, signInMethods, users } from './table.ts'

/**
 * A hash occupies a core for 0.1 s, on one of libuv's four threads, which also sign cookies and resolve the database's host name.
 * Running all hashes of a burst at once would delay every request until the last hash is done, and all of them would be too late.
 * Client networks take turns. Devices that were signed in before have a place of their own: strangers who guess passwords from any number
 * of networks do not keep customers waiting.
 */
const queueLimits = { maxQueued: 100, queueTimeoutMs: 15_000, beforeStart: async () => {} }
const strangers = createConcurrencyLimiter({ ...queueLimits, maxConcurrent: Math.min(availableParallelism(), 2) })
const knownDevices = createConcurrencyLimiter({ ...queueLimits, maxConcurrent: 1 })

/** Who asks for a hash: the widest network of the client, and whether the device was signed in to the account before. */
type HashingClient = { network: string; isKnownDevice?: boolean }

/**
 * Runs work that hashes one password, when it is this client's turn. A call of the sign-in provider waits here as a whole: the provider would
 * print a refusal of its hasher on standard error, with its stack.
 * @throws {HttpError} 503 when the queue is full or the queue timeout has passed
 */
export const runPasswordHashing = <Result>(
  { network, isKnownDevice = false }: HashingClient,
  work: () => Promise<Result>,
): Promise<Result> => (isKnownDevice ? knownDevices : strangers).run(work, network)

/** better-auth's scrypt, for the sign-in provider, whose calls run in `runPasswordHashing`. */
export const unqueuedPasswordHasher = {
  hash: (password: string) => hashPassword(password),
  verify: (tried: { hash: string; password: string }) => verifyPassword(tried),
}

/** The same, a few at a time, for work that no network asks for. @throws {HttpError} as `runPasswordHashing` does */
export const passwordHasher = {
  hash: (password: string) => runPasswordHashing({ network: '' }, () => hashPassword(password)),
  verify: (tried: { hash: string; password: string }) => runPasswordHashing({ network: '' }, () => verifyPassword(tried)),
}

/** Route config of routes that hash a password: in a burst a request waits in the queue of `runPasswordHashing` first. */
export const passwordHashingRouteConfig = { responseTimeoutMs: 20_000 }

const passwordAccountOf = (userId: string) => and(eq(signInMethods.userId, userId), eq(signInMethods.providerId, 'credential'))

/**
 * The salted hash of an account's password; undefined where there is none. Each time a password is set the hash differs, even for the same
 * password. `for share` waits until a concurrent password change has committed.
 */
export async function findPasswordHash(db: Database, email: string): Promise<string | undefined> {
  const [account] = await db
    .select({ hash: signInMethods.password })
    .from(signInMethods)
    .innerJoin(users, eq(users.id, signInMethods.userId))
    .where(and(eq(users.email, email), eq(signInMethods.providerId, 'credential')))
    .for('share', { of: signInMethods })
  return account?.hash ?? undefined
}

/** Records that the holder of the account's password has proved access to the mailbox. */
export async function markPasswordChosenByOwner(db: Database, userId: string): Promise<void> {
  await db.update(signInMethods).set({ emailProvenAt: new Date() }).where(passwordAccountOf(userId))
}

/** Sets a password chosen by somebody who has proved access to the mailbox, and revokes all sessions, which may be somebody else's. */
export async function setVerifiedPassword(db: Database, userId: string, hash: string): Promise<void> {
  const set = { password: hash, emailProvenAt: new Date(), updatedAt: new Date() }
  const changed = await db.update(signInMethods).set(set).where(passwordAccountOf(userId))
  if (!changed.rowCount)
    await db.insert(signInMethods).values({ id: crypto.randomUUID(), accountId: userId, providerId: 'credential', userId, ...set })
  await revokeSessions(db, userId)
}

/**
 * Removes a password whose holder has never proved access to the mailbox, revokes the account's sessions and deletes its known sign-in
 * locations.
 * @returns false when the account has no such password
 */
export async function removeUnverifiedPassword(db: Database, userId: string): Promise<boolean> {
  const ended = await db.delete(signInMethods).where(and(passwordAccountOf(userId), isNull(signInMethods.emailProvenAt)))
  if (!ended.rowCount) return false
  await revokeSessions(db, userId)
  return true
}

/**
 * Deletes every session and every known sign-in location of an account. Call it after the password was changed, not before: a concurrent
 * sign-in compares the password hash again once its session is written.
 */
export async function revokeSessions(db: Database, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
  await db.delete(knownSignInLocations).where(eq(knownSignInLocations.userId, userId))
}
