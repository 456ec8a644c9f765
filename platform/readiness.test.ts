import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadinessCheck } from './readiness.ts'

test('however many ask whether the store is ready, the database is asked once a second', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const checks: PromiseWithResolvers<void>[] = []
  const isReady = createReadinessCheck(() => {
    const check = Promise.withResolvers<void>()
    checks.push(check)
    return check.promise
  })
  const ask = () => Promise.allSettled(Array.from({ length: 800 }, isReady))

  const first = ask()
  now += 5000
  const meanwhile = ask() // the database has not answered yet
  checks[0]?.resolve()
  for (const { status } of [...(await first), ...(await meanwhile), ...(await ask())]) assert.equal(status, 'fulfilled')
  assert.equal(checks.length, 1)

  now += 1000
  const failing = ask()
  checks[1]?.reject(new Error('The database is away'))
  for (const { status } of [...(await failing), ...(await ask())]) assert.equal(status, 'rejected')
  assert.equal(checks.length, 2)

  now += 1000
  const again = ask()
  checks[2]?.resolve()
  for (const { status } of await again) assert.equal(status, 'fulfilled')
})
