import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { seededRandom } from '#proof/seeded-random.ts'
import { splitWithin } from '#shared/split-in-proportion.ts'
import { discountReductionCents } from '#store/catalogue/pricing/discount-codes.ts'
import { payOrder, placeLines, sendLines, showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, expireHold, getStock, sandboxControls, waitForWebhooks } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Order } from './order-contract.ts'
import { endOverdueOrders } from './payments/end-order.ts'

async function setOwnPrice(store: Store, productId: string, price: number) {
  const { sku } = (await store.visitor.request('GET', `/products/${productId}`)).json().part
  await store.customer.token()
  const set = await store.admin.request('POST', '/buyer-prices', { sku, price, email: store.customer.email })
  assert.equal(set.statusCode, 201, set.body)
}
async function addCode(store: Store, code: string, fields: object): Promise<string> {
  const added = await store.admin.request('POST', '/discount-codes', { code, ...fields })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()._id
}
const usesOf = async (store: Store, code: string) =>
  (await store.admin.request('GET', '/discount-codes')).json().codes.find((one: { code: string }) => one.code === code).uses

test('an order costs the price of its buyer, and its line says why', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { dollars: 7 })]
  await setOwnPrice(store, drill, 24.5)

  const order = await placeLines(store, { [drill]: 2, [saw]: 1 }, { expectedTotalCents: 5600 })
  const unnamed = await placeLines(store, { [drill]: 1 })

  assert.deepEqual(
    order.lines.map(({ listPriceCents, unitPriceCents, priceReason, totalCents }) => [
      listPriceCents,
      unitPriceCents,
      priceReason,
      totalCents,
    ]),
    [
      [3000, 2450, 'customer', 4900],
      [700, 700, 'list', 700],
    ],
  )
  assert.deepEqual(await showOrder(store.customer, order._id), order)
  assert.equal(unnamed.totalCents, 2450)
  const byList = await sendLines(store.customer, { [drill]: 2 }, { expectedTotalCents: 6000 })
  assert.deepEqual([byList.statusCode, byList.json().totalCents], [409, 4900])
  const byOther = await sendLines(store.otherCustomer, { [drill]: 2 }, { expectedTotalCents: 4900 })
  assert.deepEqual([byOther.statusCode, byOther.json().totalCents], [409, 6000], 'the price is of one customer')
})

test('a price break that is lower than the price of the buyer holds from its quantity on', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  const changes = { price: 30, minimum_order_quantity: 1, available_quantity: 40, price_breaks: [{ min_quantity: 10, price: 20 }] }
  await store.admin.request('PUT', `/tools/${drill}`, changes)
  await setOwnPrice(store, drill, 24)

  const [few, many] = [await placeLines(store, { [drill]: 9 }), await placeLines(store, { [drill]: 10 })]

  assert.deepEqual([few.totalCents, few.lines[0]?.priceReason], [21_600, 'customer'])
  assert.deepEqual([many.totalCents, many.lines[0]?.priceReason], [20_000, 'price break'])
})

test('a purchase may name the public cost, with and without price breaks, and costs what the buyer pays', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await setOwnPrice(store, drill, 24)
  const buy = (body: object) =>
    store.customer.request('POST', '/purchase', { productName: 'Drill', productQuantity: 2, buyerAddress: '1 Road', ...body })
  for (const productCost of [60, 48]) {
    const placed = await buy({ toolId: drill, productCost })
    assert.deepEqual([placed.statusCode, placed.json().productCost], [201, 48])
  }
  const wrong = await buy({ toolId: drill, productCost: 50 })
  assert.deepEqual([wrong.statusCode, wrong.json().message], [409, 'The price has changed: 2 pieces now cost $48'])
  await createProduct(store, { dollars: 55 })
  const byName = await buy({ productCost: 48 })
  assert.deepEqual([byName.statusCode, byName.json().toolId], [201, drill], 'two of one name are told apart by the own price, too')
})

