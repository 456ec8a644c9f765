import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { aDataFolder, freePort, startStore } from '#test/process.ts'
import { load, type Measured } from './load.ts'
import { bareServer, fastifyWithOneQuery, insertAndUpdate } from './references.ts'

/**
 * Measures the built store on this machine, each figure beside what the machine can do in the same run: `npm run bench`.
 * The load comes from 127.0.0.1 and from a process of its own. Figures of different machines, or of busy ones, cannot be compared; ratios can.
 */
const connections = 32
await using opened = new AsyncDisposableStack()
const { dataDir } = opened.use(aDataFolder())
const admin = { email: 'owner@store.example', password: 'the owner has a key' }
const settings = {
  DATA_DIR: dataDir,
  PORT: `${await freePort()}`,
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'error',
}

console.log(
  `${os.cpus()[0]?.model}, ${os.cpus().length} cores, Node ${process.version}, ${connections} connections, median of three runs\n`,
)

const first = await seconds(settings)
await first.store.stop()
const second = await seconds(settings)
const { store, address } = second
opened.defer(async () => void (await store.stop()))
say('first start, database made and filled', `${first.took.toFixed(1)} s`)
say('second start', `${second.took.toFixed(1)} s`)
await new Promise((rest) => setTimeout(rest, 5000))
say('memory of the store process, idle', `${megabytes(store.child.pid)} MB`)
say('node_modules', `${execFileSync('du', ['-sm', 'node_modules'], { encoding: 'utf8' }).split('\t')[0]} MB as installed here`)

const bare = await bareServer()
const limit = await load(bare.address, { connections })
await bare.stop()
row('bare Node server, 10 kB', limit)

row('home page, kept (plain)', await load(`${address}/`, { connections }), limit)
row('home page, kept (brotli)', await load(`${address}/`, { connections, headers: { 'accept-encoding': 'br' } }), limit)

const { token, toolId } = await leaveTools(24)
const connectionString = embeddedConnection(dataDir)
const reference = await fastifyWithOneQuery(connectionString)
const query = await load(reference.address, { connections })
await reference.stop()
row('Fastify, one indexed query of 24 rows', query)
row('GET /api/tools, 24 products, kept', await load(`${address}/api/tools`, { connections }), query)
row('GET /api/tools/{id}', await load(`${address}/api/tools/${toolId}`, { connections }), query)

const transactions = await insertAndUpdate(connectionString, 20)
console.log(`\n${'one INSERT and one guarded UPDATE, same driver'.padEnd(48)}${transactions.toFixed(0).padStart(9)}/s`)
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

async function seconds(settings: Record<string, string>) {
  const from = performance.now()
  const store = startStore(settings)
  const address = await store.opened
  return { store, address, took: (performance.now() - from) / 1000 }
}

/** Leaves so many products for sale, the first with stock for the whole run. @returns the admin's token and that product's id */
async function leaveTools(count: number) {
  const ask = async (method: string, call: string, body?: unknown, token?: string) => {
    const headers = {
      origin: address,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${address}/api${call}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${call}: ${await answer.text()}`)
    return answer.json()
  }
  const signedIn = await ask('POST', '/auth/sign-in/email', admin)
  const { token } = await ask('PUT', `/user/${admin.email}`, {}, signedIn.token)
  const [keep, ...others]: { _id: string }[] = await ask('GET', '/tools')
  for (const { _id } of others.slice(count - 1)) await ask('DELETE', `/tools/${_id}`, undefined, token)
  await ask('PUT', `/tools/${keep?._id}`, { price: 1, minimum_order_quantity: 1, available_quantity: 10_000_000 }, token)
  return { token: String(token), toolId: String(keep?._id) }
}

/** Resident memory, as the kernel counts it. */
function megabytes(pid: number | undefined): string {
  const resident = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)?.[1]
  return (Number(resident) / 1024).toFixed(0)
}

function say(what: string, figure: string) {
  console.log(`${what.padEnd(48)}${figure}`)
}

function row(what: string, { perSecond, p50, p99, kilobytes, failed }: Measured, beside?: { perSecond: number }) {
  const share = beside ? `${Math.round((100 * perSecond) / beside.perSecond)} % of the limit above` : ''
  const figures = `${perSecond.toFixed(0).padStart(9)}/s  p50 ${p50} ms  p99 ${p99} ms  ${kilobytes.toFixed(1)} kB`
  console.log(`${what.padEnd(48)}${figures}  ${share}${failed ? `  ${failed} FAILED` : ''}`)
}
