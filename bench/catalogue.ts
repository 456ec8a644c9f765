import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { aDataFolder, freePort } from '#test/process.ts'
import { asListed, type Line, readCatalogue } from '../proof/catalogue.ts'
import { changesFound } from './changes-found.ts'
import { fillShelves } from './fill.ts'
import { load, loadInTurns, oneAtATime, percentile } from './load.ts'
import { heading, judge, megabytes, row, say } from './print.ts'
import { realQueries } from './queries.ts'
import { bareServer, fastifyWithAShelf, listenTo } from './references.ts'
import { type Opened, openStore } from './stores.ts'

type Costs = { alone: number; loaded: number }
/** Milliseconds, p50, of what must not cost more where there are more parts. */
export type AtASize = { size: number; page: Costs; product: Costs; rendered: number }

/** Measures a store with so many parts, from its start to its memory at the end. */
export async function measureCatalogue(size: number, connections: number): Promise<AtASize> {
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(aDataFolder())
  const settings = { DATA_DIR: dataDir, PORT: `${await freePort()}` }
  const { lines, source } = readCatalogue(size)
  heading(`${size} parts (${source})`)

  const empty = await openStore(settings)
  const seconds = await fillShelves(dataDir, embeddedConnection(dataDir), lines)
  if (size === 46_803) judge('imported while the store runs', seconds, { most: 30 }, 's')
  else say('imported while the store runs', `${seconds.toFixed(1)} s`)
  await empty.stop()

  const store = await openStore(settings)
  opened.defer(async () => void (await store.stop()))
  const connectionString = embeddedConnection(dataDir) // each start takes a port of its own
  judge('warm start until the store is open', store.seconds, { most: 3 }, 's')
  say('until search answers from its index', `${(await untilIndexed(store)).toFixed(1)} s after that`)

  const memory = (when: string) => say(`memory of the store process ${when}`, `${megabytes(store.child.pid).toFixed(0).padStart(9)} MB`)
  memory('with its index')

  await keptPages(store, connections)
  memory('after the kept pages')
  const costs = await pagesAndProducts(store, connectionString, lines, connections)
  memory('after pages and products')
  await searches(store, lines, connections)
  await changes(store, connectionString, opened)
  judge('memory of the store process after all this', megabytes(store.child.pid), { most: 350 }, 'MB')
  return { size, ...costs }
}

/** @returns seconds */
async function untilIndexed({ address }: Opened): Promise<number> {
  const from = performance.now()
  for (;;) {
    const answer = await fetch(`${address}/api/search?q=in&limit=1`)
    await answer.body?.cancel()
    if (!answer.headers.get('server-timing')?.includes('desc="sql"')) return (performance.now() - from) / 1000
    if (performance.now() - from > 60_000) return Number.NaN
  }
}

/** Public pages as a browser asks for them, each beside a bare server that answers the same bytes. */
async function keptPages({ address }: Opened, connections: number) {
  const [tool] = await search(address, 'limit=1')
  const headers = { 'accept-encoding': 'br' }
  for (const path of ['/', `/products/${tool?._id}`, '/allproducts']) {
    const name = path.replace(/[\da-f-]{36}/, '{id}')
    const said = await onceKept(address + path, headers)
    if (said.status !== 200) {
      say(`${name}, kept`, `answers ${said.status}: NOT MEASURED`)
      continue
    }
    const bare = await bareServer(said)
    const [limit, kept] = await loadInTurns([bare.address, address + path], { connections, headers })
    await bare.stop()
    row(`bare Node server, the bytes of ${name}`, limit)
    row(`${name}, kept`, kept, limit, 80)
  }
}

/** A page is kept and compressed from its second answer on; that may take a moment. */
async function onceKept(url: string, headers: Record<string, string>) {
  const end = performance.now() + 10_000
  let said = await listenTo(url, headers)
  while (said.status === 200 && said.headers['content-encoding'] === undefined && performance.now() < end)
    said = await listenTo(url, headers)
  return said
}

