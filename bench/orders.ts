import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { readCatalogue } from '../proof/catalogue.ts'
import { registerCustomers, signInAsAdmin, startBenchmarkStore } from './benchmark-store.ts'
import { importCatalogue } from './import-catalogue.ts'
import { percentile, runLoad, runSequentially } from './load-generator.ts'
import { printFigure, printHeading, printLoadResult } from './print.ts'

const products = 500
const customers = 20
const priceCents = 100
const runs = 3
const seconds = 3

/**
 * Orders of 1, 5 and 20 different products, placed by 20 customers at once, beside raw transactions that lock the same products and write the
 * same rows, with nothing around them: no HTTP, no account, no prices of the buyer's own, no limits.
 */
export async function benchmarkOrders(): Promise<void> {
  printHeading(`Orders of several lines, ${customers} customers at once, ${products} products`)
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const store = await startBenchmarkStore({ DATA_DIR: dataDir, PORT: `${await findFreePort()}` })
  opened.defer(async () => void (await store.stop()))
  const { address } = store
  const connectionString = embeddedConnectionString(dataDir)
  await importCatalogue(dataDir, connectionString, readCatalogue(products).rows)
  const pool = new pg.Pool({ connectionString, max: customers })
  opened.defer(() => pool.end())
  const { rows } = await pool.query<{ id: string }>(
    `update tools set price_cents = $1, minimum_order_quantity = 1, order_multiple = 1, price_breaks = '[]', available_quantity = 1000000
     where id in (select id from tools where removed_at is null order by position limit $2) returning id`,
    [priceCents, products],
  )
  const ids = rows.map(({ id }) => id)
  const tokens = await registerCustomers(address, customers)
  const { rows: buyers } = await pool.query<{ id: string }>(`select id from users where email like 'buyer%'`)

  for (const lines of [1, 5, 20]) {
    const raw = await median(() =>
      placeRawOrders(
        pool,
        buyers.map(({ id }) => id),
        ids,
        lines,
      ),
    )
    const placed = await runLoad(`${address}/api/orders`, {
      connections: customers,
      method: 'POST',
      headers: (customer) => ({ 'content-type': 'application/json', authorization: `Bearer ${tokens[customer]}` }),
      body: () =>
        JSON.stringify({
          lines: pick(ids, lines).map((productId) => ({ productId, quantity: 1 })),
          buyerAddress: '1 Road',
          expectedTotalCents: priceCents * lines,
        }),
    })
    const lineCount = lines === 1 ? '1 line' : `${lines} lines`
    printLoadResult(`raw transactions of ${lineCount}`, { ...placed, ...raw, kilobytes: 0, failed: 0 })
    printLoadResult(`POST /api/orders, ${lineCount}`, placed, raw, 60)
  }
  await measureAdminList(address, pool)
}

/** The list of orders as admins see it, with its counts, among all orders that were placed here. */
async function measureAdminList(address: string, pool: pg.Pool) {
  const { rows } = await pool.query<{ orders: number; lines: number }>(
    'select count(distinct order_id)::integer as orders, count(*)::integer as lines from order_lines',
  )
  const [all = { orders: 0, lines: 0 }] = rows
  await pool.query('analyze')
  const { token } = await signInAsAdmin(address)
  const lastPage = Math.ceil(all.orders / 20)
  for (const [what, query] of [
    ['the first page', ''],
    ['the last page', `?page=${lastPage}`],
    ['an order by its number', '?q=1500'],
  ]) {
    const paths = Array.from({ length: 20 }, () => `/api/bookings/page${query}`)
    const { p50, kilobytes } = await runSequentially(address, paths, { authorization: `Bearer ${token}` })
    printFigure(`admin's list, ${all.orders} orders of ${all.lines} lines, ${what}`, `p50 ${p50.toFixed(0)} ms  ${kilobytes.toFixed(1)} kB`)
  }
}

/** So many different ones, by chance. */
export function pick(ids: string[], count: number): string[] {
  const picked = new Set<string>()
  while (picked.size < count) picked.add(ids[Math.floor(Math.random() * ids.length)] ?? '')
  return [...picked]
}

export type RawResult = { perSecond: number; p50: number; p99: number }

export async function median(measure: () => Promise<RawResult>): Promise<RawResult> {
  const results: RawResult[] = []
  for (let run = 0; run < runs; run++) results.push(await measure())
  const [, middle] = results.toSorted((a, b) => a.perSecond - b.perSecond)
  if (!middle) throw new Error('Nothing was measured')
  return middle
}

const statements = {
  lock: `select id, name, brand, mpn, price_cents, available_quantity from tools where id = any($1::uuid[]) order by id for no key update`,
  take: `update tools set available_quantity = available_quantity - 1 where id = any($1::uuid[]) and available_quantity >= 1`,
  order: `insert into orders (id, buyer_id, buyer_name, buyer_email, buyer_address, currency, goods_cents, total_cents, hold_until)
    values ($1, $2, 'Ada', 'buyer@shop.example', '1 Road', 'usd', $3, $3, now() + interval '1 day')`,
  lines: `insert into order_lines (id, order_id, position, tool_id, product_name, quantity, list_price_cents, offered_breaks, unit_price_cents, total_cents)
    select gen_random_uuid(), $1, position, id, name, 1, cents, '[]', cents, cents
    from unnest($2::uuid[], $3::text[], $4::integer[]) with ordinality as line (id, name, cents, position)`,
  moves: `insert into stock_movements (tool_id, pieces, reason, order_line_id) select tool_id, -1, 'order', id from order_lines where order_id = $1`,
  history: `insert into order_history (order_id, event, state, order_status, actor, user_id) values ($1, 'placed', 'open', 'open', 'buyer', $2)`,
}

/** Transactions that lock as many products and write the rows of an order of them, one after the other for each buyer. */
export async function placeRawOrders(
  pool: pg.Pool,
  buyerIds: string[],
  ids: string[],
  lines: number,
  onPlaced = () => {},
): Promise<RawResult> {
  const waits: number[] = []
  const end = performance.now() + seconds * 1000
  const buy = async (buyerId: string) => {
    const client = await pool.connect()
    const run = (name: keyof typeof statements, values: unknown[]) => client.query({ name, text: statements[name], values })
    while (performance.now() < end) {
      const start = performance.now()
      const picked = pick(ids, lines)
      const orderId = crypto.randomUUID()
      await client.query('begin')
      const { rows } = await run('lock', [picked])
      await run('take', [picked])
      await run('order', [orderId, buyerId, priceCents * lines])
      await run('lines', [orderId, rows.map(({ id }) => id), rows.map(({ name }) => name), rows.map(({ price_cents }) => price_cents)])
      await run('moves', [orderId])
      await run('history', [orderId, buyerId])
      await client.query('commit')
      waits.push(performance.now() - start)
      onPlaced()
    }
    client.release()
  }
  await Promise.all(buyerIds.map(buy))
  return { perSecond: waits.length / seconds, p50: percentile(waits, 50), p99: percentile(waits, 99) }
}
