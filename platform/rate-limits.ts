/*
 * Not a library, see docs/decisions/0007: better-auth and @fastify/rate-limit count clients alone, and rate-limiter-flexible counts in
 * PostgreSQL by the client that it was created with, so that no count could be part of a caller's transaction.
 */

import { eq, inArray, sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { clientNetworks } from './client-network.ts'
import { type Database, executePrepared, isTransaction } from './database.ts'
import { HttpError } from './http-error.ts'

/** Attempts per rate-limited key. Stored in the database, so that all processes share the counts and they survive a restart. */
export const rateLimits = pgTable(
  'limits',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('limits_by_end').on(table.endsAt)],
)

/** At most `max` attempts within `seconds` of the first one. */
export type RateLimitWindow = { max: number; seconds: number }

/**
 * Counts an attempt under this key. After `window.max` attempts, further ones fail until the window ends.
 * @param what was done too often, for the error message
 * @throws {HttpError} 429, with the time until the next attempt is allowed
 */
export async function enforceRateLimit(db: Database, key: string, window: RateLimitWindow, what = 'Too many tries'): Promise<void> {
  const { count, secondsLeft } = await countOrRecall(db, key, window)
  if (count > window.max) throw tooManyRequestsError(what, secondsLeft)
}

/** Counts an attempt under this key, for work that is silently skipped when the limit is exceeded. */
export async function isWithinRateLimit(db: Database, key: string, window: RateLimitWindow): Promise<boolean> {
  const { count } = await countOrRecall(db, key, window)
  return count <= window.max
}

/** Adds to the count under this key, for what is not limited. Returns the count, whose window begins with what was first added. */
export async function addToCount(db: Database, key: string, { seconds, added }: { seconds: number; added: number }): Promise<number> {
  const { count } = await countAttempts(db, key, { seconds, added })
  return count
}

/**
 * Counts an attempt for the networks of this address (`clientNetworks`). A refused attempt counts no wider than where it was refused, so one
 * /64 does not use up the limit of its neighbours.
 * @param what is limited, as the beginning of the keys
 * @throws {HttpError} 429
 */
export async function enforceNetworkRateLimit(db: Database, what: string, address: string, window: RateLimitWindow): Promise<void> {
  for (const { network, factor } of clientNetworks(address))
    await enforceRateLimit(db, networkKey(what, network), { ...window, max: window.max * factor })
}

/**
 * Refuses an attempt of `enforceNetworkRateLimit` that this process knows to be over the limit, without a query: call it before the attempt
 * waits for a place.
 * @throws {HttpError} 429
 */
export function refuseRateLimitedNetwork(db: Database, what: string, address: string, window: RateLimitWindow): void {
  for (const { network, factor } of clientNetworks(address)) {
    const known = recall(db, networkKey(what, network), window.max * factor)
    if (known && !known.isCheckDue) throw tooManyRequestsError('Too many tries', known.secondsLeft)
  }
}

/** Subtracts one attempt counted by `enforceNetworkRateLimit`. */
export async function undoNetworkRateLimitAttempt(db: Database, what: string, address: string): Promise<void> {
  for (const { network } of clientNetworks(address)) await undoRateLimitAttempt(db, networkKey(what, network))
}

const networkKey = (what: string, network: string) => `${what} from ${network}`

type ExhaustedKey = { count: number; endsAt: number; nextCheckAt: number }

/**
 * The keys over their limit, as this process last saw them, with times of `performance.now()`. Without them a client that keeps asking would
 * update its one row again and again, and the statements that wait for that row would take all connections. Once a second one attempt asks
 * the database, because another process may have reset the limit. Kept per database, since a process of the tests has several.
 */
const exhaustedKeys = new WeakMap<Database, Map<string, ExhaustedKey>>()
const checkEveryMs = 1000
const maxExhaustedKeys = 10_000

