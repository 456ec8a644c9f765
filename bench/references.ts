import { fork } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import pg from 'pg'

/** What the machine can do, measured by the same load from a process of its own, as the store is one. */
type Reference = { address: string; stop(): Promise<void> }

export const bareServer = (): Promise<Reference> => inProcess('bare')

export const fastifyWithOneQuery = (connectionString: string): Promise<Reference> => inProcess('fastify', connectionString)

/**
 * Orders as bare as they can be: one INSERT and one guarded UPDATE in a transaction, through the store's driver, no HTTP.
 * @returns transactions per second over 5 seconds
 */
export async function insertAndUpdate(connectionString: string, atOnce: number): Promise<number> {
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

function inProcess(kind: 'bare' | 'fastify', connectionString = ''): Promise<Reference> {
  const child = fork(fileURLToPath(import.meta.url), [kind, connectionString])
  return new Promise((resolve, reject) => {
    child.once('error', reject)
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

async function serve(kind: string | undefined, connectionString: string | undefined) {
  if (kind === 'bare') {
    const body = Buffer.alloc(10_000, 'x')
    const server = http.createServer((_request, reply) => reply.writeHead(200, { 'content-length': body.length }).end(body))
    server.listen(0, '127.0.0.1', () => {
      process.send?.(portOf(server))
    })
  }
  if (kind === 'fastify') {
    const pool = new pg.Pool({ connectionString, max: 20 })
    const app = Fastify()
    const text =
      'select id as _id, name, img, description, price, minimum_order_quantity, available_quantity from tools where removed_at is null order by position limit 24'
    app.get('/', async () => (await pool.query({ name: 'tools', text })).rows)
    await app.listen({ port: 0, host: '127.0.0.1' })
    process.send?.(portOf(app.server))
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve(process.argv[2], process.argv[3])
