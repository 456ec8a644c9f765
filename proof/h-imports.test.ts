import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { sql } from 'drizzle-orm'
import { currentDefinitions } from '#store/catalogue/definitions/current-definitions.ts'
import { createMender } from '#store/catalogue/definitions/mend-values.ts'
import { users } from '#store/identity/table.ts'
import { Import } from '#store/imports/contract.ts'
import { processDueImport } from '#store/imports/due-imports.ts'
import { Findings } from '#store/imports/findings.ts'
import { ReaderCrashedError } from '#store/imports/parse-in-worker.ts'
import { parseProducts } from '#store/imports/parse-products.ts'
import { storeUpload } from '#store/imports/uploads.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { isFullRun, sampleSize } from './full-run.ts'

/**
 * Sends a file as the screen does and waits until the store has read it. Tells how long nothing else could be done meanwhile.
 * @returns `ownShare`: of the processor time that the process took for it, how much the thread that serves took
 */
async function read(t: TestContext, store: Store, what: string, file: string): Promise<Import & { ownShare: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const { statusCode, body } = await store.app.inject({
    method: 'POST',
    url: '/api/imports',
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await store.admin.token()}` },
    payload: Buffer.from(file),
  })
  assert.equal(statusCode, 201, body)
  delay.enable()
  const began = { at: performance.now(), own: process.threadCpuUsage(), all: process.cpuUsage() }
  await store.jobs.whenIdle()
  const ownShare = total(process.threadCpuUsage(began.own)) / total(process.cpuUsage(began.all))
  delay.disable()
  t.diagnostic(
    `${what}: read in ${((performance.now() - began.at) / 1000).toFixed(1)} s, the event loop blocked for at most ${(delay.max / 1e6).toFixed(0)} ms, ${(100 * ownShare).toFixed(0)} % of the processor time on the thread that serves`,
  )
  return { ...Import.parse((await store.admin.request('GET', `/imports/${JSON.parse(body)._id}`)).json()), ownShare }
}

const total = ({ user, system }: NodeJS.CpuUsage) => user + system

const basics = ['sku', 'name', 'price', 'minimum_order_quantity', 'available_quantity', 'category']
/** A table with so many columns for attributes. @param cell what stands in each of them */
const wide = (specColumns: number, rows: number, cell = 'x') =>
  [
    [...basics, ...Array.from({ length: specColumns }, (_, nth) => `specs.key_${nth}`)],
    ...Array.from({ length: rows }, (_, row) => [`W-${row}`, 'Wide', '1', '1', '1', 'cpu', ...Array(specColumns).fill(cell)]),
  ]
    .map((cells) => cells.join(','))
    .join('\n')

test('H5 a table with more columns than a table may have is refused at once, in words', async (t) => {
  await using store = await anEmptyStore()
  for (const [columns, rows] of [
    [600, 400],
    [12_000, 5],
  ] as const) {
    const { state, trouble } = await read(t, store, `${columns} columns of attributes in ${rows} rows`, wide(columns, rows))
    assert.deepEqual([state, /at most 200/.test(`${trouble}`)], ['failed', true], `${trouble}`)
  }
})

test('H5 a table as wide as it may be is read off the thread that serves', async (t) => {
  await using store = await anEmptyStore()
  const rows = sampleSize(1_000, 20_000)
  for (const cell of ['x', '']) {
    const { state, report, ownShare } = await read(
      t,
      store,
      `120 columns of attributes, ${cell ? 'filled' : 'empty'}, in ${rows} rows`,
      wide(120, rows, cell),
    )
    assert.deepEqual([state, report?.create], ['checked', rows])
    assert.ok(ownShare < 1 / 2, `${ownShare} of the processor time was taken on the thread that serves`)
  }
})

/** Files that grow in one way each, so many times as large as the smallest. */
const growingFiles: [what: string, file: (times: number) => string][] = [
  ['rows of a table', (times) => wide(2, 500 * times)],
  ['rows that are wrong', (times) => wide(2, 300 * times).replaceAll(',1,', ',none,')],
  ['lines of JSON', (times) => Array.from({ length: 1_000 * times }, (_, nth) => `{"sku":"W-${nth}","name":"Wide","price":1}`).join('\n')],
  ['empty rows', (times) => `${wide(1, 1)}\n${'\n'.repeat(100_000 * times)}`],
  ['columns of attributes', (times) => wide(30 * times, 200)],
  [
    'columns that are not read',
    (times) =>
      wide(48 * times, 1_000)
        .replaceAll(/^([^,]+)(,[^,\n]+){5}/gm, '$1')
        .replaceAll('specs.', ''),
  ],
  [
    'attributes of a line of JSON',
    (times) => {
      const specs = Object.fromEntries(Array.from({ length: 30 * times }, (_, nth) => [`key_${nth}`, 'x']))
      return Array.from({ length: 600 }, (_, nth) => JSON.stringify({ sku: `W-${nth}`, specs })).join('\n')
    },
  ],
  ['quotes in a cell', (times) => `sku,description\n${`W,"${'""'.repeat(8_000 * times)}"\n`.repeat(40)}`],
]

/** The processor time of this thread for reading a file so many times, in chunks of 1 kB, in milliseconds. */
async function costOfReading(file: Buffer, times: number): Promise<number> {
  async function* chunks() {
    for (let start = 0; start < file.length; start += 1024) yield file.subarray(start, start + 1024)
  }
  const mender = createMender(currentDefinitions(), { brands: [], choices: [] })
  const began = process.threadCpuUsage()
  for (let time = 0; time < times; time++) {
    const findings = new Findings()
    for await (const { errors } of parseProducts(chunks(), mender).rows) findings.addInvalidFields(errors)
    findings.snapshot()
  }
  return total(process.threadCpuUsage(began)) / 1000
}

test('H5 the work of reading grows with a file and not with its square, whether it grows in rows, columns, attributes or cells', async (t) => {
  for (const [what, file] of growingFiles) {
    const [small, large] = [Buffer.from(file(1)), Buffer.from(file(4))]
    let [ofFourSmall, ofLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] // each the quickest of some readings
    for (let round = 0; round < sampleSize(3, 20); round++) {
      ofFourSmall = Math.min(ofFourSmall, await costOfReading(small, 4))
      ofLarge = Math.min(ofLarge, await costOfReading(large, 1))
    }
    const figures = `four times the ${what}: ${((4 * ofLarge) / ofFourSmall).toFixed(1)} times the work (${ofLarge.toFixed(0)} ms)`
    t.diagnostic(figures)
    assert.ok(ofLarge < 2 * ofFourSmall, figures)
  }
})

/** A file that waits to be read; nobody has been told to. */
async function aWaitingFile(store: Store): Promise<string> {
  const [owner] = await store.db.select({ id: users.id }).from(users)
  assert.ok(owner)
  async function* bytes() {
    yield Buffer.from(wide(1, 1))
  }
  return (await storeUpload(store.db, { name: 'parts.csv', userId: owner.id, bytes: bytes() }))._id
}

const standing = async (store: Store, id: string) => Import.parse((await store.admin.request('GET', `/imports/${id}`)).json())

/** Kills a process that is reading a file, in the middle of it. */
async function killedWhileReading(store: Store): Promise<void> {
  const { promise: isDead, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holder = store.db.transaction(async (tx) => {
    await tx.execute(sql`lock table import_rows in access exclusive mode`)
    hold()
    await isDead
  })
  await isHeld
  const name = `import ${crypto.randomUUID()}`
  const address = new URL(store.connectionString)
  address.searchParams.set('application_name', name)
  const quickly = `--import=${path.join(import.meta.dirname, '../test/quick-resolution.ts')}`
  const child = spawn(process.execPath, [quickly, path.join(import.meta.dirname, 'import-process.ts'), address.href], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  for (;;) {
    const { rows } = await store.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%import_rows%'`,
    )
    if (rows.length > 0) break
    assert.equal(child.exitCode, null, 'it ended before it read')
  }
  child.kill('SIGKILL')
  await ended
  letGo()
  await holder
  // PostgreSQL notices that the process is gone when the statement that waited has ended; until then its lock on the import is held.
  const left = () => store.db.execute(sql`select from pg_stat_activity where application_name = ${name}`)
  while ((await left()).rows.length > 0);
}

