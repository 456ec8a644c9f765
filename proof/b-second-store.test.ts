import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOpenedDataFolder } from '#test/opened-store.ts'
import { freePort, startStore } from '#test/process.ts'
import { aRunningStore } from './running-store.ts'
import { howMany } from './size.ts'

test('B4 a second store on the same folder is refused in one line, and the first goes on', async (t) => {
  using folder = await anOpenedDataFolder()
  await using first = await aRunningStore({ DATA_DIR: folder.dataDir })
  const times = howMany(1, 20)
  const tookMs: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const since = performance.now()
    const second = startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}` })
    assert.equal(await second.ended, 1)
    tookMs.push(performance.now() - since)
    assert.equal(
      second.said(),
      `Another store is running on ${folder.dataDir} (process ${first.child.pid}): stop it first, or set another DATA_DIR\n`,
    )
  }
  // Several at once: none of them gets in between.
  const many = await Promise.all([1, 2, 3].map(async () => startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }).ended))
  assert.deepEqual(many, [1, 1, 1])
  assert.equal((await first.order()).status, 201)
  assert.equal(await first.stop(), 0)
  const seconds = (ms: number) => (ms / 1000).toFixed(2)
  t.diagnostic(
    `${times} times, refused after ${seconds(Math.min(...tookMs))} to ${seconds(Math.max(...tookMs))} s, start of the process included`,
  )
})
