import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type pg from 'pg'
import { migrateDatabase } from '#platform/database.ts'
import { jsonSerializerFor } from '#platform/http.ts'
import type { User } from '#store/identity/contract.ts'
import { listAllPurchases, listBuyerPurchases, showPurchase, showPurchaseHistory } from '#store/orders/contract.ts'
import { listHistory } from '#store/orders/order-history.ts'
import { findOrderById } from '#store/orders/order-queries.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import { findPurchase, findPurchasesOfBuyer, readAllPurchases } from '#store/orders/purchases.ts'
import { migrationsUntil } from './migrations-until.ts'
import { createEmptyDatabase } from './postgres.ts'
import { openTestPool } from './test-database.ts'

/* The store of the release that knew one product for each order, carried over to orders of many lines. */

const migrations = path.join(import.meta.dirname, '../migrations')

type OldPayment = { state: 'open' | 'succeeded' | 'canceled'; refunded?: number; checking?: boolean; card?: string; dispute?: string }
type OldRefund = {
  cents: number
  restock?: number
  endsAs?: string
  state: 'asked' | 'pending' | 'succeeded' | 'failed'
  ofOther?: boolean
}
type OldOrder = {
  state: string
  payment?: OldPayment
  /** a payment that another has replaced */
  replaced?: OldPayment
  refunds?: OldRefund[]
  restocked?: number
  history: HistoryRow[]
}
/** event, state after it, actor */
type HistoryRow = [string, string, string]

const placed: HistoryRow = ['placed', 'open', 'buyer']
const paid: HistoryRow = ['paid', 'paid', 'card provider']
const taken: OldPayment = { state: 'succeeded', card: 'visa 4242' }
const canceled: OldPayment = { state: 'canceled' }

/** An order of 4 pieces for $30 each in every state, and in each way that leads there. */
const oldOrders: Record<string, OldOrder> = {
  'open, without a payment': { state: 'open', history: [placed] },
  'open, with a payment': { state: 'open', payment: { state: 'open' }, history: [placed, ['card declined', 'open', 'card provider']] },
  'open, its payment being checked': { state: 'open', payment: { state: 'open', checking: true }, history: [placed] },
  'open, with a payment that was replaced': { state: 'open', payment: { state: 'open' }, replaced: canceled, history: [placed] },
  paid: { state: 'paid', payment: taken, history: [placed, paid] },
  'paid and disputed': {
    state: 'paid',
    payment: { ...taken, dispute: 'needs_response' },
    history: [placed, paid, ['disputed', 'paid', 'card provider']],
  },
  'paid, a part refunded': {
    state: 'paid',
    payment: { ...taken, refunded: 3000 },
    refunds: [{ cents: 3000, restock: 1, state: 'succeeded' }],
    restocked: 1,
    history: [placed, paid, ['refund asked', 'paid', 'admin'], ['partly refunded', 'paid', 'admin']],
  },
  'paid, a refund asked for and one pending': {
    state: 'paid',
    payment: { ...taken, refunded: 1000 },
    refunds: [
      { cents: 1000, state: 'pending' },
      { cents: 2000, restock: 2, state: 'asked' },
    ],
    history: [placed, paid, ['refund asked', 'paid', 'admin']],
  },
  'paid again, since its refund failed': {
    state: 'paid',
    payment: taken,
    refunds: [{ cents: 12_000, restock: 4, endsAs: 'cancelled', state: 'failed' }],
    restocked: 4,
    history: [placed, paid, ['cancelled', 'cancelled', 'admin'], ['refund failed', 'paid', 'card provider']],
  },
  'paid twice, the second payment given back': {
    state: 'paid',
    payment: taken,
    replaced: { state: 'succeeded', refunded: 12_000 },
    refunds: [{ cents: 12_000, state: 'succeeded', ofOther: true }],
    history: [placed, paid, ['late payment', 'paid', 'store'], ['refunded', 'paid', 'store']],
  },
  packed: { state: 'packed', payment: taken, history: [placed, paid, ['trouble', 'packed', 'store']] },
  shipped: { state: 'shipped', payment: taken, history: [placed, paid, ['trouble', 'packed', 'store'], ['trouble', 'shipped', 'store']] },
  expired: { state: 'expired', payment: canceled, restocked: 4, history: [placed, ['expired', 'expired', 'store']] },
  'expired, and paid too late': {
    state: 'expired',
    payment: { ...taken, refunded: 12_000 },
    refunds: [{ cents: 12_000, state: 'succeeded' }],
    restocked: 4,
    history: [placed, ['expired', 'expired', 'store'], ['late payment', 'expired', 'store'], ['refunded', 'expired', 'store']],
  },
  'cancelled by its buyer': { state: 'cancelled', restocked: 4, history: [placed, ['cancelled', 'cancelled', 'buyer']] },
  'cancelled when it was paid': {
    state: 'cancelled',
    payment: { ...taken, refunded: 12_000 },
    refunds: [{ cents: 12_000, restock: 4, endsAs: 'cancelled', state: 'succeeded' }],
    restocked: 4,
    history: [placed, paid, ['refund asked', 'paid', 'admin'], ['cancelled', 'cancelled', 'admin']],
  },
  refunded: {
    state: 'refunded',
    payment: { ...taken, refunded: 12_000 },
    refunds: [
      { cents: 2000, state: 'succeeded' },
      { cents: 10_000, restock: 3, state: 'succeeded' },
    ],
    restocked: 3,
    history: [placed, paid, ['partly refunded', 'paid', 'admin'], ['refunded', 'refunded', 'admin']],
  },
}

