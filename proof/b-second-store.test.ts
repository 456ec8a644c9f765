import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInitializedDataDir } from '#test/initialized-data-dir.ts'
import { findFreePort, startStoreProcess } from '#test/store-process.ts'
import { sampleSize } from './full-run.ts'
import { startRunningStore } from './running-store.ts'

test('B4 a second store on the same folder is refused in one line, and the first goes on', async (t) => {
  using folder = await createInitializedDataDir()
  await using first = await startRunningStore({ DATA_DIR: folder.dataDir })
  const times = sampleSize(1, 20)
  const tookMs: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const since = performance.now()
    const second = startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` })
    assert.equal(await second.exited, 1)
    tookMs.push(performance.now() - since)
    assert.equal(
      second.output(),
      `Another store is running on ${folder.dataDir} (process ${first.child.pid}): stop it first, or set another DATA_DIR\n`,
    )
  }
  // Several at once: none of them gets in between.
  const many = await Promise.all(
    Array.from(
      { length: sampleSize(2, 3) },
      async () => startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` }).exited,
    ),
  )
  assert.deepEqual(new Set(many), new Set([1]))
  assert.equal((await first.placePurchase()).status, 201)
  assert.equal(await first.stop(), 0)
  const seconds = (ms: number) => (ms / 1000).toFixed(2)
  t.diagnostic(
    `${times} times, refused after ${seconds(Math.min(...tookMs))} to ${seconds(Math.max(...tookMs))} s, start of the process included`,
  )
})