test('H5 a file whose reading has killed the process once is read by the next; after twice it is given up, in words', async () => {
  await using store = await anEmptyStore()
  const once = await aWaitingFile(store)
  await killedWhileReading(store)
  store.events.importQueued()
  await store.jobs.whenIdle()
  assert.equal((await standing(store, once)).state, 'checked')

  if (!isFullRun) return // the death of its thread, below, counts as that of the process does
  const twice = await aWaitingFile(store)
  for (const _ of [1, 2]) await killedWhileReading(store)
  store.events.importQueued()
  await store.jobs.whenIdle()
  const { state, trouble } = await standing(store, twice)
  assert.deepEqual([state, /^The reading of this file stopped the store twice/.test(`${trouble}`)], ['failed', true], `${trouble}`)
})

test('H5 a thread that dies of a file takes nothing else along; after twice the file is given up, in words, and the next one is read', async () => {
  await using store = await anEmptyStore()
  const id = await aWaitingFile(store)
  for (const _ of [1, 2])
    await assert.rejects(
      processDueImport(store.db, () => {}, { heapMegabytes: 4 }),
      ReaderCrashedError,
    )
  const next = await aWaitingFile(store)
  store.events.importQueued()
  await store.jobs.whenIdle()
  const { state, trouble } = await standing(store, id)
  assert.deepEqual([state, /^The reading of this file stopped the store twice/.test(`${trouble}`)], ['failed', true], `${trouble}`)
  assert.equal((await standing(store, next)).state, 'checked')
})
