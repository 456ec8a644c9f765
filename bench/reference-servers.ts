import { fork } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import pg from 'pg'

/** What the machine can do, measured by the same load from a process of its own, as the store is one. */
export type ReferenceServer = { address: string; stop(): Promise<void> }
/** What a server answers every time. */
export type CapturedResponse = { status: number; headers: Record<string, string>; body: Buffer }

/** Node's HTTP server with nothing around it: 10 kB, or the same bytes as another server, head and body. */
export const startNodeServer = (said?: CapturedResponse): Promise<ReferenceServer> =>
  forkReferenceServer({ kind: 'bare', said: said ?? { status: 200, headers: {}, body: Buffer.alloc(10_000, 'x') } })

/** Fastify and one indexed query of 24 products: the oldest. */
export const startFastifyWithOneQuery = (connectionString: string): Promise<ReferenceServer> =>
  forkReferenceServer({
    kind: 'fastify',
    connectionString,
    text: 'select id as _id, name, img, description, price_cents::float8 / 100 as price, minimum_order_quantity, available_quantity from tools where removed_at is null order by position limit 24',
  })

/**
 * Fastify and one indexed query of 24 parts of a category (`/?category=KEY`), with all that is known of them. The index is made here, and
 * none fits better; the store does not need it.
 */
export async function startFastifyWithCategoryQuery(connectionString: string): Promise<ReferenceServer> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('create index if not exists bench_shelf on tools (category, position) where removed_at is null')
  await client.query('analyze tools')
  await client.end()
  return forkReferenceServer({
    kind: 'fastify',
    connectionString,
    text: `select id as _id, name, img, description, price_cents::float8 / 100 as price, minimum_order_quantity, available_quantity, sku, brand, mpn, category, specs
      from tools where category = $1 and removed_at is null order by position limit 24`,
  })
}

/** The answer of a server to one question, as it came over the wire. */
export function captureResponse(url: string, headers: Record<string, string>): Promise<CapturedResponse> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const notOurs = ['date', 'connection', 'keep-alive', 'transfer-encoding']
        const kept = Object.entries(answer.headers).filter(([name]) => !notOurs.includes(name))
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(kept.map(([name, value]) => [name, `${value}`])),
          body: Buffer.concat(chunks),
        })
      })
    })
    request.on('error', reject)
  })
}

/**
 * Orders as bare as they can be: one INSERT and one guarded UPDATE in a transaction, through the store's driver, no HTTP.
 * @returns transactions per second over 5 seconds
 */
export async function measureInsertAndUpdate(connectionString: string, atOnce: number): Promise<number> {
  const pool = new pg.Pool({ connectionString, max: atOnce })
  await pool.query('create table if not exists bench_stock (id int primary key, pieces int not null)')
  await pool.query(
    'create table if not exists bench_orders (id uuid primary key default gen_random_uuid(), stock int not null, pieces int not null)',
  )
  await pool.query('insert into bench_stock values (1, 1000000000) on conflict do nothing')
  const end = performance.now() + 5000
  let done = 0
  const buyer = async () => {
    const client = await pool.connect()
    while (performance.now() < end) {
      await client.query('begin')
      await client.query({
        name: 'take',
        text: 'update bench_stock set pieces = pieces - $2 where id = $1 and pieces >= $2',
        values: [1, 1],
      })
      await client.query({ name: 'note', text: 'insert into bench_orders (stock, pieces) values ($1, $2)', values: [1, 1] })
      await client.query('commit')
      done++
    }
    client.release()
  }
  await Promise.all(Array.from({ length: atOnce }, buyer))
  await pool.query('drop table bench_orders, bench_stock')
  await pool.end()
  return done / 5
}

type ReferenceServerOptions = { kind: 'bare'; said: CapturedResponse } | { kind: 'fastify'; connectionString: string; text: string }

function forkReferenceServer(wish: ReferenceServerOptions): Promise<ReferenceServer> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { serialization: 'advanced' })
  child.send(wish)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server to compare with ended with ${code}`)))
    child.once('message', (port) =>
      resolve({
        address: `http://127.0.0.1:${port}/`,
        stop: () => new Promise((stopped) => void child.once('exit', () => stopped()).kill()),
      }),
    )
  })
}

function portOf(server: http.Server): number {
  const address = server.address()
  return address && typeof address === 'object' ? address.port : 0
}

async function serve(wish: ReferenceServerOptions) {
  if (wish.kind === 'bare') {
    const { status, body } = wish.said
    const headers = { ...wish.said.headers, 'content-length': body.length }
    const server = http.createServer((_request, reply) => reply.writeHead(status, headers).end(body))
    server.listen(0, '127.0.0.1', () => {
      process.send?.(portOf(server))
    })
    return
  }
  const pool = new pg.Pool({ connectionString: wish.connectionString, max: 20 })
  const app = Fastify()
  const { text } = wish
  const asksForOne = text.includes('$1')
  app.get<{ Querystring: { category?: string } }>(
    '/',
    async ({ query }) => (await pool.query({ name: 'tools', text, values: asksForOne ? [query.category] : [] })).rows,
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.(portOf(app.server))
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', (wish: ReferenceServerOptions) => void serve(wish))
