import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventLoopThrottle } from './event-loop-throttle.ts'

/** Keeps the process for so long. */
function busy(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('what is over the share of a turn waits for the next, so that others come between, and all of it is done in its order', async () => {
  const turns = createEventLoopThrottle({ budgetMsPerTurn: 2, maxQueued: 10, queueTimeoutMs: 60_000 })
  const order: string[] = []
  const works = ['a', 'b', 'c'].map((name) =>
    turns.run(() => {
      busy(3)
      order.push(name)
    }, 'a'),
  )
  const other = new Promise<void>((done) => setImmediate(() => done(void order.push('other'))))
  await Promise.all([...works, other])
  assert.equal(order[0], 'a')
  assert.deepEqual(
    order.filter((name) => name !== 'other'),
    ['a', 'b', 'c'],
  )
  assert.ok(order.indexOf('other') < order.indexOf('c'), order.join())
})

test('who comes when enough wait is refused at once, who has waited too long is refused too, and what fails tells who asked', async () => {
  const full = createEventLoopThrottle({ budgetMsPerTurn: 1, maxQueued: 1, queueTimeoutMs: 60_000 })
  await full.run(() => busy(2), 'a')
  const waiting = full.run(() => 'waited', 'a')
  await assert.rejects(
    full.run(() => 'more', 'a'),
    { status: 503, retryAfterSeconds: 2 },
  )
  assert.equal(await waiting, 'waited')

  const late = createEventLoopThrottle({ budgetMsPerTurn: 1, maxQueued: 5, queueTimeoutMs: 0 })
  await late.run(() => busy(2), 'a')
  await assert.rejects(
    late.run(() => 'late', 'a'),
    { status: 503 },
  )
  const broken = () => {
    throw new Error('broken')
  }
  await assert.rejects(late.run(broken, 'a'), /broken/)
})

test('who asks for much keeps nobody else waiting: clients take turns, and a full queue takes from who has most of it', async () => {
  const turns = createEventLoopThrottle({ budgetMsPerTurn: 1, maxQueued: 4, queueTimeoutMs: 60_000 })
  const order: string[] = []
  const refused: string[] = []
  const come = (name: string) =>
    turns
      .run(() => {
        busy(2)
        order.push(name)
      }, name.charAt(0))
      .catch(({ status }) => {
        refused.push(`${name} ${status}`)
      })
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1'].map(come))
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3'])
  assert.deepEqual(refused.sort(), ['a4 503', 'a5 503', 'a6 503'])
})