/** @returns undefined when the key is not known to be over this limit */
function recall(db: Database, key: string, max: number): { count: number; secondsLeft: number; isCheckDue: boolean } | undefined {
  const known = exhaustedKeys.get(db)?.get(key)
  const now = performance.now()
  if (!known || known.count <= max || known.endsAt <= now) return undefined
  return { count: known.count, secondsLeft: Math.ceil((known.endsAt - now) / 1000), isCheckDue: known.nextCheckAt <= now }
}

function remember(db: Database, key: string, { count, secondsLeft }: { count: number; secondsLeft: number }) {
  const keys = exhaustedKeys.get(db) ?? new Map<string, ExhaustedKey>()
  exhaustedKeys.set(db, keys)
  const now = performance.now()
  keys.delete(key) // the oldest stands first
  keys.set(key, { count, endsAt: now + secondsLeft * 1000, nextCheckAt: now + checkEveryMs })
  for (const oldest of keys.keys()) if (keys.size > maxExhaustedKeys) keys.delete(oldest)
}

/** Forgets what this process knows of limits that are exceeded, where somebody has changed the table itself. */
export const clearExhaustedKeyCache = (db: Database) => void exhaustedKeys.delete(db)

async function countOrRecall(db: Database, key: string, window: RateLimitWindow): Promise<{ count: number; secondsLeft: number }> {
  const known = recall(db, key, window.max)
  if (known && !known.isCheckDue) return known
  if (known) remember(db, key, known) // others are refused while this attempt asks the database
  const counted = await countAttempts(db, key, { seconds: window.seconds, added: 1 })
  if (counted.count > window.max) remember(db, key, counted)
  else exhaustedKeys.get(db)?.delete(key)
  return counted
}

/**
 * Counts in a single statement, so that no two concurrent attempts get the same count.
 * @returns the count and the seconds until the window ends
 */
async function countAttempts(
  db: Database,
  key: string,
  { seconds, added }: { seconds: number; added: number },
): Promise<{ count: number; secondsLeft: number }> {
  const isExpired = sql`${rateLimits.endsAt} < now()`
  // The commit of a count alone does not wait for the disk: a crash of the machine may forget those of its last second.
  const commitsAtOnce = isTransaction(db) ? sql`true` : sql`set_config('synchronous_commit', 'off', true) = 'off'`
  const [counted] = await executePrepared<{ count: number; secondsLeft: number }>(
    db,
    sql`insert into ${rateLimits} (key, count, ends_at)
      select ${key}::text, ${added}::integer, now() + make_interval(secs => ${seconds}::float8) where ${commitsAtOnce}
      on conflict (key) do update set
        count = case when ${isExpired} then excluded.count else ${rateLimits.count} + excluded.count end,
        ends_at = case when ${isExpired} then excluded.ends_at else ${rateLimits.endsAt} end
      returning count, ceil(extract(epoch from ends_at - now()))::integer as "secondsLeft"`,
  )
  if (!counted) throw new Error('The count was not returned')
  if (counted.count === added) {
    // Skips locked rows, so that it never waits for another transaction.
    const expired = db.select({ key: rateLimits.key }).from(rateLimits).where(isExpired).for('update', { skipLocked: true })
    await db.delete(rateLimits).where(inArray(rateLimits.key, expired))
  }
  return counted
}

/** The 429 error for an exceeded rate limit, with the time to wait. */
export function tooManyRequestsError(what: string, secondsLeft: number): HttpError {
  const seconds = Math.max(secondsLeft, 1)
  const wait =
    seconds > 2 * 3600 ? `${Math.ceil(seconds / 3600)} hours` : seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new HttpError(429, `${what}: wait ${wait}, then try again`, undefined, { retryAfterSeconds: seconds })
}

/** Deletes the count under this key, for a user who should not wait because of the attempts of others. */
export async function resetRateLimit(db: Database, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key))
  exhaustedKeys.get(db)?.delete(key)
}

/** Subtracts one attempt that turned out to be legitimate. */
export async function undoRateLimitAttempt(db: Database, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(eq(rateLimits.key, key))
  exhaustedKeys.get(db)?.delete(key)
}