/** What is not kept: a page of 24 parts in JSON beside one query in Fastify, and single products. */
async function pagesAndProducts(
  { address }: Opened,
  connectionString: string,
  lines: Line[],
  connections: number,
): Promise<Omit<AtASize, 'size'>> {
  const shelves = [...Map.groupBy(lines, ({ category }) => category)]
    .filter(([, { length }]) => length >= 24)
    .map(([category]) => category ?? '')
  const shelf = (nth: number) => encodeURIComponent(categoryOf(shelves[nth % shelves.length] ?? '')?.key ?? '')
  const reference = await fastifyWithAShelf(connectionString)
  const page = (connection: number, nth: number) => `/api/search?category=${shelf(connection + nth)}&limit=24&facets=no`
  const [limit, pages] = await loadInTurns(
    [
      { address: reference.address, path: (connection, nth) => `/?category=${shelf(connection + nth)}` },
      { address, path: page },
    ],
    { connections },
  )
  await reference.stop()
  row('Fastify, one indexed query of 24 parts', limit)
  row('GET /api/search, a page of 24 parts, no facets', pages, limit, 70)

  const ids = (await search(address, 'limit=100&facets=no'))
    .concat(await search(address, 'limit=100&facets=no&sort=-price'))
    .map(({ _id }) => _id)
  const product = (connection: number, nth: number) => `/api/products/${ids[(7 * connection + nth) % ids.length]}`
  const products = await load({ address, path: product }, { connections })
  row('GET /api/products/{id}', products)

  const times = Array.from({ length: 300 }, (_, nth) => nth)
  await oneAtATime(
    address,
    times.map((nth) => page(0, nth)),
  )
  const pageAlone = await oneAtATime(
    address,
    times.map((nth) => page(0, nth)),
  )
  await oneAtATime(
    address,
    times.map((nth) => product(0, nth)),
  )
  const productAlone = await oneAtATime(
    address,
    times.map((nth) => product(0, nth)),
  )
  const rendered = await oneAtATime(
    address,
    ids.slice(1).map((id) => `/products/${id}`),
  ) // the first is kept already
  say('one at a time: page in JSON', `p50 ${pageAlone.p50.toFixed(2)} ms  p99 ${pageAlone.p99.toFixed(2)} ms`)
  say('one at a time: product in JSON', `p50 ${productAlone.p50.toFixed(2)} ms  p99 ${productAlone.p99.toFixed(2)} ms`)
  say(
    'one at a time: product page, rendered',
    `p50 ${rendered.p50.toFixed(2)} ms  p99 ${rendered.p99.toFixed(2)} ms${rendered.failed ? `  ${rendered.failed} FAILED` : ''}`,
  )
  return {
    page: { alone: pageAlone.p50, loaded: pages.p50 },
    product: { alone: productAlone.p50, loaded: products.p50 },
    rendered: rendered.p50,
  }
}

/** The 200 queries with facets and counts: one at a time, and with every connection at another of them. No two are ever the same. */
async function searches({ address }: Opened, lines: Line[], connections: number) {
  const queries = realQueries(asListed(lines))
  let asked = 0
  const path = (nth: number) => {
    const query = queries[nth % queries.length] ?? ''
    return `/api/search?${query}${query.includes('price.max') ? `&price.min=${-++asked}` : `&price.max=${1_000_000 + ++asked}`}`
  }
  const round = (times: number) => Array.from({ length: times * queries.length }, (_, nth) => path(nth))
  await oneAtATime(address, round(2))
  const alone = await oneAtATime(address, round(5))
  const loaded = await load({ address, path: (connection, nth) => path(connection * 7 + nth) }, { connections })
  for (const [how, { server, failed }] of [
    ['one at a time', alone],
    [`at ${connections} connections`, loaded],
  ] as const) {
    const milliseconds = server.get('search') ?? []
    judge(`search with facets on the server, ${how}: p50`, percentile(milliseconds, 50), { most: 2 }, 'ms')
    judge(`search with facets on the server, ${how}: p99`, percentile(milliseconds, 99), { most: 10 }, 'ms')
    judge(`search with facets on the server, ${how}: worst`, percentile(milliseconds, 100), { most: 50 }, 'ms')
    if (failed) say('  failed', `${failed}`)
  }
  const slowest = (alone.server.get('search') ?? []).reduce((worst, ms, nth, all) => (ms > (all[worst] ?? 0) ? nth : worst), 0)
  say('  the slowest of those asked one at a time', decodeURIComponent(queries[slowest % queries.length] ?? ''))
  row(`GET /api/search with facets, ${queries.length} queries, none asked twice`, loaded)
  judge('searches a second', loaded.perSecond, { least: 1500 }, '/s')
}

async function changes({ address }: Opened, connectionString: string, opened: AsyncDisposableStack) {
  const other = opened.use(aDataFolder())
  const second = await openStore({ DATABASE_URL: connectionString, DATA_DIR: other.dataDir, PORT: `${await freePort()}` })
  await untilIndexed(second)
  const [tool] = await search(address, 'limit=1')
  const waits = await changesFound([address, second.address], `${tool?._id}`)
  await second.stop()
  judge(`${waits.length} changes found on both of two processes: the last within`, Math.max(...waits), { most: 1000 }, 'ms')
}

async function search(address: string, query: string): Promise<{ _id: string }[]> {
  const answer = await fetch(`${address}/api/search?${query}`)
  if (!answer.ok) throw new Error(`GET /search?${query}: ${await answer.text()}`)
  const found: { tools: { _id: string }[] } = JSON.parse(await answer.text())
  return found.tools
}
