import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { aDataFolder, freePort } from '#test/process.ts'
import { type AtASize, measureCatalogue } from './catalogue.ts'
import { load, loadInTurns } from './load.ts'
import { heading, judge, megabytes, row, say } from './print.ts'
import { bareServer, fastifyWithOneQuery, insertAndUpdate } from './references.ts'
import { openStore, signIn } from './stores.ts'

/**
 * Measures the built store on this machine, each figure beside its limit and beside what the machine can do in the same run: `npm run bench`.
 * The load comes from 127.0.0.1 and from a process of its own. Figures of different machines, or of busy ones, cannot be compared; ratios can.
 */
const connections = 32
console.log(`${os.cpus()[0]?.model}, ${os.cpus().length} cores, Node ${process.version}, ${connections} connections, median of three runs`)
const sizes = process.argv.slice(2).map(Number) // as arguments: only these
if (sizes.length === 0) await measureStart()
const measured: AtASize[] = []
for (const size of sizes.length > 0 ? sizes : [500, 5000, 46_803]) measured.push(await measureCatalogue(size, connections))
const [smallest, largest] = [measured[0], measured.at(-1)]
if (smallest && largest && smallest !== largest) compareCosts(smallest, largest)

function compareCosts(few: AtASize, many: AtASize) {
  heading(`From ${few.size} to ${many.size} parts`)
  const times = (what: string, from: number, to: number) => judge(`${what}, p50, times as long`, to / from, { most: 1.5 }, 'x')
  for (const what of ['page', 'product'] as const) {
    times(`${what} in JSON, one at a time`, few[what].alone, many[what].alone)
    times(`${what} in JSON, ${connections} connections`, few[what].loaded, many[what].loaded)
  }
  times('product page rendered, one at a time', few.rendered, many.rendered)
}

/** The store as it comes: how it starts, what it weighs, the kept pages, and buying. */
async function measureStart() {
  heading('The store as it comes')
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(aDataFolder())
  const settings = { DATA_DIR: dataDir, PORT: `${await freePort()}` }
  const first = await openStore(settings)
  await first.stop()
  const store = await openStore(settings)
  opened.defer(async () => void (await store.stop()))
  const { address } = store
  say('first start, database made and filled', `${first.seconds.toFixed(1)} s`)
  say('second start', `${store.seconds.toFixed(1)} s`)
  await new Promise((rest) => setTimeout(rest, 5000))
  say('memory of the store process, idle', `${megabytes(store.child.pid).toFixed(0)} MB`)
  say('node_modules', `${execFileSync('du', ['-sLm', 'node_modules'], { encoding: 'utf8' }).split('\t')[0]} MB as installed here`)

  const bare = await bareServer()
  row('bare Node server, 10 kB', await load(bare.address, { connections }))
  await bare.stop()

  const { token, toolId } = await leaveTools(address, 24)
  const connectionString = embeddedConnection(dataDir)
  const reference = await fastifyWithOneQuery(connectionString)
  const [query, list, one] = await loadInTurns([reference.address, `${address}/api/tools`, `${address}/api/tools/${toolId}`], {
    connections,
  })
  await reference.stop()
  row('Fastify, one indexed query of 24 rows', query)
  row('GET /api/tools, 24 products', list, query)
  row('GET /api/tools/{id}', one, query)

  const transactions = await insertAndUpdate(connectionString, 20)
  say('one INSERT and one guarded UPDATE, same driver', `${transactions.toFixed(0).padStart(9)}/s`)
  const order = { toolId, productName: 'bench', productQuantity: 1, productCost: 1, buyerAddress: '1 Road' }
  row(
    'POST /api/purchase, 20 customers at once',
    await load(`${address}/api/purchase`, {
      connections: 20,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(order),
    }),
    { perSecond: transactions },
  )
}

/** Leaves so many products for sale, the first with stock for the whole run. @returns the admin's token and that product's id */
async function leaveTools(address: string, count: number) {
  const { token, ask } = await signIn(address)
  const [keep, ...others] = await ask<{ _id: string }[]>('GET', '/tools')
  for (const { _id } of others.slice(count - 1)) await ask('DELETE', `/tools/${_id}`)
  await ask('PUT', `/tools/${keep?._id}`, { price: 1, minimum_order_quantity: 1, available_quantity: 10_000_000 })
  return { token, toolId: String(keep?._id) }
}
