import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import drizzleConfig from '#drizzle.config.ts'
import { migrateDatabase } from '#platform/database.ts'
import type { EmailMessage } from '#platform/mail.ts'
import * as catalogue from '#store/catalogue/rules.ts'
import { sendDueOwnerNotice } from '#store/identity/owner-notices.ts'
import { checkInvariants } from '#store/orders/payments/invariants.ts'
import { migrationsUntil } from './migrations-until.ts'
import { createEmptyDatabase } from './postgres.ts'
import { openTestPool } from './test-database.ts'

const migrations = path.join(import.meta.dirname, '../migrations')

test('orders from before there were states keep what they were, and the books about them are right', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0001_people')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const [drill, paidOrder, openOrder, payment] = Array.from({ length: 4 }, () => crypto.randomUUID())
  await pool.query(`insert into users (id, name, email) values ('ada', 'Ada', 'ada@shop.example')`)
  await pool.query(
    `insert into tools (id, name, description, price, minimum_order_quantity, available_quantity, brand, mpn)
     values ('${drill}', 'Drill', 'Turns.', 30, 1, 25, 'Wera', '05134-B'), (gen_random_uuid(), 'Sold out', 'Gone.', 10, 1, 0, null, null)`,
  )
  await pool.query(
    `insert into payments (id, intent_id, amount_cents, state, settled_at) values ('${payment}', 'pi_1', 30000, 'succeeded', '2026-10-02T12:00Z')`,
  )
  const columns =
    'id, tool_id, product_name, unit_price, product_quantity, product_cost, buyer_id, buyer_name, buyer_email, buyer_address, placed_at, payment_id'
  const ofAda = `'ada', 'Ada', 'ada@shop.example', '1 Road'`
  await pool.query(
    `insert into orders (${columns}) values ('${paidOrder}', '${drill}', 'Drill', 30, 10, 300, ${ofAda}, '2026-10-01T12:00Z', '${payment}'),
       ('${openOrder}', '${drill}', 'Drill', 30, 5, 150, ${ofAda}, '2026-10-03T12:00Z', null)`,
  )

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query(
    `select quantity, order_status, payment_status, restocked, hold_until > now() as held, brand, mpn
     from orders join order_lines on order_id = orders.id order by number`,
  )
  const what = { restocked: 0, brand: 'Wera', mpn: '05134-B' }
  assert.deepEqual(rows, [
    { ...what, quantity: 10, order_status: 'placed', payment_status: 'paid', held: false },
    { ...what, quantity: 5, order_status: 'open', payment_status: 'unpaid', held: true },
  ])
  assert.deepEqual((await pool.query('select available_quantity as pieces from tools order by position')).rows, [
    { pieces: 25 },
    { pieces: 0 },
  ])
  assert.deepEqual(
    (await checkInvariants(db)).flatMap(({ violations }) => violations),
    [],
  )
  await assert.rejects(
    pool.query(`update orders set order_status = 'expired' where order_status = 'placed'`),
    /an order does not go from placed to expired/,
  )
})

test('how the disputes so far stand is taken from the history, and how one has ended stays', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0006_overview')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await pool.query(`insert into users (id, name, email) values ('ada', 'Ada', 'ada@shop.example')`)
  const told = [['needs_response'], ['won', 'needs_response'], ['needs_response', 'lost'], []]
  for (const [nth, statuses] of told.entries()) {
    const [tool, order, payment] = Array.from({ length: 3 }, () => crypto.randomUUID())
    await pool.query(
      `insert into tools (id, sku, name, description, price, minimum_order_quantity, available_quantity) values ('${tool}', 'DR-${nth}', 'Drill', 'Turns.', 30, 1, 9)`,
    )
    await pool.query(
      `insert into payments (id, intent_id, amount_cents, state, settled_at) values ('${payment}', 'pi_${nth}', 3000, 'succeeded', now())`,
    )
    await pool.query(
      `insert into orders (id, tool_id, product_name, unit_price, product_quantity, product_cost, buyer_id, buyer_name, buyer_email, buyer_address, hold_until, payment_id)
       values ('${order}', '${tool}', 'Drill', 30, 1, 30, 'ada', 'Ada', 'ada@shop.example', '1 Road', now(), '${payment}')`,
    )
    for (const status of statuses)
      await pool.query(
        `insert into order_history (order_id, event, state, actor, note) values ('${order}', 'disputed', 'open', 'card provider', $1)`,
        [`The buyer's bank disputes this payment (fraudulent): ${status}`],
      )
  }

  await migrateDatabase(database.connectionString, migrations)

  const kept = await db.execute(sql`select dispute_status as status from payments order by intent_id`)
  assert.deepEqual(
    kept.rows.map(({ status }) => status),
    ['needs_response', 'won', 'lost', null],
  )
})

