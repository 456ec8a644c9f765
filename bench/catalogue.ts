import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { type CatalogueRow, fullCatalogueSize, readCatalogue, toIndexedProducts } from '../proof/catalogue.ts'
import { type BenchmarkStore, startBenchmarkStore } from './benchmark-store.ts'
import { measureChangePropagation } from './change-propagation.ts'
import { importCatalogue } from './import-catalogue.ts'
import { benchmarkListPage } from './list-page.ts'
import { percentile, runLoad, runLoadInterleaved, runSequentially } from './load-generator.ts'
import { printFigure, printHeading, printLimitCheck, printLoadResult, residentMegabytes } from './print.ts'
import { generateBenchmarkQueries, hostileQuestions } from './queries.ts'
import { captureResponse, startFastifyWithCategoryQuery, startNodeServer } from './reference-servers.ts'

type Latencies = { sequentialMs: number; concurrentMs: number }
/** Milliseconds, p50, of what must not cost more where there are more parts. */
export type CatalogueBenchmark = { size: number; page: Latencies; product: Latencies; renderedPageMs: number }

/** Measures a store with so many parts, from its start to its memory at the end. */
export async function benchmarkCatalogue(size: number, connections: number): Promise<CatalogueBenchmark> {
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const settings = { DATA_DIR: dataDir, PORT: `${await findFreePort()}` }
  const { rows, source } = readCatalogue(size)
  printHeading(`${size} parts (${source})`)

  const empty = await startBenchmarkStore(settings)
  const seconds = await importCatalogue(dataDir, embeddedConnectionString(dataDir), rows)
  if (size === fullCatalogueSize) printLimitCheck('imported while the store runs', seconds, { most: 30 }, 's')
  else printFigure('imported while the store runs', `${seconds.toFixed(1)} s`)
  await empty.stop()

  const store = await startBenchmarkStore(settings)
  opened.defer(async () => void (await store.stop()))
  const connectionString = embeddedConnectionString(dataDir) // each start takes a port of its own
  printLimitCheck('warm start until the store is open', store.startSeconds, { most: 3 }, 's')
  printFigure('until search answers from its index', `${(await waitUntilIndexed(store)).toFixed(1)} s after that`)

  const memory = (when: string) =>
    printFigure(`memory of the store process ${when}`, `${residentMegabytes(store.child.pid).toFixed(0).padStart(9)} MB`)
  memory('with its index')

  await benchmarkCachedPages(store, connections)
  memory('after the kept pages')
  const costs = await benchmarkPagesAndProducts(store, connectionString, rows, connections)
  memory('after pages and products')
  await benchmarkSearches(store, rows, connections)
  await benchmarkListPage(store.address, generateBenchmarkQueries(toIndexedProducts(rows)))
  await benchmarkChangePropagation(store, connectionString, opened)
  printLimitCheck('memory of the store process after all this', residentMegabytes(store.child.pid), { most: 350 }, 'MB')
  return { size, ...costs }
}

/** @returns seconds */
async function waitUntilIndexed({ address }: BenchmarkStore): Promise<number> {
  const from = performance.now()
  for (;;) {
    const answer = await fetch(`${address}/api/search?q=in&limit=1`)
    await answer.body?.cancel()
    if (!answer.headers.get('server-timing')?.includes('desc="sql"')) return (performance.now() - from) / 1000
    if (performance.now() - from > 60_000) return Number.NaN
  }
}

/** Public pages as a browser asks for them, each beside a bare server that answers the same bytes. */
async function benchmarkCachedPages({ address }: BenchmarkStore, connections: number) {
  const [tool] = await search(address, 'limit=1')
  const headers = { 'accept-encoding': 'br' }
  for (const path of ['/', `/products/${tool?._id}`, '/allproducts']) {
    const name = path.replace(/[\da-f-]{36}/, '{id}')
    const said = await fetchUntilCached(address + path, headers)
    if (said.status !== 200) {
      printFigure(`${name}, kept`, `answers ${said.status}: NOT MEASURED`)
      continue
    }
    const bare = await startNodeServer(said)
    const [limit, kept] = await runLoadInterleaved([bare.address, address + path], { connections, headers })
    await bare.stop()
    printLoadResult(`bare Node server, the bytes of ${name}`, limit)
    printLoadResult(`${name}, kept`, kept, limit, 80)
  }
}

