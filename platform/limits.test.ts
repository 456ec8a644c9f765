import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { anEmptyHouse } from '#test/changes.ts'
import { isWithinLimit, limit, limits, networkOf, takeBackTry, tooMany } from './limits.ts'
import { Refusal } from './refusal.ts'

const tenAMinute = { most: 10, seconds: 60 }

test('of a hundred tries at once as many come through as are allowed, and none more', async () => {
  await using house = await anEmptyHouse()
  const tries = (key: string) => Array.from({ length: 100 }, () => limit(house.db, key, tenAMinute))

  const [ones, others] = await Promise.all([Promise.allSettled(tries('one')), Promise.allSettled(tries('another'))])

  for (const all of [ones, others]) {
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 10)
    for (const tried of all)
      if (tried.status === 'rejected') {
        assert.ok(tried.reason instanceof Refusal, String(tried.reason))
        assert.equal(tried.reason.status, 429)
      }
  }
})

test('whoever tried too often hears how long to wait', async () => {
  await using house = await anEmptyHouse()
  const refused = async (seconds: number) => {
    const key = `${seconds}`
    await limit(house.db, key, { most: 1, seconds })
    const again = await limit(house.db, key, { most: 1, seconds }).catch((error: Refusal) => error)
    assert.ok(again instanceof Refusal)
    return again
  }

  const soon = await refused(60)
  assert.match(soon.message, /^Too many tries: wait (60|5\d) seconds, then try again$/)
  assert.ok((soon.retryAfterSeconds ?? 0) > 50 && (soon.retryAfterSeconds ?? 0) <= 60)
  const later = await refused(3600)
  assert.equal(later.message, 'Too many tries: wait 60 minutes, then try again')
  assert.equal((await refused(24 * 3600)).message, 'Too many tries: wait 24 hours, then try again')
  assert.equal(tooMany('Too many tries', 2 * 3600).message, 'Too many tries: wait 120 minutes, then try again')
})

test('a window ends when it was said to end, however often one tried meanwhile, and then counts anew', async () => {
  await using house = await anEmptyHouse()
  const tries = (count: number) => Promise.allSettled(Array.from({ length: count }, () => limit(house.db, 'key', tenAMinute)))
  const window = async () => (await house.db.select().from(limits).where(eq(limits.key, 'key')))[0]
  await tries(1)
  const begun = await window()
  await tries(30)
  assert.deepEqual((await window())?.endsAt, begun?.endsAt, 'no try makes it longer')

  await house.db.update(limits).set({ endsAt: new Date(Date.now() - 1000) })

  const anew = await tries(11)
  assert.equal(anew.filter(({ status }) => status === 'fulfilled').length, 10)
})

test('what is limited without a refusal is told, and a try that is taken back makes room for another', async () => {
  await using house = await anEmptyHouse()
  const tries = async (count: number) => {
    const told: boolean[] = []
    for (let nth = 0; nth < count; nth++) told.push(await isWithinLimit(house.db, 'key', { most: 2, seconds: 60 }))
    return told
  }
  assert.deepEqual(await tries(2), [true, true])
  await takeBackTry(house.db, 'key')
  await takeBackTry(house.db, 'another')
  assert.deepEqual(await tries(2), [true, false])
})

test('windows that have ended are forgotten', async () => {
  await using house = await anEmptyHouse()
  for (let nth = 0; nth < 20; nth++) await limit(house.db, `old ${nth}`, tenAMinute)
  await limit(house.db, 'running', tenAMinute)
  await house.db
    .update(limits)
    .set({ endsAt: new Date(Date.now() - 1000) })
    .where(eq(limits.key, 'old 1'))

  await limit(house.db, 'new', tenAMinute)

  const keys = (await house.db.select().from(limits)).map(({ key }) => key)
  assert.equal(keys.length, 21)
  assert.ok(!keys.includes('old 1'))
})

test('who tries for the first time waits for nobody who holds a window that has ended', async () => {
  await using house = await anEmptyHouse()
  await limit(house.db, 'old', tenAMinute)
  await house.db.update(limits).set({ endsAt: new Date(Date.now() - 1000) })

  await house.db.transaction(async (tx) => {
    await takeBackTry(tx, 'old')
    await limit(house.db, 'new', tenAMinute)
  })

  assert.deepEqual((await house.db.select().from(limits)).map(({ key }) => key).sort(), ['new', 'old'])
})

test('an IPv6 customer counts as one with all addresses of the /64, and as another than the neighbour', () => {
  const one = '2001:db8:1:2::/64'
  for (const address of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0:0:0:9',
    '2001:db8:1:2:3::',
    '2001:db8:1:2::%eth0',
  ])
    assert.equal(networkOf(address), one, address)
  for (const [address, network] of [
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:0:0:0:1', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%lo', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ] as const)
    assert.equal(networkOf(address), network, address)
})

test('an IPv4 address stands for itself, also when it comes as IPv6', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7']) assert.equal(networkOf(address), '192.0.2.7', address)
  assert.notEqual(networkOf('::ffff:192.0.2.8'), networkOf('::ffff:192.0.2.7'))
})
