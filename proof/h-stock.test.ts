import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { seedCatalogue } from '#demo/catalogue/seed.ts'
import type { Database } from '#platform/database.ts'
import { type Product, productLimits } from '#store/catalogue/contract.ts'
import { users } from '#store/identity/table.ts'
import { lockBuyerForPlacing } from '#store/orders/buyer-limits.ts'
import { lockOrder } from '#store/orders/rules.ts'
import { createProduct, openPayment, openPaymentIntent, placePurchase, recordPayment } from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { type Actor, type ApiResponse, anEmptyStore, type Store, testPassword } from '#test/store.ts'
import { sampleSize } from './full-run.ts'
import { waitUntil } from './running-store.ts'

const wish = ({ _id, name, price }: Pick<Product, '_id' | 'name' | 'price'>, pieces: number) => ({
  toolId: _id,
  productName: name,
  productQuantity: pieces,
  productCost: price * pieces,
  buyerAddress: '1 Road',
})

/** Requests with this access token from another network than that of other tests' actors. */
const fromElsewhere = (store: Store, token: string): Actor['request'] => {
  const { request } = store.visitorFrom('198.51.100.7')
  return (method, path, body, headers) => request(method, path, body, { ...headers, authorization: `Bearer ${token}` })
}

/** Orders everything there is, eight requests at a time, tool after tool, with no wish to pay. */
async function takeAll(attacker: Actor, tools: Product[]): Promise<number> {
  const left = tools.flatMap((tool) => {
    const most = Math.max(tool.minimum_order_quantity, Math.floor(productLimits.maxPrice / tool.price))
    const orders = Math.ceil(tool.available_quantity / most)
    return Array.from({ length: orders }, (_, nth) => wish(tool, Math.min(most, tool.available_quantity - nth * most)))
  })
  const { length } = left
  const connection = async () => {
    for (let next = left.pop(); next; next = left.pop()) await attacker.request('POST', '/purchase', next)
  }
  await Promise.all(Array.from({ length: 8 }, connection))
  return length
}

type Held = { orders: number; pieces: number; dollars: number }
async function heldBy(store: Store, { email }: Actor): Promise<Held> {
  const { rows } = await store.db.execute<Held>(sql`select count(*)::int as orders, coalesce(sum(quantity), 0)::int as pieces,
    coalesce(sum(l.total_cents) / 100, 0)::int as dollars from orders o join order_lines l on l.order_id = o.id
    where order_status = 'open' and buyer_email = ${email}`)
  const [held] = rows
  assert.ok(held)
  return held
}