/** The page as it is kept, which may take a moment. */
async function fetchUntilCached(url: string, headers: Record<string, string>) {
  const end = performance.now() + 10_000
  let said = await captureResponse(url, headers)
  while (said.status === 200 && said.headers['content-encoding'] === undefined && performance.now() < end)
    said = await captureResponse(url, headers)
  return said
}

/** What is not kept: a page of 24 parts in JSON beside one query in Fastify, and single products. */
async function benchmarkPagesAndProducts(
  { address }: BenchmarkStore,
  connectionString: string,
  lines: CatalogueRow[],
  connections: number,
): Promise<Omit<CatalogueBenchmark, 'size'>> {
  const categories = [...Map.groupBy(lines, ({ category }) => category)]
    .filter(([, { length }]) => length >= 24)
    .map(([category]) => category ?? '')
  const categoryParam = (nth: number) => encodeURIComponent(categoryOf(categories[nth % categories.length] ?? '')?.key ?? '')
  const reference = await startFastifyWithCategoryQuery(connectionString)
  const page = (connection: number, nth: number) => `/api/search?category=${categoryParam(connection + nth)}&limit=24&facets=no`
  const [limit, pages] = await runLoadInterleaved(
    [
      { address: reference.address, path: (connection, nth) => `/?category=${categoryParam(connection + nth)}` },
      { address, path: page },
    ],
    { connections },
  )
  await reference.stop()
  printLoadResult('Fastify, one indexed query of 24 parts', limit)
  printLoadResult('GET /api/search, a page of 24 parts, no facets', pages, limit, 70)

  const ids = (await search(address, 'limit=100&facets=no'))
    .concat(await search(address, 'limit=100&facets=no&sort=-price'))
    .map(({ _id }) => _id)
  const product = (connection: number, nth: number) => `/api/products/${ids[(7 * connection + nth) % ids.length]}`
  const products = await runLoad({ address, path: product }, { connections })
  printLoadResult('GET /api/products/{id}', products)

  const times = Array.from({ length: 300 }, (_, nth) => nth)
  await runSequentially(
    address,
    times.map((nth) => page(0, nth)),
  )
  const pageAlone = await runSequentially(
    address,
    times.map((nth) => page(0, nth)),
  )
  await runSequentially(
    address,
    times.map((nth) => product(0, nth)),
  )
  const productAlone = await runSequentially(
    address,
    times.map((nth) => product(0, nth)),
  )
  const rendered = await runSequentially(
    address,
    ids.slice(1).map((id) => `/products/${id}`),
  ) // the first is kept already
  printFigure('one at a time: page in JSON', `p50 ${pageAlone.p50.toFixed(2)} ms  p99 ${pageAlone.p99.toFixed(2)} ms`)
  printFigure('one at a time: product in JSON', `p50 ${productAlone.p50.toFixed(2)} ms  p99 ${productAlone.p99.toFixed(2)} ms`)
  printFigure(
    'one at a time: product page, rendered',
    `p50 ${rendered.p50.toFixed(2)} ms  p99 ${rendered.p99.toFixed(2)} ms${rendered.failed ? `  ${rendered.failed} FAILED` : ''}`,
  )
  return {
    page: { sequentialMs: pageAlone.p50, concurrentMs: pages.p50 },
    product: { sequentialMs: productAlone.p50, concurrentMs: products.p50 },
    renderedPageMs: rendered.p50,
  }
}

