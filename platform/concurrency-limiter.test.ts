import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'
import { createHttpApp } from './http.ts'
import { trackPriorityRequests } from './request-priority.ts'

const atOnce = async () => {}

test('so many work at once, so many wait in the order in which they came, and who comes after them is refused at once', async () => {
  const places = createConcurrencyLimiter({ maxConcurrent: 2, maxQueued: 2, queueTimeoutMs: 60_000, beforeStart: atOnce })
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const begun: number[] = []
  const works = ends.map(({ promise }, nth) =>
    places.run(() => {
      begun.push(nth)
      return promise
    }, 'a'),
  )
  assert.ok(places.isFullFor('a'))
  await assert.rejects(
    places.run(async () => assert.fail('no place'), 'a'),
    { status: 503, retryAfterSeconds: 2 },
  )
  assert.deepEqual(begun, [0, 1])
  for (const nth of [1, 0, 2, 3]) {
    ends[nth]?.resolve(nth)
    assert.equal(await works[nth], nth)
  }
  assert.deepEqual(begun, [0, 1, 2, 3])
  assert.ok(!places.isFullFor('a'))
})

test('work begins when more urgent work has gone first, also where a place is free', async () => {
  const urgent = Promise.withResolvers<void>()
  const places = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 1, queueTimeoutMs: 60_000, beforeStart: () => urgent.promise })
  const begun: string[] = []
  const works = ['a', 'b'].map((name) => places.run(async () => void begun.push(name), name))
  await new Promise(setImmediate)
  assert.deepEqual(begun, [])
  urgent.resolve()
  await Promise.all(works)
  assert.deepEqual(begun, ['a', 'b'])
})

test('who has waited too long is refused, and leaves no gap in the queue', async () => {
  const places = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 1, queueTimeoutMs: 1, beforeStart: atOnce })
  const end = Promise.withResolvers<void>()
  const work = places.run(() => end.promise, 'a')
  await assert.rejects(places.run(atOnce, 'a'), { status: 503 })
  assert.ok(!places.isFullFor('a'))
  end.resolve()
  await work
})

test('after somebody has waited too long, whoever waits next gets the place that becomes free', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const places = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 2, queueTimeoutMs: 1000, beforeStart: atOnce })
  const end = Promise.withResolvers<void>()
  const work = places.run(() => end.promise, 'a')
  const refused = assert.rejects(places.run(atOnce, 'a'), { status: 503 })
  t.mock.timers.tick(600)
  const next = places.run(async () => 'next', 'b')
  t.mock.timers.tick(600)
  await refused
  end.resolve()
  await work
  t.mock.timers.tick(600)
  assert.equal(await next, 'next')
})

test('who asks for much keeps nobody else waiting: places go round among those who wait, and a full queue takes from who has most of it', async () => {
  const places = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 4, queueTimeoutMs: 60_000, beforeStart: atOnce })
  const end = Promise.withResolvers<void>()
  const order: string[] = []
  const refused: string[] = []
  const come = (name: string, by: string) =>
    places
      .run(() => {
        order.push(name)
        return end.promise
      }, by)
      .catch(({ status }) => {
        refused.push(`${name} ${status}`)
      })
  const came = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'c1'].map((name) => come(name, name.charAt(0)))
  assert.deepEqual(['a', 'b', 'c', 'd'].map(places.isFullFor), [true, true, true, false])
  end.resolve()
  await Promise.all(came)
  assert.deepEqual(refused.sort(), ['a3 503', 'a4 503', 'a5 503', 'a6 503', 'b3 503'])
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'b2'])
  await places.run(atOnce, 'a') // no place is lost
})

test('work that fails gives its place back', async () => {
  const places = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 0, queueTimeoutMs: 1, beforeStart: atOnce })
  await assert.rejects(
    places.run(() => Promise.reject(new Error('broken')), 'a'),
    /broken/,
  )
  assert.equal(await places.run(async () => 'next', 'a'), 'next')
})

test('a call that changes something or has a guard comes before a page, once it is let in; an open one with any token does not; what a page asks inside the store does not', async () => {
  const app = createHttpApp()
  const priority = trackPriorityRequests(app)
  const order: string[] = []
  const mayAnswer = Promise.withResolvers<void>()
  const isIn = Promise.withResolvers<void>()
  const slow = async () => {
    isIn.resolve()
    await mayAnswer.promise
    order.push('call')
    return {}
  }
  app.post('/order', slow)
  app.get('/shut', { onRequest: (_request, reply) => void reply.code(401).send({}), handler: () => ({}) })
  app.get('/open', () => priority.waitForPriorityRequests(60_000).then(() => ({ begun: true })))
  app.get('/inside', () => priority.waitForPriorityRequests(60_000).then(() => ({ begun: true })))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  assert.equal((await fetch(`${address}/shut`, { headers: { authorization: 'Bearer x' } })).status, 401)
  assert.equal((await fetch(`${address}/open`, { headers: { authorization: 'x' } })).status, 200)
  assert.deepEqual((await app.inject('/inside')).json(), { begun: true })
  const called = fetch(`${address}/order`, { method: 'POST' })
  await isIn.promise
  const rendered = priority.waitForPriorityRequests(60_000).then(() => order.push('page'))
  await priority.waitForPriorityRequests(1) // no longer than that
  mayAnswer.resolve()
  await Promise.all([called, rendered])
  assert.deepEqual(order, ['call', 'page'])
  await app.close()
})