test('H4 an unverified account that orders the whole catalogue without paying holds a small part of it, and removing it frees that', async (t) => {
  await using store = await anEmptyStore()
  await seedCatalogue(store.db, path.join(import.meta.dirname, '../demo/catalogue'))
  const tools: Product[] = (await store.visitor.request('GET', '/tools')).json()
  const there = tools.reduce((sum, { available_quantity }) => sum + available_quantity, 0)
  const worth = tools.reduce((sum, { available_quantity, price }) => sum + available_quantity * price, 0)
  const attacker = store.newCustomer('Mallory')
  await attacker.token()

  const from = performance.now()
  const requests = await takeAll(attacker, tools)
  const seconds = (performance.now() - from) / 1000
  const held = await heldBy(store, attacker)
  const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`
  t.diagnostic(
    `${requests} requests in ${seconds.toFixed(1)} s: ${held.orders} unpaid orders hold ${held.pieces} of ${there} pieces (${percent(held.pieces, there)}) and $${held.dollars} of $${worth} (${percent(held.dollars, worth)})`,
  )
  assert.ok(held.orders <= 10 && held.pieces <= 5000 && held.dollars <= 50_000, 'no more than a newcomer may have waiting')

  const removed = await store.admin.request('DELETE', `/user/${attacker.email}`)
  assert.equal(removed.statusCode, 200, removed.body)
  await store.jobs.runAllOnce()
  assert.deepEqual(await heldBy(store, attacker), { orders: 0, pieces: 0, dollars: 0 })
  const after: Product[] = (await store.visitor.request('GET', '/tools')).json()
  assert.equal(
    after.reduce((sum, { available_quantity }) => sum + available_quantity, 0),
    there,
    'everything is for sale again',
  )
})

test('H4 thirty unverified accounts of one network hold a small part of the stock together, and from another network a first customer still orders', async (t) => {
  await using store = await anEmptyStore()
  await seedCatalogue(store.db, path.join(import.meta.dirname, '../demo/catalogue'))
  const tools: Product[] = (await store.visitor.request('GET', '/tools')).json()
  const worth = tools.reduce((sum, { available_quantity, price }) => sum + available_quantity * price, 0)
  const { request } = store.visitorFrom('192.0.2.7')
  const registered = async (nth: number): Promise<Record<string, string>> => {
    const body = { name: 'Mallory', email: `mallory${nth}@shop.example`, password: testPassword }
    const provided = await request('POST', '/auth/sign-up/email', body)
    const taken = await request('PUT', `/user/${body.email}`, body, { authorization: `Bearer ${provided.json().token}` })
    assert.equal(taken.statusCode, 200, taken.body)
    return { authorization: `Bearer ${taken.json().token}` }
  }
  const accounts: Record<string, string>[] = []
  while (accounts.length < 30) accounts.push(await registered(accounts.length))

  const dear = tools.toSorted((one, other) => other.price * other.available_quantity - one.price * one.available_quantity)
  const wishes = dear.flatMap((tool) => {
    const most = Math.min(5000, Math.floor(50_000 / tool.price))
    const pieces = Array.from({ length: Math.ceil(tool.available_quantity / most) }, (_, nth) =>
      Math.min(most, tool.available_quantity - nth * most),
    )
    return pieces.filter((each) => each >= tool.minimum_order_quantity).map((each) => wish(tool, each))
  })
  const refusals: ApiResponse[] = []
  let requests = 0
  const from = performance.now()
  const waiting = [...accounts]
  const connection = async () => {
    for (let authorization = waiting.pop(); authorization; authorization = waiting.pop())
      for (let refused = 0; refused < 3; ) {
        const next = wishes.shift()
        if (!next) return
        requests++
        const answer = await request('POST', '/purchase', next, authorization)
        if (answer.statusCode === 201) continue
        refused++
        refusals.push(answer)
        wishes.push(next)
      }
  }
  await Promise.all(Array.from({ length: 8 }, connection))
  const seconds = (performance.now() - from) / 1000
  const { rows } = await store.db.execute<{ dollars: number }>(
    sql`select coalesce(sum(total_cents) / 100, 0)::int as dollars from orders where order_status = 'open'`,
  )
  const dollars = rows[0]?.dollars ?? Number.NaN
  t.diagnostic(
    `${accounts.length} accounts, ${requests} orders in ${seconds.toFixed(1)} s: they hold $${dollars} of $${worth} (${((dollars / worth) * 100).toFixed(1)} %)`,
  )
  assert.ok(dollars <= 150_000, `$${dollars} are held, three times what one account may`)
  const said = refusals.map(({ body }) => body).find((body) => body.includes('in your network'))
  assert.match(
    said ?? '',
    /^{"message":"Accounts in your network whose e-mail is not verified can together have 15,000 pieces and \$150,000 unpaid at a time, and this order would be more\. .*verify your e-mail/i,
  )

  const toolId = await createProduct(store, { pieces: 100, dollars: 3 })
  const small = wish({ _id: toolId, name: 'Drill', price: 3 }, 2)
  const elsewhere = await store.customer.request('POST', '/purchase', small)
  assert.equal(elsewhere.statusCode, 201, elsewhere.body)
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, 'mallory0@shop.example'))
  const verified = await request('POST', '/purchase', small, accounts[0])
  assert.equal(verified.statusCode, 201, verified.body)
})

test('H4 one Gmail mailbox is one buyer, with dots or without, whatever follows a "+", and by either name of Gmail', async () => {
  await using store = await anEmptyStore({ buyerLimits: { openOrders: 1, heldPieces: 1000, heldCents: 10_000_000, ordersPerHour: 1000 } })
  const toolId = await createProduct(store, { dollars: 30, pieces: 100 })
  const buyerOf = async (email: string) => {
    const me = store.visitorFrom('10.9.9.9')
    const { token } = (await me.request('POST', '/auth/sign-up/email', { name: 'Mallory', email, password: testPassword })).json()
    const bearer = { authorization: `Bearer ${token}` }
    const { token: access } = (await me.request('PUT', `/user/${email}`, {}, bearer)).json()
    await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, email))
    return async () =>
      (await me.request('POST', '/purchase', wish({ _id: toolId, name: 'Drill', price: 30 }, 1), { authorization: `Bearer ${access}` }))
        .statusCode
  }
  const spellings = [
    'john.doe@gmail.com',
    'johndoe@gmail.com',
    'j.o.h.n.doe@googlemail.com',
    'johndoe+shop@gmail.com',
    'john.doe+2.x@googlemail.com',
  ]
  const attackers = await Promise.all(spellings.map(buyerOf))
  let placed = 0
  for (let nth = 0; nth < 10; nth++) if ((await attackers[nth % attackers.length]?.()) === 201) placed++
  assert.equal(placed, 4, 'as many as one verified account may have open')
  const others = ['johndo@gmail.com', 'johndoe@gmail.com.example', 'john.doe@shop.example', 'johndoe@shop.example', 'johndoe@notgmail.com']
  for (const other of await Promise.all(others.map(buyerOf))) assert.equal(await other(), 201)
})

test('H4 orders that one account sends at one moment, to two processes, do not pass a limit together', async (t) => {
  const rounds = sampleSize(1, 30)
  for (let round = 0; round < rounds; round++) {
    await using store = await anEmptyStore() // of another round the network has placed as many as it can in an hour
    await using other = await createSecondInstance(store)
    const toolId = await createProduct(store, { pieces: 100_000, dollars: 3 })
    const [many, heavy] = [store.newCustomer(`Many${round}`), store.newCustomer(`Heavy${round}`)]
    await Promise.all([many.token(), heavy.token()])
    const order = async (buyer: Actor, pieces: number, nth: number): Promise<ApiResponse> => {
      const body = wish({ _id: toolId, name: 'Drill', price: 3 }, pieces)
      const answer = await (nth % 2 ? other.request(buyer, 'POST', '/purchase', body) : buyer.request('POST', '/purchase', body))
      return answer.statusCode === 503 ? order(buyer, pieces, nth) : answer // on a busy machine it has waited too long
    }
    const answers = await Promise.all(
      Array.from({ length: sampleSize(20, 50) }, async (_, nth) => [await order(many, 1, nth), await order(heavy, 900, nth)]),
    )
    for (const answer of answers.flat()) assert.ok([201, 409].includes(answer.statusCode), answer.body)
    assert.equal((await heldBy(store, many)).orders, 10, `round ${round}`)
    assert.equal((await heldBy(store, heavy)).pieces, 4500, `round ${round}`)
  }
  t.diagnostic(`${rounds} rounds of ${2 * sampleSize(20, 50)} orders at two processes`)
})

test('H4 an order that comes while its account is removed is refused, or ends with the others', async (t) => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { pieces: 1000, dollars: 3 })
  const rounds = sampleSize(2, 100)
  let placed = 0
  for (let round = 0; round < rounds; round++) {
    const leaving = store.newCustomer(`Leaving${round}`)
    await leaving.token()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => leaving.request('POST', '/purchase', wish({ _id: toolId, name: 'Drill', price: 3 }, 1))),
      store.admin.request('DELETE', `/user/${leaving.email}`),
    ])
    placed += answers.filter(({ statusCode }) => statusCode === 201).length
    await store.jobs.runAllOnce()
    assert.deepEqual(await heldBy(store, leaving), { orders: 0, pieces: 0, dollars: 0 }, `round ${round}`)
  }
  t.diagnostic(`${rounds} accounts removed while they sent four orders each: ${placed} were placed, and all of them ended`)
})

test('H4 the removal of an account waits for an order that is being placed, and ends it', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store, { pieces: 10, dollars: 3 })
  await store.customer.token()
  const waiting = async () => {
    const { rows } = await store.db.execute(sql`select pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database() group by pid`)
    return rows.length
  }
  const asked: Promise<ApiResponse>[] = []
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from tools where id = ${toolId} for update`)
    asked.push(store.customer.request('POST', '/purchase', wish({ _id: toolId, name: 'Drill', price: 3 }, 1)))
    await waitUntil('the order waits for the stock', async () => (await waiting()) === 1)
    const removal = store.admin.request('DELETE', `/user/${store.customer.email}`)
    let removed = false
    asked.push(removal.finally(() => (removed = true)))
    await waitUntil('the removal waits, or is done', async () => removed || (await waiting()) === 2)
  })
  const [placed, removed] = await Promise.all(asked)
  assert.ok(placed && [201, 503].includes(placed.statusCode), placed?.body) // 503: a machine so slow that the statement was given up
  assert.equal(removed?.statusCode, 200, removed?.body)
  await store.jobs.runAllOnce()
  assert.deepEqual(await heldBy(store, store.customer), { orders: 0, pieces: 0, dollars: 0 })
})

