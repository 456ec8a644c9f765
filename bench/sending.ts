import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { createDataDir, findFreePort } from '#test/store-process.ts'
import { readCatalogue } from '../proof/catalogue.ts'
import { registerCustomers, signInAsAdmin, startBenchmarkStore } from './benchmark-store.ts'
import { importCatalogue } from './import-catalogue.ts'
import { printFigure, printHeading, printLimitCheck } from './print.ts'

const products = 500
const [orders, toSend] = [25_000, 5000]

/** What a packer waits for, in a shop with many orders of three products each, of which the newest are to be sent. */
export async function benchmarkSending(): Promise<void> {
  printHeading(`Sending: ${toSend} orders to send of ${orders}`)
  await using opened = new AsyncDisposableStack()
  const { dataDir } = opened.use(createDataDir())
  const store = await startBenchmarkStore({ DATA_DIR: dataDir, PORT: `${await findFreePort()}` })
  opened.defer(async () => void (await store.stop()))
  const connectionString = embeddedConnectionString(dataDir)
  await importCatalogue(dataDir, connectionString, readCatalogue(products).rows)
  const pool = new pg.Pool({ connectionString, max: 1 })
  opened.defer(() => pool.end())
  await registerCustomers(store.address, 1)
  const numbers = await insertOrders(pool)
  const { token } = await signInAsAdmin(store.address)
  const authorization = `Bearer ${token}`
  async function timed<Answer>(path: string, body?: object): Promise<{ ms: number; answer: Answer }> {
    const from = performance.now()
    const response = await fetch(`${store.address}/api/orders/to-send${path}`, {
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const ms = performance.now() - from
    if (!response.ok) throw new Error(`${path} is answered ${response.status}: ${text}`)
    return { ms, answer: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
  }

  type Listed = { orders: { _id: string }[]; next: string | null }
  const first = await timed<Listed>('')
  printFigure('To Send, its first page, the first time', `${first.ms.toFixed(0)} ms`)
  const again: number[] = []
  for (let nth = 0; nth < 11; nth++) again.push((await timed('')).ms)
  const median = again.toSorted((a, b) => a - b)[5] ?? Number.NaN
  printLimitCheck('To Send, its first page, median of eleven', median, { most: 100 }, 'ms')
  const more = await timed<Listed>(`?cursor=${first.answer.next}`)
  const ids = [...first.answer.orders, ...more.answer.orders].map(({ _id }) => `order=${_id}`)
  printLimitCheck(`data of a pick list of ${ids.length} orders`, (await timed(`?${ids.join('&')}`)).ms, { most: 1000 }, 'ms')
  printFigure(`file of ${toSend} addresses`, `${(await timed('/addresses')).ms.toFixed(0)} ms`)
  const file = numbers.map((number) => `${number},${`${number}`.padStart(20, '0')},DHL`).join('\n')
  printFigure(`file of ${toSend} tracking numbers, checked`, `${(await timed('/tracking-numbers', { file })).ms.toFixed(0)} ms`)
  const { ms, answer } = await timed<{ counts: { send: number } }>('/tracking-numbers', { file, run: true })
  printFigure(`file of ${toSend} tracking numbers, ${answer.counts.send} orders sent by it`, `${(ms / 1000).toFixed(1)} s`)
  printFigure('the same file again', `${(await timed('/tracking-numbers', { file, run: true })).ms.toFixed(0)} ms`)
}

/** @returns the numbers of the orders that are to be sent */
async function insertOrders(pool: pg.Pool): Promise<number[]> {
  await pool.query(
    `insert into orders (id, currency, goods_cents, total_cents, buyer_id, buyer_name, buyer_email, buyer_address, hold_until)
     select gen_random_uuid(), 'usd', 300, 300, users.id, users.name, users.email, '1 Road', now() + interval '1 day'
     from users, generate_series(1, $1) where users.email = 'buyer1@shop.example'`,
    [orders],
  )
  await pool.query(
    `with parts as (select id, name, sku, row_number() over (order by id) - 1 as nth from tools where removed_at is null limit $1)
     insert into order_lines (id, order_id, position, tool_id, product_name, sku, quantity, list_price_cents, unit_price_cents, total_cents)
     select gen_random_uuid(), orders.id, position, parts.id, parts.name, parts.sku, 1, 100, 100, 100
     from orders, generate_series(1, 3) as position join parts on true where parts.nth = (orders.number * 7 + position * 31) % $1`,
    [products],
  )
  await pool.query(
    `insert into order_history (order_id, event, state, order_status, actor) select id, 'placed', 'open', 'open', 'buyer' from orders`,
  )
  await pool.query(`update orders set order_status = 'placed', payment_status = 'paid'`)
  await pool.query(
    `update orders set order_status = 'completed', fulfilment_status = 'sent' where number <= (select max(number) from orders) - $1`,
    [toSend],
  )
  await pool.query('analyze')
  const { rows } = await pool.query<{ number: number }>(`select number from orders where order_status = 'placed' order by number`)
  return rows.map(({ number }) => number)
}
