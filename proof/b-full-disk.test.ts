import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { copyInitializedDataDir } from '#test/initialized-data-dir.ts'
import { fullRunOnly, sampleSize } from './full-run.ts'
import {
  assertServiceUnavailable,
  embeddedPostgresControl,
  type RunningStore,
  startRunningStore,
  type TimedResponse,
  waitUntil,
} from './running-store.ts'

/** A disk of its own for a store: memory that is mounted, which takes root or `sudo` without a password. Undefined where neither may. */
function aSmallDisk(megabytes: number): ({ folder: string } & Disposable) | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'disk-'))
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...words: string[]) => {
    const [program = '', ...rest] = [...asRoot, ...words]
    return spawnSync(program, rest).status === 0
  }
  const mounted = run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755,uid=${process.getuid?.() ?? 0}`, 'tmpfs', folder)
  const remove = () => fs.rmSync(folder, { recursive: true })
  if (!mounted) return void remove()
  return {
    folder,
    [Symbol.dispose]() {
      run('umount', '-l', folder)
      remove()
    },
  }
}

/** Writes until nothing more fits, or until that is so. */
async function fill(file: string, enough: () => Promise<boolean> = async () => false) {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const ballast = fs.openSync(file, 'w')
  try {
    while (!(await enough())) fs.writeSync(ballast, piece)
  } catch (error) {
    assert.equal(error instanceof Error && 'code' in error && error.code, 'ENOSPC')
  } finally {
    fs.closeSync(ballast)
  }
}

const looks = (store: RunningStore) => [
  () => store.request('GET', '/api/reviews'),
  () => store.request('GET', store.uncachedPage()),
  () => store.request('GET', `/api/tools/${store.products[0]?._id}`),
  () => store.request('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer }),
  () => store.request('GET', '/healthz'),
  () => store.request('GET', '/readyz'),
]

const cannotMount = 'a small disk could not be mounted here: it takes root or sudo'

/** Orders one tool after the other, and remembers what was acknowledged. */
function aBuyer(store: RunningStore) {
  const acknowledged: string[] = []
  const buy = async () => {
    const answer = await store.placePurchase(store.products[acknowledged.length % 20])
    if (answer.status === 201) acknowledged.push(JSON.parse(answer.body)._id)
    return answer
  }
  async function assertAllIsThere() {
    const listed = await store.request('GET', `/api/purchase?buyerEmail=${store.email}`, { bearer: store.customer })
    const kept: string[] = JSON.parse(listed.body).map(({ _id }: { _id: string }) => _id)
    assert.deepEqual(kept.toSorted(), acknowledged.toSorted(), 'what was acknowledged is there, and nothing else')
  }
  return { buy, assertAllIsThere }
}

function assertCannotSave(answer: TimedResponse) {
  assertServiceUnavailable(answer)
  assert.match(answer.body, /can save nothing at the moment/)
}

/**
 * Looks again where the answer only took too long, as it may on a busy machine.
 * @returns how many looks were answered
 */
async function assertCanBeLookedAt(store: RunningStore): Promise<number> {
  let read = 0
  const inTime = (look: () => Promise<TimedResponse>) =>
    waitUntil('an answer in time', () => look().then((answer) => !answer.body.includes('takes too long to answer') && answer))
  for (let time = 0; time < sampleSize(3, 10); time++)
    for (const answer of await Promise.all(looks(store).map(inTime))) {
      assert.equal(answer.status, 200, `${answer.path}: ${answer.body.slice(0, 200)}`)
      read++
    }
  return read
}

/** The disk of the two rows that follow, and the store on it. */
const disk = aSmallDisk(220)
after(() => disk?.[Symbol.dispose]())
let revived: { store: RunningStore; buyer: ReturnType<typeof aBuyer> } | undefined
after(async () => void (await revived?.store.stop()))

async function startOn(folder: string) {
  const settings = { DATA_DIR: path.join(folder, 'data') }
  if (!fs.existsSync(settings.DATA_DIR)) await copyInitializedDataDir(settings.DATA_DIR)
  const store = await startRunningStore(settings)
  return { store, buyer: aBuyer(store) }
}

test('B8 a store that was killed while its disk was full saves again after the next start', fullRunOnly, async (t) => {
  if (!disk) return t.skip(cannotMount)
  const settings = { DATA_DIR: path.join(disk.folder, 'data') }
  await copyInitializedDataDir(settings.DATA_DIR)
  const ballast = path.join(disk.folder, 'ballast')
  await using killed = await startRunningStore(settings)
  await fill(ballast)
  await waitUntil('the store says so', () => killed.output().includes('saves nothing'))
  killed.child.kill('SIGKILL')
  await killed.exited
  fs.rmSync(ballast)

  const since = performance.now()
  revived = await startOn(disk.folder) // somebody registers there
  assert.equal((await revived.buyer.buy()).status, 201)
  t.diagnostic(`an order was saved ${((performance.now() - since) / 1000).toFixed(1)} s after the next start began`)
})

test('B8 the disk is full: saving is refused in words, looking goes on, and room brings all back', async (t) => {
  if (!disk) return t.skip(cannotMount)
  revived ??= await startOn(disk.folder)
  const { store, buyer } = revived
  const ballast = path.join(disk.folder, 'ballast')
  const backMs: number[] = []
  let read = 0
  for (let round = 0; round < sampleSize(1, 5); round++) {
    assert.equal((await buyer.buy()).status, 201)
    await fill(ballast)
    assertCannotSave(await waitUntil('an order is refused', () => buyer.buy().then((answer) => answer.status !== 201 && answer)))
    for (const answer of await Promise.all(Array.from({ length: 20 }, buyer.buy))) assertCannotSave(answer)
    read += await assertCanBeLookedAt(store)

    fs.rmSync(ballast)
    const since = performance.now()
    await waitUntil('an order again', () => buyer.buy().then(({ status }) => status === 201))
    backMs.push(performance.now() - since)
  }
  await buyer.assertAllIsThere()
  assert.equal(await store.stop(), 0, store.output())
  t.diagnostic(
    `${read} of ${read} looks answered while full; saving again ${(Math.max(...backMs) / 1000).toFixed(1)} s after there was room`,
  )
})

test('B8 a disk that fills up slowly: the store stops saving while the log of its database still has room', fullRunOnly, async (t) => {
  using disk = aSmallDisk(220)
  if (!disk) return t.skip(cannotMount)
  const dataDir = path.join(disk.folder, 'data')
  await using store = await startRunningStore({ DATA_DIR: dataDir })
  const { buy, assertAllIsThere } = aBuyer(store)
  const ballast = path.join(disk.folder, 'ballast')
  const { pid } = embeddedPostgresControl(dataDir)
  let refused: TimedResponse | undefined
  await fill(ballast, async () => {
    await new Promise((wait) => setTimeout(wait, 50)) // as a log grows
    const answer = await buy()
    if (answer.status !== 201) refused = answer
    return refused !== undefined
  })
  assert.ok(refused)
  assertCannotSave(refused)
  const { bavail, bsize } = fs.statfsSync(disk.folder)
  const left = (bavail * bsize) / 1024 / 1024
  assert.ok(left > 16, `${left.toFixed(0)} MB were left`)

  // The log goes on to its next piece of 16 MB, which would end PostgreSQL without room for it.
  const straight = new pg.Client({ connectionString: embeddedConnectionString(dataDir) })
  await straight.connect()
  await straight.query('select pg_switch_wal()')
  await straight.end()
  const read = await assertCanBeLookedAt(store)
  assert.equal(embeddedPostgresControl(dataDir).pid, pid)

  fs.rmSync(ballast)
  await waitUntil('an order again', () => buy().then(({ status }) => status === 201))
  await assertAllIsThere()
  assert.equal(await store.stop(), 0, store.output())
  t.diagnostic(`refused with ${left.toFixed(0)} MB left; ${read} of ${read} looks answered meanwhile`)
})