const unit = 30
const quantity = 4
const admin = { id: 'olga', role: 'admin', email: 'olga@shop.example', name: 'Olga' } as User
const buyer = { id: 'ada', role: 'customer', email: 'ada@shop.example', name: 'Ada' } as User

/** Fills the tables of that release. @returns the ids of the orders, oldest first */
async function fill(pool: pg.Pool): Promise<string[]> {
  const tool = crypto.randomUUID()
  await pool.query(`insert into users (id, name, email, role) values ('ada', 'Ada', 'ada@shop.example', 'customer'),
    ('olga', 'Olga', 'olga@shop.example', 'admin')`)
  const orders = Object.values(oldOrders)
  const kept = orders.reduce((sum, { restocked = 0 }) => sum + quantity - restocked, 0)
  await pool.query(
    `insert into tools (id, sku, name, description, price, minimum_order_quantity, available_quantity) values ($1, 'DR-1', 'Drill', 'Turns.', $2, 1, $3)`,
    [tool, unit, 200 - kept],
  )
  await pool.query(`insert into stock_movements (tool_id, pieces, reason) values ($1, 200, 'initial')`, [tool])
  const ids: string[] = []
  for (const [nth, { state, payment, replaced, refunds = [], restocked = 0, history }] of orders.entries()) {
    const id = crypto.randomUUID()
    ids.push(id)
    const pay = async (what: OldPayment | undefined, name: string) => {
      if (!what) return null
      const paymentId = crypto.randomUUID()
      await pool.query(
        `insert into payments (id, intent_id, amount_cents, refunded_cents, state, checking_since, card, dispute_status, settled_at)
         values ($1, $2, 12000, $3, $4, $5, $6, $7, $8)`,
        [
          ...[paymentId, `pi_${name}_${nth}`, what.refunded ?? 0, what.state, what.checking ? '2026-11-20T12:00Z' : null],
          ...[what.card ?? null, what.dispute ?? null, what.state === 'succeeded' ? '2026-11-20T12:00Z' : null],
        ],
      )
      return paymentId
    }
    const [otherPaymentId, paymentId] = [await pay(replaced, 'old'), await pay(payment, 'new')]
    await pool.query('alter table orders disable trigger user')
    await pool.query(
      `insert into orders (id, placed_at, tool_id, product_name, brand, mpn, unit_price, product_quantity, product_cost, buyer_id, buyer_name, buyer_email,
         buyer_address, phone_number, payment_id, state, hold_until, restocked)
       values ($1, '2026-11-20T10:00Z', $2, 'Drill', 'Wera', 'D-1', $3, $4, $5, 'ada', 'Ada', 'ada@shop.example', '1 Road', '01234567890', $6, $7, $8, $9)`,
      [id, tool, unit, quantity, unit * quantity, paymentId, state, state === 'open' ? '2099-01-01' : '2026-11-21', restocked],
    )
    await pool.query('alter table orders enable trigger user')
    await pool.query(`insert into stock_movements (tool_id, pieces, reason, order_id) values ($1, $2, 'order', $3)`, [tool, -quantity, id])
    if (restocked)
      await pool.query(`insert into stock_movements (tool_id, pieces, reason, order_id) values ($1, $2, 'restock', $3)`, [
        tool,
        restocked,
        id,
      ])
    for (const [at, { cents, restock = 0, endsAs = 'refunded', state, ofOther }] of refunds.entries())
      await pool.query(
        `insert into refunds (id, payment_id, order_id, refund_id, amount_cents, restock, ends_as, state, actor, user_id, asked_at)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, 'admin', 'olga', $8)`,
        [
          ...[ofOther ? otherPaymentId : paymentId, id, state === 'asked' ? null : `re_${nth}_${at}`, cents, restock, endsAs, state],
          `2026-11-21T1${at}:00Z`,
        ],
      )
    for (const [event, after, actor] of history)
      await pool.query(
        `insert into order_history (order_id, event, state, actor, user_id, at) values ($1, $2, $3, $4, $5, '2026-11-20T11:00Z')`,
        [...[id, event, after, actor], actor === 'buyer' ? 'ada' : actor === 'admin' ? 'olga' : null],
      )
  }
  return ids
}

