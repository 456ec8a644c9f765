import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { fullCatalogueSize } from '../proof/catalogue.ts'
import { benchmarkAttacks } from './attacks.ts'
import { benchmarkBaskets } from './baskets.ts'
import { registerCustomers, signInAsAdmin, startBenchmarkStore } from './benchmark-store.ts'
import { benchmarkCatalogue, type CatalogueBenchmark } from './catalogue.ts'
import { runLoad, runLoadInterleaved } from './load-generator.ts'
import { benchmarkOrders } from './orders.ts'
import { printFigure, printHeading, printLimitCheck, printLoadResult, residentMegabytes } from './print.ts'
import { measureInsertAndUpdate, startFastifyWithOneQuery, startNodeServer } from './reference-servers.ts'
import { benchmarkSending } from './sending.ts'

/**
 * Measures the built store on this machine, each figure beside its limit and beside what the machine can do in the same run: `npm run bench`.
 * The load comes from 127.0.0.1 and from a process of its own. Figures of different machines, or of busy ones, cannot be compared; ratios can.
 */
const connections = 32
console.log(`${os.cpus()[0]?.model}, ${os.cpus().length} cores, Node ${process.version}, ${connections} connections, median of three runs`)
const parts = {
  start: measureStart,
  orders: benchmarkOrders,
  baskets: benchmarkBaskets,
  sending: benchmarkSending,
  attacks: benchmarkAttacks,
}
const chosen = process.argv.slice(2) // sizes of the catalogue and names of parts: only these
for (const [name, measure] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await measure()
const sizes = chosen.length === 0 ? [500, 5000, fullCatalogueSize] : chosen.filter((each) => !(each in parts)).map(Number)
const measured: CatalogueBenchmark[] = []
for (const size of sizes) measured.push(await benchmarkCatalogue(size, connections))
const [smallest, largest] = [measured[0], measured.at(-1)]
if (smallest && largest && smallest !== largest) compareCosts(smallest, largest)

function compareCosts(few: CatalogueBenchmark, many: CatalogueBenchmark) {
  printHeading(`From ${few.size} to ${many.size} parts`)
  const times = (what: string, from: number, to: number) => printLimitCheck(`${what}, p50, times as long`, to / from, { most: 1.5 }, 'x')
  for (const what of ['page', 'product'] as const) {
    times(`${what} in JSON, one at a time`, few[what].sequentialMs, many[what].sequentialMs)
    times(`${what} in JSON, ${connections} connections`, few[what].concurrentMs, many[what].concurrentMs)
  }
  times('product page rendered, one at a time', few.renderedPageMs, many.renderedPageMs)
}

/** The store as it comes: how it starts, what it weighs, the kept pages, and buying. */
async function measureStart() {
  printHeading('The store as it comes')
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const settings = { DATA_DIR: dataDir, PORT: `${await findFreePort()}` }
  const first = await startBenchmarkStore(settings)
  await first.stop()
  const store = await startBenchmarkStore(settings)
  opened.defer(async () => void (await store.stop()))
  const { address } = store
  printFigure('first start, database made and filled', `${first.startSeconds.toFixed(1)} s`)
  printFigure('second start', `${store.startSeconds.toFixed(1)} s`)
  await new Promise((rest) => setTimeout(rest, 5000))
  printFigure('memory of the store process, idle', `${residentMegabytes(store.child.pid).toFixed(0)} MB`)
  printFigure('node_modules', `${execFileSync('du', ['-sLm', 'node_modules'], { encoding: 'utf8' }).split('\t')[0]} MB as installed here`)

  const bare = await startNodeServer()
  printLoadResult('bare Node server, 10 kB', await runLoad(bare.address, { connections }))
  await bare.stop()

  const toolId = await keepProducts(address, 24)
  const connectionString = embeddedConnectionString(dataDir)
  const reference = await startFastifyWithOneQuery(connectionString)
  const [query, list, one] = await runLoadInterleaved([reference.address, `${address}/api/tools`, `${address}/api/tools/${toolId}`], {
    connections,
  })
  await reference.stop()
  printLoadResult('Fastify, one indexed query of 24 rows', query)
  printLoadResult('GET /api/tools, 24 products', list, query)
  printLoadResult('GET /api/tools/{id}', one, query)

  const transactions = await measureInsertAndUpdate(connectionString, 20)
  printFigure('one INSERT and one guarded UPDATE, same driver', `${transactions.toFixed(0).padStart(9)}/s`)
  const tokens = await registerCustomers(address, 20)
  const order = { toolId, productName: 'bench', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  printLoadResult(
    'POST /api/purchase, 20 customers at once',
    await runLoad(`${address}/api/purchase`, {
      connections: 20,
      method: 'POST',
      headers: (customer) => ({ 'content-type': 'application/json', authorization: `Bearer ${tokens[customer]}` }),
      body: JSON.stringify(order),
    }),
    { perSecond: transactions },
  )
}

/** Leaves so many products for sale, the first with stock for the whole run. @returns that product's id */
async function keepProducts(address: string, count: number): Promise<string> {
  const { ask } = await signInAsAdmin(address)
  const [keep, ...others] = await ask<{ _id: string }[]>('GET', '/tools')
  for (const { _id } of others.slice(count - 1)) await ask('DELETE', `/tools/${_id}`)
  await ask('PUT', `/tools/${keep?._id}`, { price: 1, minimum_order_quantity: 1, available_quantity: 10_000_000 })
  return String(keep?._id)
}
