import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { Product } from '#store/catalogue/contract.ts'
import { products } from '#store/catalogue/table.ts'
import { createProduct } from '#test/order-actions.ts'
import { type Actor, anEmptyStore, type Store } from '#test/store.ts'
import type { AdminPurchase, Purchase, PurchaseListItem } from './contract.ts'
import { orders as books } from './table.ts'

const drill = {
  name: 'Drill',
  img: '/drawings/drill.svg',
  description: 'Turns.',
  price: 30,
  minimum_order_quantity: 5,
  available_quantity: 40,
}

async function sell(store: Store, changes: Partial<typeof drill> = {}): Promise<Product> {
  const added = await store.admin.request('POST', '/tools', { ...drill, ...changes })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()
}

/** Sends what the purchase screen sends, or something else. */
const buy = (buyer: Actor, tool: Pick<Product, '_id' | 'name' | 'price'>, quantity: number, changes: object = {}) =>
  buyer.request('POST', '/purchase', {
    toolId: tool._id,
    productName: tool.name,
    productQuantity: quantity,
    productCost: tool.price * quantity,
    buyerAddress: '1 Road',
    ...changes,
  })

const stockOf = async (store: Store, { _id }: Product): Promise<number> =>
  (await store.visitor.request('GET', `/tools/${_id}`)).json().available_quantity
const allOrders = async (store: Store): Promise<Purchase[]> => (await store.admin.request('GET', '/bookings')).json()

test('an order takes its pieces from the stock and is answered as it stands in the books', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)

  const placed = await buy(store.customer, tool, 10, { phone_number: '0123 456 789' })

  assert.equal(placed.statusCode, 201, placed.body)
  const { _id, number, placedAt, holdUntil, ...rest } = placed.json()
  assert.deepEqual(rest, {
    toolId: tool._id,
    productName: 'Drill',
    brand: null,
    mpn: null,
    productQuantity: 10,
    productCost: 300,
    buyerName: 'Ada',
    buyerEmail: 'ada@shop.example',
    buyerAddress: '1 Road',
    paid: false,
    transectionId: null,
    paidAt: null,
    card: null,
    state: 'open',
    refundedCents: 0,
    refundable: { cents: 0, pieces: 0 },
    restocked: 0,
    checking: false,
  })
  assert.equal(Date.parse(holdUntil) - Date.parse(placedAt), 24 * 3600 * 1000, 'it is held for a day')
  assert.equal(number, 1001)
  assert.ok(Date.parse(placedAt) > 0)
  assert.equal(await stockOf(store, tool), 30)
  assert.deepEqual((await store.customer.request('GET', `/purchase/${_id}`)).json(), placed.json())
})

test('an order keeps maker and part number as the catalogue said when it was placed', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  await store.db.update(products).set({ brand: 'Wera', mpn: '05134-B' }).where(eq(products._id, tool._id))
  const placed: Purchase = (await buy(store.customer, tool, 10)).json()
  await store.db.update(products).set({ brand: 'Wiha', mpn: '7' }).where(eq(products._id, tool._id))

  const [kept] = await allOrders(store)
  for (const order of [placed, kept]) assert.deepEqual([order?.brand, order?.mpn], ['Wera', '05134-B'])
})

test('the phone number of an order is kept with it in the books, and told to admins alone', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)

  const placed = await buy(store.customer, tool, 10, { phone_number: ' +44 20-7946 0018 ' })
  await buy(store.customer, tool, 10)

  const kept = await store.db.select({ phone: books.phoneNumber }).from(books).orderBy(books.number)
  assert.deepEqual(kept, [{ phone: '+44 20-7946 0018' }, { phone: null }])
  for (const answer of [
    placed,
    await store.customer.request('GET', `/purchase/${placed.json()._id}`),
    await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`),
  ])
    assert.doesNotMatch(answer.body, /phone|7946/i)
  assert.equal((await store.admin.request('GET', `/purchase/${placed.json()._id}`)).json().phone_number, '+44 20-7946 0018')
  const bookings: AdminPurchase[] = (await store.admin.request('GET', '/bookings')).json()
  assert.deepEqual(
    bookings.map(({ phone_number }) => phone_number),
    [null, '+44 20-7946 0018'],
  )
})

test('lists of orders name the SKU of the part as the catalogue says it now, also of one that is no longer sold', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  await buy(store.customer, tool, 10)
  await store.db.update(products).set({ sku: 'WR-05134' }).where(eq(products._id, tool._id))
  await store.admin.request('DELETE', `/tools/${tool._id}`)

  for (const answer of [
    await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`),
    await store.admin.request('GET', '/bookings'),
  ])
    assert.deepEqual(
      answer.json().map(({ sku }: PurchaseListItem) => sku),
      ['WR-05134'],
    )
})