test('of the reviews that one author posted before there could be one only, the newest stays', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0006_overview')
  await migrateDatabase(database.connectionString, before.folder)
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await pool.query(`insert into users (id, name, email) values ('ada', 'Ada', 'ada@shop.example'), ('bob', 'Bob', 'bob@shop.example')`)
  const write = (authorId: string | null, about: string) =>
    pool.query(
      `insert into reviews (id, name, img, about, rating, author_id) values (gen_random_uuid(), 'Somebody', '/drawings/avatar.svg', $2, 4, $1)`,
      [authorId, about],
    )
  for (const [authorId, about] of [
    ['ada', 'first'],
    [null, 'example'],
    ['bob', 'only'],
    ['ada', 'second'],
    ['ada', 'third'],
    [null, 'other example'],
  ] as const)
    await write(authorId, about)

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query('select about, hidden from reviews order by position')
  assert.deepEqual(
    rows,
    ['example', 'only', 'third', 'other example'].map((about) => ({ about, hidden: false })),
  )
  await assert.rejects(write('bob', 'once more'), /reviews_by_author/)
})

test('the reviews from before products had any stay those of the shop, one for each author, who then reviews each product once', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0077_documents_of_an_order_in_turn')
  await migrateDatabase(database.connectionString, before.folder)
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await pool.query(`insert into users (id, name, email) values ('ada', 'Ada', 'ada@shop.example')`)
  const insert = `insert into reviews (id, name, img, about, rating`
  const values = `values (gen_random_uuid(), 'Somebody', '/drawings/avatar.svg', 'Good'`
  await pool.query(`${insert}, author_id) ${values}, 0, 'ada'), (gen_random_uuid(), 'Example', '/a.svg', 'Fine', 4.2, null)`)

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query('select about, product_id as product from reviews order by position')
  assert.deepEqual(rows, [
    { about: 'Good', product: null },
    { about: 'Fine', product: null },
  ])
  const { rows: tools } = await pool.query<{ id: string }>(
    `insert into tools (id, name, img, description, price_cents, minimum_order_quantity, available_quantity, sku)
     select gen_random_uuid(), name, '/d.svg', 'Turns.', 100, 1, 1, name from unnest(array['Drill', 'Saw']) as name returning id`,
  )
  const review = (productId: string | null, rating: number, authorId: string | null = 'ada') =>
    pool.query(`${insert}, author_id, product_id) ${values}, $3, $2, $1)`, [productId, authorId, rating])
  for (const { id } of tools) await review(id, 4.5)
  await assert.rejects(review(null, 4), /reviews_by_author"/)
  await assert.rejects(review(tools[0]?.id ?? '', 4), /reviews_by_author_and_product/)
  for (const [rating, author] of [
    [0.5, 'ada'],
    [5.5, 'ada'],
    [4.2, 'ada'],
    [4, null],
  ] as const)
    await assert.rejects(review(tools[0]?.id ?? '', rating, author), /reviews_of_product|reviews_by_author_and_product/, `${rating}`)
})

test('in a shop from before there were owners the admin whose account is oldest becomes one', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0006_overview')
  await migrateDatabase(database.connectionString, before.folder)
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await pool.query(
    `insert into users (id, name, email, role, created_at, removed_at) values
       ('gone', 'Gone', 'gone@shop.example', 'customer', '2026-01-01', '2026-02-01'), ('buyer', 'Buyer', 'buyer@shop.example', 'customer', '2026-01-02', null),
       ('first', 'First', 'first@shop.example', 'admin', '2026-01-03', null), ('second', 'Second', 'second@shop.example', 'admin', '2026-01-04', null)`,
  )

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query('select id from users where owner')
  assert.deepEqual(rows, [{ id: 'first' }])
})

test('the accounts from before have the mailbox that Gmail delivers to, and the index by it is there', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0008_mailboxes')
  await migrateDatabase(database.connectionString, before.folder)
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const mailboxes = {
    'john.doe@gmail.com': 'johndoe@gmail.com',
    'johndoe+1@gmail.com': 'johndoe@gmail.com',
    'j.ohn.doe+a.b@googlemail.com': 'johndoe@gmail.com',
    'john.doe+1@shop.example': 'john.doe@shop.example',
    'john.doe@notgmail.com': 'john.doe@notgmail.com',
    'john.doe@gmail.com.example': 'john.doe@gmail.com.example',
    'john.doe@mail.gmail.com': 'john.doe@mail.gmail.com',
  }
  for (const email of Object.keys(mailboxes)) await pool.query('insert into users (id, name, email) values ($1, $1, $1)', [email])

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query<{ email: string; mailbox: string }>('select email, mailbox from users')
  assert.deepEqual(Object.fromEntries(rows.map(({ email, mailbox }) => [email, mailbox])), mailboxes)
  const { rows: indexes } = await pool.query(`select from pg_indexes where indexname = 'users_by_mailbox'`)
  assert.equal(indexes.length, 1)
})