const utc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** What that release read for each order of its lists, in SQL. */
const oldColumns = `o.id as "_id", number, ${utc('placed_at')} as "placedAt", tool_id as "toolId", product_name as "productName", o.brand, o.mpn,
  product_quantity as "productQuantity", product_cost as "productCost", buyer_name as "buyerName", buyer_email as "buyerEmail",
  buyer_address as "buyerAddress", ${utc('hold_until')} as "holdUntil", o.state in ('paid', 'packed', 'shipped') as paid,
  case when p.state = 'succeeded' then p.intent_id end as "transectionId",
  case when p.state = 'succeeded' then ${utc('p.settled_at')} end as "paidAt", case when p.state = 'succeeded' then p.card end as card, o.state,
  back.cents as "refundedCents", case when o.state in ('paid', 'packed', 'shipped') then p.amount_cents - back.cents else 0 end as "refundableCents",
  case when o.state in ('paid', 'packed', 'shipped') then product_quantity - restocked
    - (select coalesce(sum(restock), 0) from refunds where order_id = o.id and state = 'asked') else 0 end::integer as "refundablePieces",
  restocked, o.state = 'open' and p.checking_since is not null as checking, sku, phone_number,
  coalesce(p.dispute_status not in ('won', 'warning_closed'), false) as disputed,
  coalesce((select json_agg(json_build_object('amountCents', amount_cents, 'at', ${utc('asked_at')}) order by asked_at)
    from refunds where order_id = o.id and payment_id = p.id and state <> 'failed'), '[]') as refunds`
const oldTables = `orders o join tools on tools.id = tool_id left join payments p on p.id = payment_id, lateral (select coalesce(least(p.amount_cents,
    p.refunded_cents + (select coalesce(sum(amount_cents), 0) from refunds where payment_id = p.id and state = 'asked')), 0)::integer as cents) back`