test('products and orders are answered all at once, however many there are', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 1000 })
  for (let nth = 1; nth <= 120; nth++) assert.equal((await buy(store.customer, tool, 1)).statusCode, 201)
  for (let nth = 2; nth <= 120; nth++) await sell(store, { name: `Drill ${nth}` })

  const asked = [
    store.visitor.request('GET', '/tools'),
    store.admin.request('GET', '/bookings'),
    store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`),
  ]
  for (const answer of await Promise.all(asked)) {
    const listed: { _id: string }[] = answer.json()
    assert.equal(new Set(listed.map(({ _id }) => _id)).size, 120)
    assert.equal(listed.length, 120)
  }
})

test('orders are numbered as they come, and listed from the newest on', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  for (const pieces of [5, 6, 7]) await buy(store.customer, tool, pieces)

  const orders: Purchase[] = (await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()

  const listed = orders.map(({ number, productQuantity }) => `${number}: ${productQuantity}`)
  assert.deepEqual(listed, ['1003: 7', '1002: 6', '1001: 5'])
})

test('an order costs what the catalogue says, not what the browser says', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)

  for (const productCost of [1, 0, -300, 299, 301, -1e17, 1e17]) {
    const answer = await buy(store.customer, tool, 10, { productCost })
    assert.equal(answer.statusCode, 409)
    assert.equal(answer.json().message, 'The price has changed: 10 pieces now cost $300')
  }

  assert.deepEqual([await stockOf(store, tool), await allOrders(store)], [40, []])
})

test('an order below the minimum or above the stock is refused in the words of the form, and says when more arrives', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)

  for (const [pieces, status, code, message] of [
    [4, 400, 'below_minimum', 'You must have to order 5 pieces'],
    [41, 409, 'stock_too_low', "You can't order more than 40 pieces"],
    [10_000_000, 409, 'stock_too_low', "You can't order more than 40 pieces"],
  ] as const) {
    const answer = await buy(store.customer, tool, pieces)
    assert.equal(answer.statusCode, status, `${pieces} pieces`)
    assert.deepEqual(answer.json(), { message, errors: { productQuantity: message }, code })
  }

  await store.db.update(products).set({ incoming: { quantity: 200, date: '2999-12-12' } })
  const message = "You can't order more than 40 pieces. 200 more arrive on 12 Dec 2999"
  assert.deepEqual((await buy(store.customer, tool, 41)).json(), { message, errors: { productQuantity: message }, code: 'stock_too_low' })
  await store.db.update(products).set({ incoming: { quantity: 200, date: '2026-01-01' } })
  assert.equal((await buy(store.customer, tool, 41)).json().message, "You can't order more than 40 pieces", 'that day is over')

  assert.deepEqual([await stockOf(store, tool), await allOrders(store)], [40, []])
})

test('a product whose stock is below its minimum cannot be ordered in any quantity', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 5, available_quantity: 3 })

  for (const pieces of [1, 3, 4, 5, 6])
    assert.ok([400, 409].includes((await buy(store.customer, tool, pieces)).statusCode), `${pieces} pieces`)
  await store.db.update(products).set({ incoming: { quantity: 200, date: '2999-12-12' } })
  assert.equal((await buy(store.customer, tool, 4)).json().message, 'You must have to order 5 pieces', 'what arrives would not help')
  assert.equal(await stockOf(store, tool), 3)
})

test('without toolId the name decides, and among products of one name the price', async () => {
  await using store = await anEmptyStore()
  const cheap = await sell(store, { price: 20 })
  const dear = await sell(store, { price: 50 })
  const byName = { productName: 'Drill', productQuantity: 10, buyerAddress: '1 Road' }

  const alone = await sell(store, { name: 'Vice', price: 30 })
  const dearer = await store.customer.request('POST', '/purchase', { ...byName, productName: alone.name, productCost: 200 })
  assert.deepEqual(
    [dearer.statusCode, dearer.json().message],
    [409, 'The price has changed: 10 pieces now cost $300'],
    'a name that one product has needs no price to be known by',
  )

  const bought = await store.customer.request('POST', '/purchase', { ...byName, productCost: 500 })
  assert.equal(bought.json().toolId, dear._id)

  for (const other of [{ productCost: 300 }, { productName: 'Saw', productCost: 500 }]) {
    const answer = await store.customer.request('POST', '/purchase', { ...byName, ...other })
    assert.deepEqual([answer.statusCode, answer.json().message], [404, 'There is no such product'])
  }

  await sell(store, { price: 20 })
  const unclear = await store.customer.request('POST', '/purchase', { ...byName, productCost: 200 })
  assert.deepEqual([unclear.statusCode, unclear.json().message], [409, 'Several products have this name and price: send toolId'])

  await store.admin.request('DELETE', `/tools/${cheap._id}`)
  const clear = await store.customer.request('POST', '/purchase', { ...byName, productCost: 200 })
  assert.equal(clear.statusCode, 201, 'a removed product is no longer meant')
  assert.notEqual(clear.json().toolId, cheap._id)
})

test('what a browser slips into an order beside the wish is ignored', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  const slipped = {
    _id: '00000000-0000-4000-8000-000000000000',
    number: 1,
    placedAt: '1999-01-01',
    price: 1,
    unitPrice: 1,
    total: 1,
    paid: true,
    transectionId: 'pi_free',
    paymentId: '00000000-0000-4000-8000-000000000000',
    buyerId: 'x',
    buyerName: 'Bob',
    buyerEmail: store.otherCustomer.email,
    role: 'admin',
  }

  const placed = await buy(store.customer, tool, 10, slipped)

  assert.equal(placed.statusCode, 201, placed.body)
  const order: Purchase = placed.json()
  assert.notEqual(order._id, slipped._id)
  assert.equal(order.number, 1001)
  assert.notEqual(order.placedAt.slice(0, 4), '1999')
  assert.deepEqual([order.buyerName, order.buyerEmail], ['Ada', 'ada@shop.example'])
  assert.deepEqual([order.productCost, order.paid, order.transectionId], [300, false, null])
  assert.deepEqual((await store.otherCustomer.request('GET', `/purchase?buyerEmail=${store.otherCustomer.email}`)).json(), [])
  assert.equal((await store.customer.request('GET', '/bookings')).statusCode, 403)
})

test('the figures of an order may be written as text', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)

  const placed = await buy(store.customer, tool, 10, { productQuantity: '10', productCost: ' 300 ' })

  assert.deepEqual([placed.statusCode, placed.json().productQuantity, placed.json().productCost], [201, 10, 300])
})

test('an order with a wrong field is refused in words for that field, and nothing happens', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  const pieces = 'Enter a whole number of pieces'

  for (const [field, values, message] of [
    ['productQuantity', [-5, 0, 1.5, 1e9, '1.5', '1e1', '', 'ten', null, true, [10], {}, undefined], pieces],
    ['productCost', [300.505, '3e2', '', null, [], undefined], 'product cost is required'],
    ['buyerAddress', ['', '  ', null, 1, undefined], 'address is required'],
    ['phone_number', ['1', '0123456789'], 'Phone number must 11 characters or longer'],
    ['phone_number', ['', 12_345_678_901, null], 'Phone number is required'],
    ['productName', ['', null, undefined], 'product name is required'],
    ['toolId', ['abc', 1, ''], 'There is no such product'],
  ] as const)
    for (const value of values) {
      const answer = await buy(store.customer, tool, 10, { [field]: value })
      assert.equal(answer.statusCode, 400, `${field} ${JSON.stringify(value)}`)
      assert.deepEqual(
        answer.json(),
        { message, errors: { [field]: message }, code: 'invalid_request' },
        `${field} ${JSON.stringify(value)}`,
      )
    }

  assert.deepEqual([await stockOf(store, tool), await allOrders(store)], [40, []])
})

test('an order of more than the card provider can take at once is refused in words', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const tool = await sell(store, { price: 999_999, minimum_order_quantity: 1 })

  const tooDear = await buy(store.customer, tool, 2)

  assert.equal(tooDear.statusCode, 400)
  assert.equal(tooDear.json().message, 'An order costs at most $999,999')
  assert.equal(await stockOf(store, tool), 40)
  assert.equal((await buy(store.customer, tool, 1)).statusCode, 201)
})

test("a buyer lists the own orders, whatever the case of the e-mail, and nobody else's", async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  const { _id } = (await buy(store.customer, tool, 10)).json()

  for (const email of ['ada@shop.example', 'ADA@Shop.Example', '%20ada@shop.example'])
    assert.deepEqual(
      (await store.customer.request('GET', `/purchase?buyerEmail=${email}`)).json().map((order: Purchase) => order._id),
      [_id],
    )

  assert.equal((await store.otherCustomer.request('GET', '/purchase?buyerEmail=ada@shop.example')).statusCode, 403)
  assert.equal((await store.otherCustomer.request('GET', '/purchase?buyerEmail=nobody@shop.example')).statusCode, 403)
  assert.equal(
    (await store.otherCustomer.request('GET', '/purchase?buyerEmail=bob@shop.example&buyerEmail=ada@shop.example')).statusCode,
    400,
  )
  assert.equal((await store.otherCustomer.request('GET', '/purchase')).statusCode, 400)
  assert.equal((await store.visitor.request('GET', '/purchase?buyerEmail=ada@shop.example')).statusCode, 401)
})

test("another buyer's order is answered like one that does not exist", async () => {
  await using store = await anEmptyStore()
  const { _id } = (await buy(store.customer, await sell(store), 10)).json()

  for (const id of [_id, '00000000-0000-4000-8000-000000000000', 'abc', '1001']) {
    const answer = await store.otherCustomer.request('GET', `/purchase/${id}`)
    assert.deepEqual([answer.statusCode, answer.json()], [404, { message: 'There is no such order', code: 'not_found' }], id)
  }
  assert.equal((await store.visitor.request('GET', `/purchase/${_id}`)).statusCode, 401)
})

test('an admin sees all orders, and a customer only the own', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store)
  const adas = (await buy(store.customer, tool, 10)).json()
  const bobs = (await buy(store.otherCustomer, tool, 5)).json()

  const [{ sku } = { sku: '' }] = await store.db.select({ sku: products.sku }).from(products)
  const asBooking = { sku, phone_number: null, disputed: false, refunds: [], attention: [] }
  assert.deepEqual(await allOrders(store), [
    { ...bobs, ...asBooking },
    { ...adas, ...asBooking },
  ])
  assert.deepEqual((await store.admin.request('GET', `/purchase/${adas._id}`)).json(), { ...adas, disputed: false, phone_number: null })
  assert.deepEqual((await store.admin.request('GET', '/purchase?buyerEmail=BOB@shop.example')).json(), [{ ...bobs, sku }])
  assert.equal((await store.visitor.request('GET', '/bookings')).statusCode, 401)
  assert.equal((await store.customer.request('GET', '/bookings')).statusCode, 403)
})

test('60 orders at once for a stock of 20 sell exactly 20, and who comes too late leaves no order', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 20 })

  const answers = await Promise.all(Array.from({ length: 60 }, () => buy(store.customer, tool, 1)))

  const count = Object.groupBy(answers, ({ statusCode }) => statusCode)
  assert.deepEqual([count[201]?.length, count[409]?.length], [20, 40])
  for (const late of count[409] ?? []) assert.match(late.json().message, /^You can't order more than \d+ pieces$/)
  assert.equal(await stockOf(store, tool), 0)
  const orders = await allOrders(store)
  assert.equal(new Set(orders.map(({ number }) => number)).size, 20)
  assert.equal(orders.length, 20)
})

test('orders of different sizes at once leave less in stock than any that was refused', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 100 })
  const sizes = Array.from({ length: 60 }, (_, nth) => ((nth * 7) % 13) + 1)

  const answers = await Promise.all(sizes.map((size) => buy(store.customer, tool, size)))

  const left = await stockOf(store, tool)
  const ordered = (await allOrders(store)).reduce((pieces, { productQuantity }) => pieces + productQuantity, 0)
  assert.equal(ordered + left, 100)
  for (const [nth, { statusCode }] of answers.entries()) if (statusCode !== 201) assert.ok((sizes[nth] ?? 0) > left)
})

test('an order that waits while the stock is raised takes from the raised stock', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 1 })
  await store.customer.token()

  const placing = await store.db.transaction(async (tx) => {
    await tx.execute(sql`update tools set available_quantity = 3 where id = ${tool._id}`)
    await tx.execute(sql`insert into stock_movements (tool_id, pieces, reason) values (${tool._id}, 2, 'correction')`)
    const order = buy(store.customer, tool, 2).then((answer) => answer)
    const waiting = () =>
      store.db.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%with buyer as%'`,
      )
    for (let looks = 0; looks < 10_000 && (await waiting()).rows.length === 0; looks++);
    assert.equal((await waiting()).rows.length, 1, 'the order waits')
    return { order }
  })

  assert.equal((await placing.order).statusCode, 201)
  assert.equal(await stockOf(store, tool), 1)
})

