import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { openTestDatabase } from '#test/test-database.ts'
import type { Database } from './database.ts'
import { HttpError } from './http-error.ts'
import {
  clearExhaustedKeyCache,
  enforceNetworkRateLimit,
  enforceRateLimit,
  isWithinRateLimit,
  rateLimits,
  refuseRateLimitedNetwork,
  resetRateLimit,
  tooManyRequestsError,
  undoNetworkRateLimitAttempt,
  undoRateLimitAttempt,
} from './rate-limits.ts'

const tenAMinute = { max: 10, seconds: 60 }

test('of a hundred tries at once as many come through as are allowed, and none more', async () => {
  await using house = await openTestDatabase()
  const tries = (key: string) => Array.from({ length: 100 }, () => enforceRateLimit(house.db, key, tenAMinute))

  const [ones, others] = await Promise.all([Promise.allSettled(tries('one')), Promise.allSettled(tries('another'))])

  for (const all of [ones, others]) {
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 10)
    for (const tried of all)
      if (tried.status === 'rejected') {
        assert.ok(tried.reason instanceof HttpError, String(tried.reason))
        assert.equal(tried.reason.status, 429)
      }
  }
})

test('whoever tried too often hears how long to wait', async () => {
  await using house = await openTestDatabase()
  const refused = async (seconds: number) => {
    const key = `${seconds}`
    await enforceRateLimit(house.db, key, { max: 1, seconds })
    const again = await enforceRateLimit(house.db, key, { max: 1, seconds }).catch((error: HttpError) => error)
    assert.ok(again instanceof HttpError)
    return again
  }

  const soon = await refused(60)
  assert.match(soon.message, /^Too many tries: wait (60|5\d) seconds, then try again$/)
  assert.ok((soon.retryAfterSeconds ?? 0) > 50 && (soon.retryAfterSeconds ?? 0) <= 60)
  const later = await refused(3600)
  assert.equal(later.message, 'Too many tries: wait 60 minutes, then try again')
  assert.equal((await refused(24 * 3600)).message, 'Too many tries: wait 24 hours, then try again')
  assert.equal(tooManyRequestsError('Too many tries', 2 * 3600).message, 'Too many tries: wait 120 minutes, then try again')
})

test('a window ends when it was said to end, however often one tried meanwhile, and then counts anew', async () => {
  await using house = await openTestDatabase()
  const tries = (count: number) => Promise.allSettled(Array.from({ length: count }, () => enforceRateLimit(house.db, 'key', tenAMinute)))
  const window = async () => (await house.db.select().from(rateLimits).where(eq(rateLimits.key, 'key')))[0]
  await tries(1)
  const begun = await window()
  await tries(30)
  assert.deepEqual((await window())?.endsAt, begun?.endsAt, 'no try makes it longer')

  await house.db.update(rateLimits).set({ endsAt: new Date(Date.now() - 1000) })
  clearExhaustedKeyCache(house.db)

  const anew = await tries(11)
  assert.equal(anew.filter(({ status }) => status === 'fulfilled').length, 10)
})

test('what is limited without a refusal is told, and a try that is taken back makes room for another', async () => {
  await using house = await openTestDatabase()
  const tries = async (count: number) => {
    const told: boolean[] = []
    for (let nth = 0; nth < count; nth++) told.push(await isWithinRateLimit(house.db, 'key', { max: 2, seconds: 60 }))
    return told
  }
  assert.deepEqual(await tries(2), [true, true])
  await undoRateLimitAttempt(house.db, 'key')
  await undoRateLimitAttempt(house.db, 'another')
  assert.deepEqual(await tries(2), [true, false])
})

test('windows that have ended are forgotten', async () => {
  await using house = await openTestDatabase()
  for (let nth = 0; nth < 20; nth++) await enforceRateLimit(house.db, `old ${nth}`, tenAMinute)
  await enforceRateLimit(house.db, 'running', tenAMinute)
  await house.db
    .update(rateLimits)
    .set({ endsAt: new Date(Date.now() - 1000) })
    .where(eq(rateLimits.key, 'old 1'))

  await enforceRateLimit(house.db, 'new', tenAMinute)

  const keys = (await house.db.select().from(rateLimits)).map(({ key }) => key)
  assert.equal(keys.length, 21)
  assert.ok(!keys.includes('old 1'))
})

test('who tries for the first time waits for nobody who holds a window that has ended', async () => {
  await using house = await openTestDatabase()
  await enforceRateLimit(house.db, 'old', tenAMinute)
  await house.db.update(rateLimits).set({ endsAt: new Date(Date.now() - 1000) })

  await house.db.transaction(async (tx) => {
    await undoRateLimitAttempt(tx, 'old')
    await enforceRateLimit(house.db, 'new', tenAMinute)
  })

  assert.deepEqual((await house.db.select().from(rateLimits)).map(({ key }) => key).sort(), ['new', 'old'])
})