test('a mail to owners about an import that waits while the store is updated is sent afterwards', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0014_reviews_of_paid_orders')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await pool.query(
    `insert into owner_notices (id, to_email, event, about_email, by_email, detail)
     values ('1', 'ada@shop.example', 'large import', 'eve@shop.example', 'eve@shop.example', '51 products')`,
  )

  await migrateDatabase(database.connectionString, migrations)

  const sent: EmailMessage[] = []
  await sendDueOwnerNotice(db, { send: async (message) => void sent.push(message), close: () => {} }, 'https://shop.example')
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    ['eve@shop.example has changed many products within an hour'],
  )
  assert.match(sent[0]?.text ?? '', /51 changes of products within an hour were made by eve@shop\.example on/)
})

test('prices from before there were cents are the same in dollars, and what changes of them was kept stays as it was said', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0017_networks_of_all_orders')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const [drill, saw, importId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await pool.query(
    `insert into tools (id, sku, name, description, category, price, minimum_order_quantity, available_quantity, removed_at)
     values ('${drill}', 'D-1', 'Drill', 'Turns.', 'tools', 30, 1, 9, null), ('${saw}', 'S-1', 'Saw', 'Cuts.', 'tools', 999999, 1, 9, now())`,
  )
  await pool.query(
    `insert into import_rows (import_id, row, sku, price) values ('${importId}', 1, 'D-1', 31), ('${importId}', 2, 'S-1', null)`,
  )
  await pool.query(`insert into product_history (tool_id, field, before, after) values ('${drill}', 'price', '29', '30')`)
  const logged = async () => (await pool.query('select count(*)::int as many from tool_changes')).rows[0].many
  const loggedBefore = await logged()

  await migrateDatabase(database.connectionString, migrations)

  assert.deepEqual((await pool.query('select price_cents from tools order by position')).rows, [
    { price_cents: 3000 },
    { price_cents: 99_999_900 },
  ])
  assert.deepEqual((await pool.query('select price_cents from import_rows order by row')).rows, [
    { price_cents: 3100 },
    { price_cents: null },
  ])
  assert.equal(await logged(), loggedBefore, 'nothing that the search index would have to read has changed')
  assert.equal((await catalogue.prepareProductQueries(db).one.execute({ id: drill }))[0]?.price, 30)
  await catalogue.updateProduct(db, drill, { price: 12.35, minimum_order_quantity: 1, available_quantity: 9 }, 'ada')
  assert.deepEqual(
    (await catalogue.listHistory(db, drill)).map(({ field, before, after }) => [field, before, after]),
    [
      ['price', '30', '12.35'],
      ['price', '29', '30'],
    ],
  )
  for (const cents of [0, 99_999_901])
    await assert.rejects(pool.query('update tools set price_cents = $1', [cents]), /tools_price/, `${cents} cents`)
  const { rows } = await pool.query(`select indexdef from pg_indexes where indexname = 'tools_by_category'`)
  assert.match(rows[0].indexdef, /\(category, price_cents\) WHERE \(removed_at IS NULL\)/)
})

test('an order that was replaced before orders said so is replaced by the next order of its basket, as its page said', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0047_lock_and_take_products')
  await migrateDatabase(database.connectionString, before.folder)
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const [cart, otherCart] = [crypto.randomUUID(), crypto.randomUUID()]
  const notes = [
    [cart, 'You have ordered your basket anew'],
    [otherCart, null],
    [cart, 'Too many'],
    [cart, 'You have ordered your basket anew'],
  ] as const
  for (const [cartId, note] of notes) {
    const id = crypto.randomUUID()
    await pool.query(
      `insert into orders (id, placed_by_guest, buyer_name, buyer_email, buyer_address, currency, goods_cents, total_cents, hold_until)
       values ('${id}', true, 'Gwen', 'gwen@shop.example', '1 Road', 'usd', 3000, 3000, now())`,
    )
    await pool.query(
      `insert into order_details (order_id, cart_id, request_hash, name, deliver_to, part_numbers) values ('${id}', '${cartId}', '', 'Gwen', '{}', '[]')`,
    )
    if (note)
      await pool.query(
        `insert into order_history (order_id, event, state, order_status, actor, note) values ('${id}', 'cancelled', 'cancelled', 'cancelled', 'buyer', $1)`,
        [note],
      )
  }

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query(
    `select next.number from orders join order_details on order_id = orders.id left join orders as next on next.id = replaced_by order by orders.number`,
  )
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1003, null, null, null],
  )
})