test('H2 an account that reads what is its own hundreds of times at once keeps nobody else from reading, ordering and registering', async (t) => {
  await using store = await anEmptyStore()
  const ids: string[] = []
  for (let nth = 0; nth < 20; nth++) ids.push(await createProduct(store, { name: `Drill ${nth}` }))
  const question = new URLSearchParams(ids.map((id) => ['productId', id]))
  for (const somebody of [store.customer, store.otherCustomer]) await somebody.token()
  const [toolId] = ids
  const many = sampleSize(700, 2000)
  const reading = Array.from({ length: many }, (_, nth) => store.customer.request('GET', nth % 2 ? `/own-prices?${question}` : '/orders'))
  const others = await Promise.all([
    store.otherCustomer.request('GET', '/orders'),
    placePurchase(store, { ...(toolId && { toolId }), buyer: store.otherCustomer }),
    store.visitor.request('GET', `/tools/${toolId}`),
    store.newCustomer('Cleo').token(),
  ])
  assert.ok(others.every(Boolean))
  assert.equal(others[0].statusCode, 200, others[0].body)
  assert.equal(others[2].statusCode, 200, others[2].body)
  const told = await Promise.all(reading)
  const refused = told.filter(({ statusCode }) => statusCode !== 200)
  for (const { statusCode, body } of refused) assert.deepEqual([statusCode, JSON.parse(body).code], [503, 'overloaded'])
  assert.ok(refused.length < many)
  t.diagnostic(`${many} reads of one account at once: ${many - refused.length} answered, ${refused.length} told to come again`)
})