test('a new price and a removal in the middle of purchases leave every order at its own price, and no stock below nothing', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 1000 })
  const buyTen = () => Promise.all(Array.from({ length: 10 }, () => buy(store.customer, tool, 1)))
  const change = { price: 31, minimum_order_quantity: 1, available_quantity: 5 }

  await buyTen()
  const [repriced, amid] = await Promise.all([store.admin.request('PUT', `/tools/${tool._id}`, change), buyTen()])
  const afterwards = await buyTen()
  const [removed, ...last] = await Promise.all([store.admin.request('DELETE', `/tools/${tool._id}`), buyTen(), buyTen()])

  assert.deepEqual([repriced.statusCode, removed.statusCode], [200, 200])
  for (const { statusCode } of amid) assert.ok([201, 409].includes(statusCode))
  for (const { statusCode } of afterwards) assert.equal(statusCode, 409)
  for (const { statusCode } of last.flat()) assert.ok([404, 409].includes(statusCode))
  const orders = await allOrders(store)
  assert.ok(orders.length >= 10)
  for (const { productName, productCost } of orders) assert.deepEqual([productName, productCost], ['Drill', 30])
})

test('one order sent twenty times with the same key is one order, and the same answer twenty times', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 100 })
  const wish = { toolId: tool._id, productName: tool.name, productQuantity: 3, productCost: 3 * tool.price, buyerAddress: '1 Road' }
  const send = (body = wish, buyer = store.customer) => buyer.request('POST', '/purchase', body, { 'idempotency-key': 'key 1' })

  const answers = await Promise.all(Array.from({ length: 20 }, () => send()))

  for (const answer of answers) assert.deepEqual([answer.statusCode, answer.json()], [201, answers[0]?.json()])
  assert.equal(await stockOf(store, tool), 97)

  const other = await send({ ...wish, productQuantity: 4, productCost: 4 * tool.price })
  assert.deepEqual([other.statusCode, other.json().message], [422, 'This Idempotency-Key was used for another order'])
  assert.equal((await send(wish, store.otherCustomer)).statusCode, 201, "another buyer's key is another key")
  assert.equal(await stockOf(store, tool), 94)
})