test('prices that were lowered before a store showed it are shown as lowered by what was kept of their changes, where nothing is missing', async () => {
  await using database = await createEmptyDatabase({ migrated: false })
  using before = migrationsUntil('0070_withdrawn_returns_rules')
  await migrateDatabase(database.connectionString, before.folder)
  const { db, pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  type PriceChange = [daysAgo: number, before: string, after: string]
  const sell = async (sku: string, cents: number, changes: PriceChange[], { daysOld = 90, minimum = 1, stock = 9, breaks = '[]' } = {}) => {
    const { rows } = await pool.query(
      `insert into tools (id, sku, name, description, price_cents, minimum_order_quantity, available_quantity, price_breaks, created_at)
       values (gen_random_uuid(), $1, $1, 'Turns.', $2, $3, $4, $5, now() - make_interval(days => $6)) returning id`,
      [sku, cents, minimum, stock, breaks, daysOld],
    )
    if (stock > 0) await pool.query(`insert into stock_movements (tool_id, pieces, reason) values ($1, $2, 'initial')`, [rows[0].id, stock])
    for (const [daysAgo, before, after] of changes)
      await pool.query(
        `insert into product_history (tool_id, field, before, after, at) values ($1, 'price', $2, $3, now() - make_interval(days => $4))`,
        [rows[0].id, before, after, daysAgo],
      )
    return rows[0].id
  }
  await sell('lowered twice', 900, [
    [20, '12.35', '10'],
    [5, '10', '9'],
  ])
  await sell('lowered long ago', 1000, [[31, '12', '10']])
  await sell('was lower', 1000, [
    [25, '8', '12'],
    [5, '12', '10'],
  ])
  await sell('raised', 1100, [
    [20, '12', '10'],
    [5, '10', '11'],
  ])
  await sell('changed unseen', 950, [[20, '12', '10']])
  await sell('never changed', 950, [])
  await sell('too young', 950, [[20, '12', '9.5']], { daysOld: 49 })
  await sell('never in stock', 950, [[20, '12', '9.5']], { stock: 0 })
  await sell('paid by nobody', 950, [[20, '12', '9.5']], { minimum: 5, breaks: '[{"min_quantity": 5, "price_cents": 100}]' })
  const broughtBack = await sell('brought back', 950, [[20, '12', '9.5']])
  await pool.query(
    `insert into product_history (tool_id, field, before, after, at) values ($1, 'for_sale', 'false', 'true', now() - interval '21 days')`,
    [broughtBack],
  )
  const logged = async () => (await pool.query('select count(*)::int as many from tool_changes')).rows[0].many
  const loggedBefore = await logged()

  await migrateDatabase(database.connectionString, migrations)

  const { rows } = await pool.query(
    'select sku, lowered_from_cents as cents, extract(day from now() - lowered_at)::int as days from tools where lowered_at is not null',
  )
  assert.deepEqual(rows, [{ sku: 'lowered twice', cents: 1235, days: 20 }])
  assert.equal(
    await logged(),
    loggedBefore + 1 + 4 * 2,
    'four are shown by one migration and no longer by another, which logs only what is shown',
  )
  const unasked = await pool.query('select sku from tools where list_price_asked_since is null order by sku')
  assert.deepEqual(
    unasked.rows.map(({ sku }) => sku),
    ['never in stock', 'paid by nobody'],
  )
  assert.deepEqual(
    (await checkInvariants(db)).flatMap(({ violations }) => violations),
    [],
  )
})

test('the migrations make the tables that the code describes: the same columns, of the same types, and the same of them must be filled', async () => {
  await using database = await createEmptyDatabase()
  const { pool } = openTestPool(database.connectionString)
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  const root = path.join(import.meta.dirname, '..')
  const files = globSync(drizzleConfig.schema ?? [], { cwd: root })
  const modules: Record<string, unknown>[] = await Promise.all(files.map((file) => import(path.join(root, file))))
  const tables = modules.flatMap(Object.values).filter((each) => is(each, PgTable))
  const described = tables
    .map(getTableConfig)
    .flatMap(({ name: table, columns }) =>
      columns.map((column) => `${table}.${column.name} ${column.getSQLType()}${column.notNull ? ' not null' : ''}`),
    )

  const { rows } = await pool.query<{ found: string }>(
    `select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as found
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  )

  assert.deepEqual(rows.map(({ found }) => found).sort(), described.sort())
})
