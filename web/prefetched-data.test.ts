import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefetchData, takePrefetchedData } from './prefetched-data.ts'

test('what was fetched ahead is shown once and within ten seconds; a failure, and what belongs to a visitor, is asked for anew', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const asked: string[] = []
  const answers: Record<string, () => Response> = {
    '/products/1.data': () => new Response('kept', { headers: { 'cache-control': 'no-cache' } }),
    '/cart.data': () => new Response('a basket', { headers: { 'cache-control': 'private, no-store' } }),
    '/busy.data': () => new Response('later', { status: 503 }),
  }
  mock.method(globalThis, 'fetch', async (path: string) => {
    asked.push(path)
    const answer = answers[path]
    if (!answer) throw new TypeError('no network')
    return answer()
  })
  const take = async (path: string) => (await takePrefetchedData(new URL(path, 'https://store.example')))?.text()

  for (const path of [...Object.keys(answers), '/offline.data', '/products/1.data']) prefetchData(path)
  assert.deepEqual(asked, ['/products/1.data', '/cart.data', '/busy.data', '/offline.data'])
  assert.equal(await take('/products/1.data'), 'kept')
  for (const path of ['/products/1.data', '/cart.data', '/busy.data', '/offline.data']) assert.equal(await take(path), undefined, path)

  prefetchData('/products/1.data')
  mock.timers.tick(9_999)
  assert.equal(await take('/products/1.data'), 'kept')
  prefetchData('/products/1.data')
  mock.timers.tick(10_000)
  assert.equal(await take('/products/1.data'), undefined)
})