test('what is sent as the name and e-mail of a buyer belongs to the request that a key names, though the order is of who is signed in', async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 100 })
  const wish = { toolId: tool._id, productName: tool.name, productQuantity: 3, productCost: 3 * tool.price, buyerAddress: '1 Road' }
  const named = { ...wish, buyerName: 'Ada', buyerEmail: 'somebody@shop.example' }
  const send = (body: object) => store.customer.request('POST', '/purchase', body, { 'idempotency-key': 'key 1' })

  const placed = await send(named)

  assert.deepEqual([placed.statusCode, placed.json().buyerEmail], [201, store.customer.email])
  assert.deepEqual((await send(named)).json(), placed.json())
  for (const other of [wish, { ...named, buyerName: 'Bob' }, { ...named, buyerEmail: null }])
    assert.equal((await send(other)).statusCode, 422, JSON.stringify(other))
})

test('of the orders that an account sends at one moment two are placed, sixty wait, and the others are refused at once, to be sent again', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store)
  await store.customer.token()
  const { placing, refused } = await store.db.transaction(async (tx) => {
    await tx.execute(sql`select from tools where id = ${toolId} for update`)
    const placing = Array.from({ length: 65 }, () => buy(store.customer, { _id: toolId, name: 'Drill', price: 30 }, 1))
    const refused: Awaited<(typeof placing)[number]>[] = []
    for (const answer of placing) answer.then((told) => refused.push(told))
    for (let asked = 0; asked < 100 && refused.length < 3; asked++) await store.visitor.request('GET', `/tools/${toolId}`)
    return { placing, refused: [...refused] }
  })
  assert.deepEqual(
    refused.map(({ statusCode }) => statusCode),
    [503, 503, 503],
  )
  for (const { headers, body } of refused) {
    assert.match(`${headers['retry-after']}`, /^[1-9]$/)
    assert.match(body, /"code":"overloaded"/)
  }
  assert.equal((await Promise.all(placing)).filter(({ statusCode }) => statusCode === 503).length, 3)
})

test("another buyer's key finds no order of theirs, also where the order itself is refused", async () => {
  await using store = await anEmptyStore()
  const tool = await sell(store, { minimum_order_quantity: 1, available_quantity: 3 })
  const wish = { toolId: tool._id, productName: tool.name, productQuantity: 3, productCost: 3 * tool.price, buyerAddress: '1 Road' }
  const send = (buyer: Actor) => buyer.request('POST', '/purchase', wish, { 'idempotency-key': 'key 1' })
  assert.equal((await send(store.customer)).statusCode, 201)

  const others = await send(store.otherCustomer) // nothing is left for this one

  assert.equal(others.statusCode, 409, others.body)
  assert.doesNotMatch(others.body, /ada@shop\.example|1 Road/)
  assert.equal((await send(store.customer)).statusCode, 201, 'the owner of the key has their order again')
})