test('H2 an account, or twelve of one network, that send 300 orders at once, all refused, or as many requests about one payment, keep no other customer from ordering and paying', async (t) => {
  const buyerLimits = { openOrders: 1, heldPieces: 1000, heldCents: 10_000_000, ordersPerHour: 1000 }
  await using store = await anEmptyStore({ cards: true, buyerLimits })
  const { customer: attacker, newCustomer } = store
  const toolId = await createProduct(store, { pieces: 1000 })
  const order = await placePurchase(store, { toolId, buyer: attacker })
  const intentId = await openPaymentIntent(store, order, attacker)
  const [{ _id: attackerId } = { _id: '' }] = await store.db.select({ _id: users.id }).from(users).where(eq(users.email, attacker.email))
  const puppets = Array.from({ length: 12 }, (_, nth) => newCustomer(`Puppet${nth}`))
  for (const { token } of puppets) await token()
  const many = sampleSize(60, 300)
  const lockOrderOf = (tx: Database) => lockOrder(tx, order._id)
  const floods = [
    {
      what: 'orders',
      lock: (tx: Database) => lockBuyerForPlacing(tx, attackerId),
      send: () => attacker.request('POST', '/purchase', wish({ _id: toolId, name: 'Drill', price: 30 }, 1)),
      refusals: [409, 503],
    },
    {
      what: 'orders of twelve accounts of one network',
      lock: (tx: Database) =>
        tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('orders from ' || network, 0)) from orders where id = ${order._id}`),
      send: (_: unknown, nth: number) =>
        puppets[nth % puppets.length]?.request('POST', '/purchase', wish({ _id: toolId, name: 'Drill', price: 30 }, 1001)) ?? assert.fail(),
      refusals: [409, 503],
    },
    {
      what: 'payments opened with a wrong total',
      lock: lockOrderOf,
      send: () => openPayment(attacker, { ...order, productCost: 31 }),
      refusals: [409, 503],
    },
    {
      what: 'reports of a payment',
      lock: lockOrderOf,
      send: () => recordPayment(attacker, order, intentId),
      refusals: [402, 429, 503],
    },
  ]
  for (const [nth, { what, lock, send, refusals }] of floods.entries()) {
    const account = newCustomer(`Other${nth}`)
    const other = { ...account, request: fromElsewhere(store, (await account.token()) ?? '') }
    const { answers, ms } = await store.db.transaction(async (tx) => {
      await lock(tx) // so that whatever waits for it holds its connection until the others are served
      const answers = Array.from({ length: many }, send)
      const asked = performance.now()
      assert.equal((await store.visitor.request('GET', `/products/${toolId}`)).statusCode, 200, what)
      await openPaymentIntent(store, await placePurchase(store, { toolId, buyer: other }), other)
      return { answers, ms: performance.now() - asked }
    })
    const counted = Object.groupBy(await Promise.all(answers), ({ statusCode }) => statusCode)
    const statuses = Object.entries(counted).map(([status, all]) => `${all?.length} x ${status}`)
    assert.deepEqual(
      Object.keys(counted),
      Object.keys(counted).filter((status) => refusals.includes(Number(status))),
      statuses.join(', '),
    )
    for (const answer of counted[503] ?? []) assert.deepEqual([answer.json().code, answer.headers['retry-after']], ['overloaded', '2'])
    t.diagnostic(
      `${many} ${what} at once: ${statuses.join(', ')}; meanwhile another customer saw a product, ordered and opened the payment in ${ms.toFixed(0)} ms`,
    )
  }
})