/** How many connections are taken from the pool meanwhile. */
async function countQueries(pool: { on(event: 'acquire', listener: () => void): unknown }, work: () => Promise<unknown>): Promise<number> {
  let queries = 0
  pool.on('acquire', () => queries++)
  await work()
  return queries
}

test('a network that goes on after its limit is refused without the database, and asks it again when the limit may have been reset', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  await using house = await openTestDatabase()
  const attempt = () => enforceRateLimit(house.db, 'key', tenAMinute)
  for (let nth = 0; nth < 11; nth++) await attempt().catch(() => {})

  const inTheSameSecond = await countQueries(house.pool, async () => {
    const tried = await Promise.allSettled(Array.from({ length: 500 }, attempt))
    for (const refused of tried) {
      assert.ok(refused.status === 'rejected' && refused.reason instanceof HttpError)
      assert.deepEqual([refused.reason.status, refused.reason.retryAfterSeconds], [429, 60])
    }
  })
  assert.equal(inTheSameSecond, 0)
  t.diagnostic(`500 attempts after the limit: ${inTheSameSecond} queries`)

  now += 500
  await assert.rejects(attempt(), { status: 429, retryAfterSeconds: 60 })
  now += 500
  assert.equal(await countQueries(house.pool, () => Promise.allSettled(Array.from({ length: 500 }, attempt))), 1)

  await house.db.delete(rateLimits) // by another process
  await assert.rejects(attempt(), { status: 429 })
  now += 1000
  await attempt()
  await attempt()

  for (let nth = 0; nth < 9; nth++) await attempt().catch(() => {})
  await assert.rejects(attempt(), { status: 429 })
  await enforceRateLimit(house.db, 'key', { max: 100, seconds: 60 })
  await resetRateLimit(house.db, 'key')
  await attempt()
})

test('whoever has many /64s of IPv6 comes to an end at the /56 and the /48, and one of them uses up nothing of its neighbours', async () => {
  await using house = await openTestDatabase()
  const accepted = async (addresses: string[]) => {
    const tried = await Promise.allSettled(addresses.map((address) => enforceNetworkRateLimit(house.db, 'try', address, tenAMinute)))
    return tried.filter(({ status }) => status === 'fulfilled').length
  }
  const many = <T>(count: number, make: (nth: number) => T) => Array.from({ length: count }, (_, nth) => make(nth))
  assert.equal(await accepted(many(60, () => '2001:db8:1:1::9')), 10)
  assert.equal(await accepted(many(60, (nth) => `2001:db8:1:${(2 + nth).toString(16)}::9`)), 30, 'the rest of its /56')
  assert.equal(
    await accepted(many(300, (nth) => `2001:db8:1:${(0x100 + (nth % 250) * 0x100).toString(16)}::9`)),
    120,
    'the rest of its /48',
  )
  assert.throws(() => refuseRateLimitedNetwork(house.db, 'try', '2001:db8:1:ff00::1', tenAMinute), { status: 429 })
  refuseRateLimitedNetwork(house.db, 'another', '2001:db8:1:ff00::1', tenAMinute)
  assert.equal(await accepted(['2001:db8:2:1::9']), 1)
  assert.equal(await accepted(many(20, () => '192.0.2.7')), 10)

  await undoNetworkRateLimitAttempt(house.db, 'other try', '2001:db8:3:1::9')
  await enforceNetworkRateLimit(house.db, 'try', '2001:db8:3:1::9', { max: 1, seconds: 60 })
  await undoNetworkRateLimitAttempt(house.db, 'try', '2001:db8:3:1::9')
  assert.deepEqual(
    (await house.db.select().from(rateLimits)).filter(({ key }) => key.includes(':db8:3:')).map(({ count }) => count),
    [0, 0, 0],
  )
})

test('what a transaction does beside counting is on the disk when it ends: only a count alone does not wait for that', async () => {
  await using house = await openTestDatabase()
  const setting = async (db: Database) => (await db.execute<{ synchronous_commit: string }>(sql`show synchronous_commit`)).rows[0]
  const inside = await house.db.transaction(async (tx) => {
    await tx.execute(sql`set local synchronous_commit = 'remote_apply'`) // the server of the tests has it off
    await enforceRateLimit(tx, 'inside', tenAMinute)
    return setting(tx)
  })
  assert.deepEqual(inside, { synchronous_commit: 'remote_apply' })
})