async function readOld(pool: pg.Pool) {
  const { rows } = await pool.query(`select ${oldColumns} from ${oldTables} order by number desc`)
  const history = await pool.query(
    `select h.order_id, event, h.state, ${utc('h.at')} as at, actor, u.email as by, note, amount_cents as "amountCents", 'none' as mail
     from order_history h left join users u on u.id = user_id order by h.id`,
  )
  return {
    orders: rows.map(({ refundableCents: cents, refundablePieces: pieces, ...row }) => ({ ...row, refundable: { cents, pieces } })),
    historyOf: (id: string) => history.rows.filter((row) => row.order_id === id),
  }
}

const serializers = {
  all: jsonSerializerFor(listAllPurchases.schema.response[200]),
  ofBuyer: jsonSerializerFor(listBuyerPurchases.schema.response[200]),
  one: jsonSerializerFor(showPurchase.schema.response[200]),
  history: jsonSerializerFor(showPurchaseHistory.schema.response[200]),
}

test('orders of one product become orders of one line: every answer of the calls stays the same to the byte, and the books are right', async (t) => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0017_networks_of_all_orders')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const ids = await fill(pool)
  const old = await readOld(pool)

  await migrateDatabase(database.connectionString, migrations)

  assert.deepEqual(
    (await checkInvariants(db)).flatMap(({ violations }) => violations),
    [],
  )
  const all = await readAllPurchases(db, { limit: 100 })
  const asBefore = all.map((order, nth) => ({ ...old.orders[nth], attention: order.attention }))
  assert.deepEqual(JSON.parse(serializers.all(all)), JSON.parse(serializers.all(asBefore)))
  assert.equal(serializers.all(all), serializers.all(asBefore))
  assert.equal(serializers.ofBuyer(await findPurchasesOfBuyer(db, buyer, buyer.email, { limit: 100 })), serializers.ofBuyer(old.orders))
  for (const [nth, id] of ids.toReversed().entries()) {
    const { disputed: _, phone_number: __, ...forBuyer } = old.orders[nth] ?? {}
    assert.equal(serializers.one(await findPurchase(db, buyer, id)), serializers.one(forBuyer))
    assert.equal(serializers.one(await findPurchase(db, admin, id)), serializers.one(old.orders[nth]))
    assert.equal(
      serializers.history(await listHistory(db, admin, id)),
      serializers.history(old.historyOf(id).map((entry) => ({ ...entry, items: null }))),
    )
  }
  const statuses = await Promise.all(ids.map((id) => findOrderById(db, id)))
  assert.ok(
    statuses.every(({ lines }) => lines.every(({ sku }) => sku === null)),
    'nobody knows which SKU a product had then',
  )
  assert.deepEqual(
    Object.fromEntries(
      Object.keys(oldOrders).map((what, nth) => {
        const { orderStatus, paymentStatus, fulfilmentStatus } = statuses[nth] ?? assert.fail()
        return [what, `${orderStatus}, ${paymentStatus}, ${fulfilmentStatus}`]
      }),
    ),
    {
      'open, without a payment': 'open, unpaid, to_send',
      'open, with a payment': 'open, unpaid, to_send',
      'open, its payment being checked': 'open, checking, to_send',
      'open, with a payment that was replaced': 'open, unpaid, to_send',
      paid: 'placed, paid, to_send',
      'paid and disputed': 'placed, paid, to_send',
      'paid, a part refunded': 'placed, partly_refunded, to_send',
      'paid, a refund asked for and one pending': 'placed, partly_refunded, to_send',
      'paid again, since its refund failed': 'placed, paid, to_send',
      'paid twice, the second payment given back': 'placed, paid, to_send',
      packed: 'placed, paid, to_send',
      shipped: 'completed, paid, sent',
      expired: 'expired, unpaid, to_send',
      'expired, and paid too late': 'expired, refunded, to_send',
      'cancelled by its buyer': 'cancelled, unpaid, to_send',
      'cancelled when it was paid': 'cancelled, refunded, to_send',
      refunded: 'completed, refunded, to_send',
    },
  )
  t.diagnostic(`${ids.length} orders`)
})
