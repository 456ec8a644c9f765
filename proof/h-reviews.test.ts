import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDataFolder } from '#test/process.ts'
import { aRunningStore } from './running-store.ts'
import { howMany } from './size.ts'

const atOnce = 8
const withAnyId = (page: string) => page.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')

test('H3 one account posts review after review: it has one, and the home page is as large as before', async (t) => {
  using folder = aDataFolder()
  await using store = await aRunningStore({ DATA_DIR: folder.dataDir })
  const body = { name: 'Ada', img: '/drawings/avatar.svg', about: 'x'.repeat(5000), rating: 1 }
  const post = () => store.ask('POST', '/api/reviews', { bearer: store.customer, body })
  const home = async () => {
    const { status, said } = await store.ask('GET', '/')
    assert.equal(status, 200)
    return said
  }
  const listed = async (): Promise<{ about: string }[]> => JSON.parse((await store.ask('GET', '/api/reviews')).said)
  assert.equal((await post()).status, 201)
  const [before, reviewsBefore] = [await home(), await listed()]

  const times = howMany(50, 8000)
  const statuses: Record<number, number> = {}
  let left = times
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const { status, said } = await post()
        statuses[status] = (statuses[status] ?? 0) + 1
        assert.ok(status === 201 || status === 429, said)
        assert.match(said, status === 201 ? /"replaced":true/ : /wait \d+ minutes, then try again/)
      }
    }),
  )

  assert.equal((await listed()).length, reviewsBefore.length)
  assert.equal((await listed()).filter(({ about }) => about === body.about).length, 1)
  const after = await home()
  assert.equal(Buffer.byteLength(withAnyId(after)), Buffer.byteLength(withAnyId(before)))
  assert.deepEqual(statuses, { 201: 19, 429: times - 19 })
  t.diagnostic(`${times} posts: 19 taken, the others refused; 1 review; home ${Buffer.byteLength(after)} bytes before and after`)
})