test('a purchase takes a discount code beside the cost without it, and costs what the buyer pays less the code', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await setOwnPrice(store, drill, 24)
  await addCode(store, 'SPRING', { percentOff: 50, minimum: 40 })
  const buy = (body: object) =>
    store.customer.request('POST', '/purchase', {
      productName: 'Drill',
      productQuantity: 2,
      buyerAddress: '1 Road',
      toolId: drill,
      ...body,
    })

  const placed = await buy({ productCost: 60, discountCode: ' spring ' })
  assert.deepEqual([placed.statusCode, placed.json().productCost], [201, 24])
  const refused = await buy({ productCost: 60, discountCode: 'AUTUMN' })
  const { code, errors } = refused.json()
  assert.deepEqual([refused.statusCode, code, errors], [400, 'discount_refused', { discountCode: 'There is no code AUTUMN' }])
  const tooLittle = await buy({ productQuantity: 1, productCost: 30, discountCode: 'SPRING' })
  assert.deepEqual([tooLittle.statusCode, tooLittle.json().message], [400, 'The code SPRING is for goods of $40 or more'])
  const stale = await buy({ productCost: 70, discountCode: 'SPRING' })
  assert.deepEqual([stale.statusCode, stale.json().code], [409, 'price_changed'])
})

test('a code takes its percentage off the goods, shared out to the lines, and stands on them', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, pin] = [
    await createProduct(store, { dollars: 30 }),
    await createProduct(store, { dollars: 7.77 }),
    await createProduct(store, { dollars: 0.05 }),
  ]
  await addCode(store, 'SPRING', { percentOff: 15 })

  const order = await placeLines(store, { [drill]: 1, [saw]: 3, [pin]: 1 }, { discountCode: 'spring', expectedTotalCents: 4536 })

  // 15 % of $53.36 are 800 cents: the exact shares are 449.8, 349.5 and 0.7
  assert.deepEqual(
    order.lines.map(({ reductionCents, totalCents, reductionReason }) => [reductionCents, totalCents, reductionReason]),
    [
      [450, 2550, 'SPRING'],
      [349, 1982, 'SPRING'],
      [1, 4, 'SPRING'],
    ],
  )
  assert.deepEqual(await showOrder(store.customer, order._id), order)
  await payOrder(store, order)
  const receipt = (await store.emailsTo(store.customer.email)).find(({ subject }) => subject.startsWith('Receipt'))
  const ofSaw = /\$7\.77 each.*\nwith \$3\.49 of the reduction by the code SPRING/
  assert.match(receipt?.text ?? '', ofSaw)
  assert.match(receipt?.text ?? '', /Goods: \$53\.36\nReduction by the code SPRING: -\$8\nTotal paid: \$45\.36/)
  const refunded = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[1]?._id, quantity: 3 }] })
  assert.equal(refunded.statusCode, 200, refunded.body)
  assert.equal((refunded.json() as Order).refundedCents, 1982, 'what was paid goes back, not the list price')
})

test('what codes take off is the same in SQL as in the store, to the cent and line by line', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const { below } = seededRandom(16)
  const ids = await Promise.all(
    Array.from({ length: 8 }, () => createProduct(store, { dollars: (below(9_999) + 60) / 100, pieces: 100_000 })),
  )
  for (let nth = 0; nth < 40; nth++) {
    const discount = below(2) === 0 ? { percentOff: below(90) + 1 } : { amountOff: (below(6_000) + 1) / 100 }
    await addCode(store, `CODE-${nth}`, discount)
    const asked = ids.slice(0, below(8) + 1).map((id): [string, number] => [id, below(30) + 2])
    const placed = await sendLines(store.customer, asked, { discountCode: `CODE-${nth}` })
    if (placed.statusCode === 400) {
      assert.match(placed.json().message, /An order costs at least/)
      continue
    }
    assert.equal(placed.statusCode, 201, placed.body)
    const { lines }: Order = placed.json()
    const costs = lines.map(({ unitPriceCents, quantity }) => unitPriceCents * quantity)
    const cost = costs.reduce((sum, cents) => sum + cents, 0)
    const amountOffCents = discount.amountOff === undefined ? null : Math.round(discount.amountOff * 100)
    const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
    assert.deepEqual(
      lines.map(({ reductionCents }) => reductionCents),
      splitWithin(
        discountReductionCents({ percentOff: discount.percentOff ?? null, amountOffCents }, cost, pieces),
        costs,
        lines.map(({ unitPriceCents, quantity }) => (unitPriceCents - 1) * quantity),
      ),
    )
  }
})

