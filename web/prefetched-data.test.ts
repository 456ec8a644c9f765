import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import { forgetPrefetchedData, prefetchData, takePrefetchedData } from './prefetched-data.ts'

const origin = 'https://store.example'
const answers: Record<string, () => Response> = {
  '/products/1.data': () => new Response('kept', { headers: { 'cache-control': 'no-cache' } }),
  '/allproducts.data?brand=Klein+Tools': () => new Response('a brand'),
  '/moved.data': () => new Response('elsewhere', { status: 202, headers: { 'x-remix-response': 'yes' } }),
  '/cart.data': () => new Response('a basket', { headers: { 'cache-control': 'private, no-store' } }),
  '/busy.data': () => new Response('later', { status: 503 }),
}

beforeEach(forgetPrefetchedData)

/** A browser with a clock of the test's, and what it has asked for. */
function openBrowser({ mock }: TestContext): { asked: string[]; tick: (ms: number) => void } {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  Object.assign(globalThis, { location: { origin } })
  const asked: string[] = []
  mock.method(globalThis, 'fetch', async (path: string) => {
    asked.push(path)
    const answer = answers[path]
    if (!answer) throw new TypeError('no network')
    return answer()
  })
  return { asked, tick: (ms) => mock.timers.tick(ms) }
}

const take = (path: string) => takePrefetchedData(new URL(path, origin))
const takeText = async (path: string) => (await take(path))?.text()

test('what was fetched ahead is shown once; a failure, and what belongs to a visitor, is asked for anew', async (context) => {
  const { asked } = openBrowser(context)
  for (const path of [...Object.keys(answers), '/offline.data', '/products/1.data']) prefetchData(path)
  assert.deepEqual(asked, [...Object.keys(answers), '/offline.data'])
  assert.equal(await takeText('/products/1.data'), 'kept')
  const moved = await take('/moved.data')
  assert.deepEqual([moved?.status, moved?.headers.get('x-remix-response'), await moved?.text()], [202, 'yes', 'elsewhere'])
  for (const path of ['/products/1.data', '/cart.data', '/busy.data', '/offline.data']) assert.equal(await takeText(path), undefined, path)
})

test('a query fetched ahead is found however it is written, and no other query is shown for it', async (context) => {
  openBrowser(context)
  prefetchData('/allproducts.data?brand=Klein%20Tools')
  assert.equal(await takeText('/allproducts.data'), undefined)
  assert.equal(await takeText('/allproducts.data?brand=Klein+Tools'), 'a brand')
})

test('what was fetched ahead is shown for ten seconds, whether timers run or not, and not after the visitor has changed something', async (context) => {
  const { tick } = openBrowser(context)
  prefetchData('/products/1.data')
  tick(9_000)
  assert.equal(await takeText('/products/1.data'), 'kept')
  prefetchData('/products/1.data')
  tick(9_999) // past the timer of the first
  assert.equal(await takeText('/products/1.data'), 'kept')

  prefetchData('/products/1.data')
  tick(10_000)
  assert.equal(await takeText('/products/1.data'), undefined)
  prefetchData('/products/1.data')
  context.mock.timers.setTime(Date.now() + 3_600_000) // a phone that slept
  assert.equal(await takeText('/products/1.data'), undefined)

  prefetchData('/products/1.data')
  forgetPrefetchedData()
  assert.equal(await takeText('/products/1.data'), undefined)
})
