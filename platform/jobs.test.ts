import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type pg from 'pg'
import { openTestDatabase } from '#test/test-database.ts'
import { openDatabase } from './database.ts'
import { createJobs, type Jobs, RetryItemLaterError } from './jobs.ts'

type Process = { pool: pg.Pool; jobs: Jobs }

/** Jobs of so many processes on one database, and what went wrong in them. */
async function someProcesses(count: number) {
  const { opened, connectionString, pool } = await openTestDatabase()
  await pool.query('create table work (id int primary key, done_by text, done int not null default 0)')
  const failures: string[] = []
  const processes = Array.from({ length: count }, () => {
    const own = openDatabase(connectionString, () => {}).pool
    opened.defer(() => own.end())
    const jobs = createJobs(own, (name, error) => void failures.push(`${name}: ${error instanceof Error ? error.message : error}`))
    opened.defer(() => jobs.close())
    return { pool: own, jobs }
  })
  return { pool, connectionString, processes, failures, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Does one piece of work that nobody has done or is at; false when there is none. */
async function doOne(pool: pg.Pool, by: string, meanwhile: () => Promise<void> = async () => {}): Promise<boolean> {
  const client = await pool.connect()
  client.on('error', () => {})
  let broken = true
  try {
    await client.query('begin')
    const { rows } = await client.query<{ id: number }>('select id from work where done = 0 order by id limit 1 for update skip locked')
    broken = false
    if (!rows[0]) return false
    await meanwhile()
    await client.query('update work set done = done + 1, done_by = $2 where id = $1', [rows[0].id, by])
    return true
  } finally {
    await client.query('commit').catch(() => {
      broken = true
    })
    client.release(broken)
  }
}

test('what is due is worked off once, however often and by however many processes it is looked at', async () => {
  await using house = await someProcesses(3)
  await house.pool.query('insert into work select generate_series(1, 60)')
  for (const [nth, { jobs, pool }] of house.processes.entries()) jobs.registerWorker('work', () => doOne(pool, `${nth}`))

  for (let nth = 0; nth < 10; nth++) for (const { jobs } of house.processes) jobs.wakeWorker('work')
  await Promise.all(house.processes.map(({ jobs }) => jobs.whenIdle()))

  const { rows } = await house.pool.query('select count(*)::int as all, sum(done)::int as done from work where done = 1')
  assert.deepEqual(rows, [{ all: 60, done: 60 }])
})

test('jobs that would leave no connection for their work are not started', async () => {
  await using house = await openTestDatabase()
  const { pool } = openDatabase(house.connectionString, () => {}, { maxConnections: 2 })
  const jobs = createJobs(pool, () => {})
  jobs.registerEveryMinute('first', async () => {})
  jobs.registerWorker('second', async () => false)
  assert.throws(() => jobs.start(), /2 jobs may hold a connection each: a pool of 2 leaves none for their work/)
  await jobs.close()
  await pool.end()
})

test('what is written down while a worker is at work is seen, too', async () => {
  await using house = await someProcesses(1)
  const [{ jobs, pool }] = house.processes as [Process]
  await house.pool.query('insert into work values (1)')
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let looked = 0
  jobs.registerWorker('work', async () => {
    looked++
    const found = await doOne(pool, 'it')
    if (found) return true
    begun.resolve()
    await goOn.promise // it has seen that nothing is left, and is about to say so
    return false
  })

  jobs.wakeWorker('work')
  await begun.promise
  await house.pool.query('insert into work values (2)')
  jobs.wakeWorker('work')
  jobs.wakeWorker('work')
  goOn.resolve()
  await jobs.whenIdle()

  assert.deepEqual((await house.pool.query('select id from work where done = 0')).rows, [])
  assert.equal(looked, 4, 'and wakes of one moment are one further look')
})

test('a periodic job runs in one process at a time, and in one of those that start together', async () => {
  await using house = await someProcesses(3)
  let [runs, atOnce, most] = [0, 0, 0]
  for (const { jobs } of house.processes)
    jobs.registerEveryMinute('round', async () => {
      runs++
      most = Math.max(most, ++atOnce)
      await house.pool.query('select pg_sleep(0.05)')
      atOnce--
    })

  for (const { jobs } of house.processes) jobs.start()
  await Promise.all(house.processes.map(({ jobs }) => jobs.whenIdle()))
  assert.deepEqual({ runs, most }, { runs: 1, most: 1 })

  for (let nth = 0; nth < 5; nth++) await Promise.all(house.processes.map(({ jobs }) => jobs.runAllOnce()))
  assert.equal(most, 1)
  assert.ok(runs > 5, `${runs}`)
  assert.deepEqual(house.failures, [])
})

test('when the process that is at a periodic job dies, another does it', async () => {
  await using house = await someProcesses(2)
  const [dying, living] = house.processes as [Process, Process]
  const begun = Promise.withResolvers<void>()
  const death = Promise.withResolvers<void>()
  dying.jobs.registerEveryMinute('round', async () => {
    begun.resolve()
    await death.promise
    throw new Error('killed')
  })
  let done = 0
  living.jobs.registerEveryMinute('round', async () => void done++)

  const first = dying.jobs.runAllOnce()
  await begun.promise
  await living.jobs.runAllOnce()
  assert.equal(done, 0, 'it is the other one that is at it')
  await house.pool.query(
    "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  )
  await living.jobs.runAllOnce()

  assert.equal(done, 1)
  death.resolve()
  await first
  assert.deepEqual((await house.pool.query('select name from job_runs')).rows, [{ name: 'round' }])
})

test('a process that dies at work frees it for the others at once', async () => {
  await using house = await someProcesses(2)
  const [dying, living] = house.processes as [Process, Process]
  await house.pool.query('insert into work values (1)')
  const [begun, death] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  dying.jobs.registerWorker('work', () =>
    doOne(dying.pool, 'the dying', () => {
      begun.resolve()
      return death.promise
    }),
  )
  living.jobs.registerWorker('work', () => doOne(living.pool, 'the living'))

  dying.jobs.wakeWorker('work')
  await begun.promise
  await living.jobs.runAllOnce()
  assert.deepEqual((await house.pool.query('select done from work')).rows, [{ done: 0 }], 'it is in its hands')
  await house.pool.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
  )
  await living.jobs.runAllOnce()

  assert.deepEqual((await house.pool.query('select done_by from work')).rows, [{ done_by: 'the living' }])
  death.resolve()
  await dying.jobs.whenIdle()
  assert.deepEqual((await house.pool.query('select done, done_by from work')).rows, [{ done: 1, done_by: 'the living' }])
})

test('what goes wrong is told, and tried again at the next look; other jobs go on', async () => {
  await using house = await someProcesses(1)
  const [{ jobs }] = house.processes as [Process]
  let [tries, others] = [0, 0]
  jobs.registerWorker('stubborn', async () => {
    if (++tries < 3) throw new Error('not yet')
    return false
  })
  jobs.registerEveryMinute('broken', async () => {
    throw new Error('never')
  })
  jobs.registerEveryMinute('whole', async () => void others++)

  for (let nth = 0; nth < 3; nth++) await jobs.runAllOnce()

  assert.deepEqual({ tries, others }, { tries: 3, others: 3 })
  assert.deepEqual(house.failures, ['broken: never', 'stubborn: not yet', 'broken: never', 'stubborn: not yet', 'broken: never'])
  const { rows } = await house.pool.query('select name from job_runs')
  assert.deepEqual(rows, [{ name: 'whole' }], 'a job that failed has not been done')
})

test('a job runs its steps in order, each also after one that has failed, and has failed then', async () => {
  await using house = await someProcesses(1)
  const [{ jobs }] = house.processes as [Process]
  const done: string[] = []
  const fails = async () => {
    throw new Error('never')
  }
  jobs.registerEveryMinute('one', fails, async () => void done.push('first'))
  jobs.registerEveryMinute('two', fails, fails, async () => void done.push('second'))
  await jobs.runAllOnce()
  assert.deepEqual(done, ['first', 'second'])
  assert.deepEqual(house.failures, ['one: never', 'two: 2 steps of a job have failed'])
  assert.deepEqual((await house.pool.query('select name from job_runs')).rows, [])
})

test('items that fail and are due no more are told, and what is behind them is done at the same look; a long row of them waits for the next', async () => {
  await using house = await someProcesses(1)
  const [{ jobs }] = house.processes as [Process]
  const waiting = ['bad', 'good', 'bad', 'bad', 'good']
  const done: string[] = []
  jobs.registerWorker('mixed', async () => {
    const item = waiting.shift()
    if (item === 'bad') throw new RetryItemLaterError(new Error('refused'))
    if (item) done.push(item)
    return item !== undefined
  })
  let looked = 0
  jobs.registerWorker('hopeless', async () => {
    looked++
    throw new RetryItemLaterError('away')
  })

  await jobs.runAllOnce()
  assert.deepEqual(done, ['good', 'good'])
  assert.deepEqual(house.failures.slice(0, 3), Array(3).fill('mixed: refused'))
  assert.equal(looked, 50)
  await jobs.runAllOnce()
  assert.equal(looked, 100)
})

test('a job that takes its time is still done every minute', async (t) => {
  await using house = await someProcesses(1)
  const [{ jobs }] = house.processes as [Process]
  let runs = 0
  jobs.registerEveryMinute('slow', async () => void runs++)
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())

  jobs.start()
  await jobs.whenIdle()
  // Nearly a minute later the job, which took most of it, has only just ended.
  await house.pool.query(`update job_runs set began_at = began_at - interval '55 seconds'`)
  mock.timers.tick(10_000)
  await jobs.whenIdle()

  assert.equal(runs, 2)
})

test('closing waits for what is under way and begins nothing more', async () => {
  await using house = await someProcesses(1)
  const [{ jobs, pool }] = house.processes as [Process]
  await house.pool.query('insert into work select generate_series(1, 3)')
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  jobs.registerWorker('work', () =>
    doOne(pool, 'it', () => {
      begun.resolve()
      return goOn.promise
    }),
  )

  jobs.wakeWorker('work')
  await begun.promise
  let closed = false
  const closing = jobs.close().then(() => {
    closed = true
  })
  await house.pool.query('select 1')
  assert.equal(closed, false)
  goOn.resolve()
  await closing
  jobs.wakeWorker('work')
  await jobs.runAllOnce()

  assert.deepEqual((await house.pool.query('select count(*)::int as done from work where done = 1')).rows, [{ done: 1 }])
})