test('a percentage that makes whole cents of each line takes just these off; a line of which nothing can be taken leaves its share to the others', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const [board, card, pin] = [
    await createProduct(store, { dollars: 280 }),
    await createProduct(store, { dollars: 295 }),
    await createProduct(store, { dollars: 0.01, pieces: 1000 }),
  ]
  await addCode(store, 'TENTH', { percentOff: 10 })
  const reductions = async (lines: Record<string, number>) => {
    const placed = await sendLines(store.customer, lines, { discountCode: 'TENTH' })
    assert.equal(placed.statusCode, 201, placed.body)
    return (placed.json() as Order).lines.map(({ reductionCents }) => reductionCents)
  }
  assert.deepEqual(await reductions({ [board]: 1, [card]: 4 }), [2800, 11_800])
  assert.deepEqual(await reductions({ [pin]: 400, [board]: 1, [card]: 4 }), [0, 2808, 11_832])
})

test('the database shares out within limits as the store does, whatever the weights', async () => {
  await using store = await anEmptyStore()
  const { below } = seededRandom(3)
  for (let nth = 0; nth < 200; nth++) {
    const weights = Array.from({ length: below(6) + 1 }, () => below(4) * below(1000))
    const limits = weights.map((weight) => (weight === 0 ? 0 : below(weight + 1)))
    const amount = below(limits.reduce((sum, limit) => sum + limit, 0) + 1)
    const { rows } = await store.db.execute<{ parts: string[] }>(
      sql`select split_within(${amount}, ${sql.param(weights)}::bigint[], ${sql.param(limits)}::bigint[]) as parts`,
    )
    assert.deepEqual(rows[0]?.parts.map(Number), splitWithin(amount, weights, limits), JSON.stringify({ amount, weights, limits }))
  }
})

test('a code that cannot be used refuses the order and says why; nothing is taken from stock', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'BIG', { amountOff: 20, minimum: 100 })
  await addCode(store, 'ALL', { amountOff: 30 })
  await addCode(store, 'ONCE', { percentOff: 10, maxUses: 1 })
  await addCode(store, 'LATER', { percentOff: 10, startsOn: '2999-01-01' })
  const over = await addCode(store, 'OVER', { percentOff: 10 })
  await store.admin.request('POST', `/discount-codes/${over}/end`)
  assert.equal((await sendLines(store.otherCustomer, { [drill]: 1 }, { discountCode: 'ONCE' })).statusCode, 201)
  const wrong: [code: string, message: string][] = [
    ['BIG', 'The code BIG is for goods of $100 or more'],
    ['ONCE', 'The code ONCE is used up'],
    ['LATER', 'The code LATER can be used from 1 Jan 2999, 00:00 UTC on'],
    ['OVER', 'The code OVER has ended'],
    ['NONE', 'There is no code NONE'],
  ]
  for (const [discountCode, message] of wrong)
    for (const expected of [{}, { expectedTotalCents: 2700 }]) {
      const refused = await sendLines(store.customer, { [drill]: 1 }, { discountCode, ...expected })
      assert.deepEqual(
        [refused.statusCode, refused.json()],
        [400, { message, errors: { discountCode: message }, code: 'discount_refused' }],
      )
    }
  const nothingLeft = await sendLines(store.customer, { [drill]: 1 }, { discountCode: 'ALL' })
  assert.deepEqual(
    [nothingLeft.statusCode, nothingLeft.json().message],
    [400, 'An order costs at least $0.50, the least that a card can pay'],
  )
  const changed = await sendLines(store.customer, { [drill]: 4 }, { discountCode: 'BIG', expectedTotalCents: 12_000 })
  assert.deepEqual([changed.statusCode, changed.json().totalCents], [409, 10_000])
  assert.equal(await getStock(store, drill), 39)
})

test('a code with one use is used once, also by twenty at the same time', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'ONCE', { percentOff: 10, maxUses: 1 })
  const buyers = Array.from({ length: 20 }, (_, nth) => store.newCustomer(`Buyer${nth}`))
  await Promise.all(buyers.map((buyer) => buyer.token()))

  const placed = await Promise.all(buyers.map((buyer) => sendLines(buyer, { [drill]: 1 }, { discountCode: 'ONCE' })))

  assert.equal(placed.filter(({ statusCode }) => statusCode === 201).length, 1)
  for (const refused of placed.filter(({ statusCode }) => statusCode !== 201))
    assert.equal(refused.json().message, 'The code ONCE is used up')
  assert.equal(await getStock(store, drill), 39)
  assert.equal(await usesOf(store, 'ONCE'), 1)
})

