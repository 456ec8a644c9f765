import { eq, inArray, sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'
import { Refusal } from './refusal.ts'

/** How often something was tried, for each thing that is limited. In the database, so that every process counts the same and a restart forgets nothing. */
export const limits = pgTable(
  'limits',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('limits_by_end').on(table.endsAt)],
)

/** How many tries there may be from the first one on, until `seconds` have passed. */
export type Window = { most: number; seconds: number }

/**
 * Counts one more try under this key. After `most` tries the others of the window are refused, until it ends; nothing is locked for good.
 * @param what was done too often, in the words of the refusal
 * @throws {Refusal} 429, saying when to try again
 */
export async function limit(db: Database, key: string, window: Window, what = 'Too many tries'): Promise<void> {
  const { count, left } = await countTry(db, key, window)
  if (count > window.most) throw tooMany(what, left)
}

/** Counts one more try under this key, for what is left undone, without a refusal, once there were too many. */
export async function isWithinLimit(db: Database, key: string, window: Window): Promise<boolean> {
  const { count } = await countTry(db, key, window)
  return count <= window.most
}

/** In one statement: however many come at once, no two see the same count. @returns the count, and the seconds until the window ends */
async function countTry(db: Database, key: string, { seconds }: Window): Promise<{ count: number; left: number }> {
  const over = sql`${limits.endsAt} < now()`
  const ends = sql`now() + make_interval(secs => ${seconds})`
  const [counted] = await db
    .insert(limits)
    .values({ key, count: 1, endsAt: ends })
    .onConflictDoUpdate({
      target: limits.key,
      set: {
        count: sql`case when ${over} then 1 else ${limits.count} + 1 end`,
        endsAt: sql`case when ${over} then ${ends} else ${limits.endsAt} end`,
      },
    })
    .returning({ count: limits.count, left: sql<number>`ceil(extract(epoch from ${limits.endsAt} - now()))::integer` })
  if (!counted) throw new Error('The count was not returned')
  if (counted.count === 1) {
    const ended = db.select({ key: limits.key }).from(limits).where(over).for('update', { skipLocked: true }) // waits for nobody's transaction
    await db.delete(limits).where(inArray(limits.key, ended))
  }
  return counted
}

/** The refusal of whoever has done too much of something, with how long to wait. */
export function tooMany(what: string, secondsLeft: number): Refusal {
  const seconds = Math.max(secondsLeft, 1)
  const wait =
    seconds > 2 * 3600 ? `${Math.ceil(seconds / 3600)} hours` : seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new Refusal(429, `${what}: wait ${wait}, then try again`, undefined, { retryAfterSeconds: seconds })
}

/** Forgets what was counted under this key, for somebody who need not wait for what others have tried. */
export async function forgetTries(db: Database, key: string): Promise<void> {
  await db.delete(limits).where(eq(limits.key, key))
}

/** Takes back one try, of somebody who turned out to have been right. */
export async function takeBackTry(db: Database, key: string): Promise<void> {
  await db
    .update(limits)
    .set({ count: sql`greatest(${limits.count} - 1, 0)` })
    .where(eq(limits.key, key))
}

/** The network that a client's address stands for: an IPv6 customer has a whole /64 to choose from and counts as one. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const groups = head ? head.split(':') : []
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