/** The 200 queries with facets and counts: one at a time, and with every connection at another of them. No two are ever the same. */
async function benchmarkSearches({ address }: BenchmarkStore, lines: CatalogueRow[], connections: number) {
  const queries = generateBenchmarkQueries(toIndexedProducts(lines))
  let asked = 0
  const path = (nth: number) => {
    const query = queries[nth % queries.length] ?? ''
    return `/api/search?${query}${query.includes('price.max') ? `&price.min=${-++asked}` : `&price.max=${1_000_000 + ++asked}`}`
  }
  const round = (times: number) => Array.from({ length: times * queries.length }, (_, nth) => path(nth))
  await runSequentially(address, round(2))
  const alone = await runSequentially(address, round(5))
  const loaded = await runLoad({ address, path: (connection, nth) => path(connection * 7 + nth) }, { connections })
  for (const [how, { serverTimings, failed }] of [
    ['one at a time', alone],
    [`at ${connections} connections`, loaded],
  ] as const) {
    const milliseconds = serverTimings.get('search') ?? []
    printLimitCheck(`search with facets on the server, ${how}: p50`, percentile(milliseconds, 50), { most: 2 }, 'ms')
    printLimitCheck(`search with facets on the server, ${how}: p99`, percentile(milliseconds, 99), { most: 10 }, 'ms')
    printLimitCheck(`search with facets on the server, ${how}: worst`, percentile(milliseconds, 100), { most: 50 }, 'ms')
    if (failed) printFigure('  failed', `${failed}`)
  }
  const slowest = (alone.serverTimings.get('search') ?? []).reduce((worst, ms, nth, all) => (ms > (all[worst] ?? 0) ? nth : worst), 0)
  printFigure('  the slowest of those asked one at a time', decodeURIComponent(queries[slowest % queries.length] ?? ''))
  printLoadResult(`GET /api/search with facets, ${queries.length} queries, none asked twice`, loaded)
  printLimitCheck('searches a second', loaded.perSecond, { least: 1500 }, '/s')

  const bare = await startNodeServer(await captureResponse(address + path(0), {}))
  const sent = await runLoad(bare.address, { connections })
  await bare.stop()
  printLoadResult('  the bytes of one answer from a bare Node server', sent)
  const found = alone.serverTimings.get('search') ?? []
  const meanMs = found.reduce((sum, ms) => sum + ms, 0) / found.length
  printFigure('  searching alone, without HTTP and JSON', `${meanMs.toFixed(2)} ms on average`)
  printFigure('  a second, if no more than both were to be done', `${(1000 / (meanMs + 1000 / sent.perSecond)).toFixed(0)}`)

  const hostile = await runSequentially(
    address,
    hostileQuestions.map((question) => `/api/search?q=${encodeURIComponent(question)}`),
  )
  const slowestMs = Math.max(...(hostile.serverTimings.get('search') ?? []))
  printLimitCheck(`the slowest of ${hostileQuestions.length} questions that a stranger makes up`, slowestMs, { most: 20 }, 'ms')
  if (hostile.failed) printFigure('  failed', `${hostile.failed}`)
}

async function benchmarkChangePropagation({ address }: BenchmarkStore, connectionString: string, opened: AsyncDisposableStack) {
  const other = opened.use(createDataDir())
  const second = await startBenchmarkStore({ DATABASE_URL: connectionString, DATA_DIR: other.dataDir, PORT: `${await findFreePort()}` })
  await waitUntilIndexed(second)
  const [tool] = await search(address, 'limit=1')
  const waits = await measureChangePropagation([address, second.address], `${tool?._id}`)
  await second.stop()
  printLimitCheck(`${waits.length} changes found on both of two processes: the last within`, Math.max(...waits), { most: 1000 }, 'ms')
}

async function search(address: string, query: string): Promise<{ _id: string }[]> {
  const answer = await fetch(`${address}/api/search?${query}`)
  if (!answer.ok) throw new Error(`GET /search?${query}: ${await answer.text()}`)
  const found: { tools: { _id: string }[] } = JSON.parse(await answer.text())
  return found.tools
}