test('an order that is cancelled or expires gives its use of the code back, one that is paid keeps it, and one that is placed again takes it again', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'OFTEN', { percentOff: 10 })
  const place = () => placeLines(store, { [drill]: 1 }, { discountCode: 'OFTEN' })
  const [cancelled, expired, paid, back] = [await place(), await place(), await place(), await place()]
  assert.equal(await usesOf(store, 'OFTEN'), 4)
  await payOrder(store, paid)
  sandboxControls(store).bank.pause()
  await payOrder(store, back, { card: 'pm_card_refundFail' })
  for (const [actor, order] of [
    [store.customer, cancelled],
    [store.admin, back],
  ] as const)
    assert.equal((await actor.request('POST', `/orders/${order._id}/cancel`, {})).statusCode, 200)
  await expireHold(store, expired)
  assert.equal(await endOverdueOrders(store.db, store.cards), 1)
  assert.equal(await usesOf(store, 'OFTEN'), 1)

  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  assert.equal((await showOrder(store.customer, back._id)).orderStatus, 'placed', 'the bank has refused its refund')
  assert.equal(await usesOf(store, 'OFTEN'), 2)
})

test('an unpaid order keeps one use of a code whose uses are limited, not several', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'FIVE', { percentOff: 10, maxUses: 5 })
  const order = await placeLines(store, { [drill]: 1 }, { discountCode: 'FIVE' })
  const second = await sendLines(store.customer, { [drill]: 1 }, { discountCode: 'FIVE', expectedTotalCents: 2700 })
  assert.deepEqual([second.statusCode, second.json().message], [400, 'Your unpaid order uses the code FIVE: pay or cancel it first'])
  await store.customer.request('POST', `/orders/${order._id}/cancel`, {})
  await placeLines(store, { [drill]: 1 }, { discountCode: 'FIVE', expectedTotalCents: 2700 })
})

test('of orders with a code of limited uses that one buyer sends at once, one is placed', async () => {
  for (const buyerLimits of [undefined, 'off'] as const) {
    await using store = await anEmptyStore(buyerLimits && { buyerLimits })
    const drill = await createProduct(store, { dollars: 30 })
    await addCode(store, 'FIVE', { percentOff: 10, maxUses: 5 })
    await store.customer.token()
    const sent = Array.from({ length: 5 }, () =>
      sendLines(store.customer, { [drill]: 1 }, { discountCode: 'FIVE', expectedTotalCents: 2700 }),
    )
    const placed = (await Promise.all(sent)).filter(({ statusCode }) => statusCode === 201)
    assert.deepEqual([placed.length, await usesOf(store, 'FIVE')], [1, 1], `limits ${buyerLimits}`)
  }
})

test('a line is not cancelled out of an order that would then cost less than its code is for', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = [await createProduct(store, { dollars: 30 }), await createProduct(store, { dollars: 70 })]
  await addCode(store, 'BIG', { amountOff: 20, minimum: 80 })
  const order = await placeLines(store, { [drill]: 1, [saw]: 2 }, { discountCode: 'BIG' })
  const cancel = (nth: number) => store.customer.request('POST', `/purchase/${order.lines[nth]?._id}/cancel`, {})

  const refused = await cancel(1)
  assert.deepEqual([refused.statusCode, refused.json().message], [409, 'The code BIG is for goods of $80 or more: cancel the whole order'])
  assert.equal((await cancel(0)).statusCode, 200)

  const { goodsCents, lines } = await showOrder(store.customer, order._id)
  assert.equal(goodsCents, lines[1]?.totalCents, 'the reduction of what was cancelled went with it')
})

test('every piece still costs a cent after a code, so that each can be cancelled and refunded', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, pin] = [await createProduct(store, { dollars: 20.4 }), await createProduct(store, { dollars: 0.01, pieces: 100 })]
  await addCode(store, 'MUCH', { amountOff: 19.9 })
  const order = await placeLines(store, { [drill]: 1, [pin]: 10 }, { discountCode: 'MUCH' })
  assert.deepEqual(
    order.lines.map(({ totalCents, reductionReason }) => [totalCents, reductionReason]),
    [
      [50, 'MUCH'],
      [10, null],
    ],
  )
  assert.deepEqual(await showOrder(store.customer, order._id), order, 'a code of which a line has nothing does not stand on it')
  await payOrder(store, order)
  const back = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: order.lines[1]?._id, quantity: 1 }] })
  assert.deepEqual([back.statusCode, back.json().refundedCents], [200, 1])
})

test('a group pays its percentage of the price that is in force when the order has its turn', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 10 })
  await store.customer.token()
  const { _id: groupId } = (await store.admin.request('POST', '/customer-groups', { name: 'Dealers', percentOff: 10 })).json()
  await store.admin.request('PUT', `/users/${store.customer.email}/customer-group`, { groupId })
  const first = await placeLines(store, { [drill]: 1 }, { expectedTotalCents: 900 })
  assert.equal(first.lines[0]?.priceReason, 'group')

  let placing: ReturnType<typeof sendLines> | undefined
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`update tools set price_cents = 2000 where id = ${drill}`)
    placing = sendLines(store.customer, { [drill]: 1 }, { expectedTotalCents: 900 })
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await store.db.execute(waiting)).rowCount === 0) await pause(20) // until the order waits for the product
  })

  const placed = await placing
  assert.deepEqual([placed?.statusCode, placed?.json().totalCents], [409, 1800])
})

test('the same request again is the same order, also for who has used up their guesses', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'REAL', { percentOff: 10, maxUses: 2 })
  const send = (discountCode: string, key: string) =>
    sendLines(store.customer, { [drill]: 1 }, { discountCode }, { 'idempotency-key': key })
  const placed = await send('REAL', 'a key')
  const otherBody = await send('GUESS', 'a key')
  assert.deepEqual([otherBody.statusCode, otherBody.json().code], [422, 'idempotency_key_reused'])
  for (let nth = 0; nth < 20; nth++) assert.equal((await send(`GUESS-${nth}`, `key ${nth}`)).statusCode, 400)
  assert.equal((await send('GUESS', 'one more')).statusCode, 429)

  assert.deepEqual((await send('REAL', 'a key')).json(), placed.json())
  assert.equal(await usesOf(store, 'REAL'), 1)
})

test('the mails about an order say what a code took off', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'SPRING', { percentOff: 15 })
  await payOrder(store, await placeLines(store, { [drill]: 1 }, { discountCode: 'SPRING' }))
  await waitForWebhooks(store)
  const receipt = (await store.emailsTo(store.customer.email)).find(({ subject }) => subject.startsWith('Receipt'))
  assert.match(receipt?.text ?? '', /1 x Drill, \$30 each.*\nGoods: \$30\nReduction by the code SPRING: -\$4\.50\nTotal paid: \$25\.50/)
})

test('an account guesses twenty codes an hour', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await addCode(store, 'REAL', { percentOff: 10 })
  const guess = (discountCode: string) => sendLines(store.customer, { [drill]: 1 }, { discountCode })
  for (let nth = 0; nth < 20; nth++) assert.equal((await guess(`GUESS-${nth}`)).statusCode, 400)
  assert.equal((await guess('GUESS-20')).statusCode, 429)
  assert.equal((await guess('REAL')).statusCode, 429, 'also a code that exists: otherwise the guesses would go on')
  const other = await sendLines(store.otherCustomer, { [drill]: 1 }, { discountCode: 'REAL' })
  assert.equal(other.statusCode, 201, other.body)
})

test('the database keeps no line whose price its list price, price breaks and reason do not make', async () => {
  await using store = await anEmptyStore()
  const drill = await createProduct(store, { dollars: 30 })
  await setOwnPrice(store, drill, 24)
  await placeLines(store, { [drill]: 2 })
  const changes: [set: string, constraint: string][] = [
    [`price_reason = 'price break'`, 'order_lines_unit_price'],
    [`price_reason = 'list', offered_breaks = null`, 'order_lines_unit_price_reason'],
    [`unit_price_cents = 2500, total_cents = 5000`, 'order_lines_unit_price'],
    [`reduction_cents = 4799, reduction_reason = 'MUCH', total_cents = 1`, 'order_lines_total_least'],
    [`reduction_cents = 100, total_cents = 4700`, 'order_lines_reduction_reason'],
  ]
  for (const [set, constraint] of changes)
    await assert.rejects(
      store.db.execute(sql.raw(`update order_lines set ${set}`)),
      ({ cause }: Error & { cause: { constraint: string } }) => {
        assert.equal(cause.constraint, constraint, set)
        return true
      },
    )
})
