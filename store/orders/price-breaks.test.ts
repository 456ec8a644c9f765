import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { seededRandom } from '#proof/seeded-random.ts'
import { unitPriceAt } from '#store/catalogue/settle-quantity.ts'
import { placeLines, sendLines } from '#test/many-lines-actions.ts'
import { createProduct, getStock } from '#test/order-actions.ts'
import { anEmptyStore, type Store } from '#test/store.ts'

const fan = {
  name: 'Fan',
  img: '/drawings/cpu-cooler.svg',
  description: 'Blows.',
  price: 12,
  minimum_order_quantity: 5,
  available_quantity: 400,
}
const breaks = [
  { min_quantity: 25, price: 11.3 },
  { min_quantity: 100, price: 10.25 },
]

async function sellFans(store: Store, changes: object = {}): Promise<string> {
  const added = await store.admin.request('POST', '/tools', { ...fan, order_multiple: 5, price_breaks: breaks, ...changes })
  assert.equal(added.statusCode, 201, added.body)
  return added.json()._id
}
const buyFans = (store: Store, toolId: string, productQuantity: number, productCost: number) =>
  store.customer.request('POST', '/purchase', { productName: 'Fan', toolId, productQuantity, productCost, buyerAddress: '1 Road' })

test('an order costs what its quantities cost by the price breaks, and its lines keep the list price beside it', async () => {
  await using store = await anEmptyStore()
  const [fans, drill] = [await sellFans(store), await createProduct(store, { dollars: 30 })]

  const order = await placeLines(store, { [fans]: 100, [drill]: 2 }, { expectedTotalCents: 108_500 })

  assert.equal(order.totalCents, 108_500)
  assert.deepEqual(
    order.lines.map(({ listPriceCents, unitPriceCents, totalCents }) => [listPriceCents, unitPriceCents, totalCents]),
    [
      [1200, 1025, 102_500],
      [3000, 3000, 6000],
    ],
  )
  const dearer = await sendLines(store.customer, { [fans]: 100 }, { expectedTotalCents: 120_000 })
  assert.equal(dearer.statusCode, 409, 'another total than the one that was shown')
  assert.deepEqual([dearer.json().code, dearer.json().totalCents], ['total_changed', 102_500])
})

test("a purchase may name the price times the quantity, as the specification's client does: it costs the lower total", async () => {
  await using store = await anEmptyStore()
  const fans = await sellFans(store)

  const [byList, byBreak, wrong] = [
    await buyFans(store, fans, 25, 300),
    await buyFans(store, fans, 25, 282.5),
    await buyFans(store, fans, 25, 290),
  ]

  assert.deepEqual([byList.statusCode, byList.json().productCost], [201, 282.5])
  assert.deepEqual([byBreak.statusCode, byBreak.json().productCost], [201, 282.5])
  assert.deepEqual([wrong.statusCode, wrong.json().code], [409, 'price_changed'])
  assert.equal(wrong.json().message, 'The price has changed: 25 pieces now cost $282.50')
  const byName = { productName: 'Fan', productQuantity: 25, buyerAddress: '1 Road' }
  await sellFans(store, { price: 20, price_breaks: [] })
  for (const productCost of [300, 282.5]) {
    const placed = await store.customer.request('POST', '/purchase', { ...byName, productCost })
    assert.deepEqual([placed.statusCode, placed.json().toolId], [201, fans], `found by name and $${productCost}`)
  }
})

test('pieces that are not whole packs are refused with both neighbours named, and the stock stays', async () => {
  await using store = await anEmptyStore()
  const fans = await sellFans(store)
  const message = 'Sold in packs of 5: order 10 or 15 pieces'

  const purchase = await buyFans(store, fans, 12, 144)
  assert.deepEqual([purchase.statusCode, purchase.json()], [400, { message, errors: { productQuantity: message }, code: 'not_a_multiple' }])
  const lines = await sendLines(store.customer, { [fans]: 12 })
  assert.deepEqual([lines.statusCode, lines.json().code, lines.json().errors], [400, 'not_a_multiple', { 'lines.0.quantity': message }])
  assert.equal((await buyFans(store, fans, 3, 36)).json().message, 'You must have to order 5 pieces')
  assert.equal(await getStock(store, fans), 400)

  const twice = await placeLines(store, [
    [fans, 12],
    [fans, 3],
  ])
  assert.equal(twice.lines[0]?.quantity, 15, 'lines of one product are added up first')
})

test('the least that a card can pay is asked of the whole order, not of each line', async () => {
  await using store = await anEmptyStore()
  const [washer, drill] = [await createProduct(store, { name: 'Washer', dollars: 0.05 }), await createProduct(store)]

  assert.equal((await sendLines(store.customer, { [washer]: 2 })).statusCode, 400)
  assert.equal((await placeLines(store, { [washer]: 2, [drill]: 1 })).totalCents, 3010)
  const short = await sendLines(store.customer, { [washer]: 2, [drill]: 41 })
  assert.deepEqual(Object.keys(short.json().errors), ['lines.1.quantity'])
})

test('the database and the screens resolve the same price, and the database keeps no breaks that rise', async () => {
  await using store = await anEmptyStore()
  const random = seededRandom(7)
  const cases = Array.from({ length: 3000 }, () => {
    let [quantity, cents] = [1, 500 + random.below(100_000)]
    const price_breaks = Array.from({ length: random.below(6) }, () => {
      quantity += 1 + random.below(40)
      cents -= 1 + random.below(40)
      return { min_quantity: quantity, price_cents: cents }
    })
    return { price_cents: cents + random.below(400), price_breaks, quantity: 1 + random.below(260) }
  })
  const { rows } = await store.db.execute<{ cents: number }>(sql`
    select unit_price_at(price_cents, price_breaks, quantity) as cents
    from rows from (json_to_recordset(${JSON.stringify(cases)}::json) as (price_cents integer, price_breaks jsonb, quantity integer))
      with ordinality as c (price_cents, price_breaks, quantity, place)
    order by place`)
  const expected = cases.map(({ price_cents, price_breaks, quantity }) =>
    unitPriceAt(
      { price: price_cents / 100, price_breaks: price_breaks.map((each) => ({ ...each, price: each.price_cents / 100 })) },
      quantity,
    ),
  )
  assert.deepEqual(
    rows.map(({ cents }) => cents),
    expected,
  )

  const fans = await sellFans(store)
  for (const wrong of [
    [{ min_quantity: 1, price_cents: 5 }],
    [{ min_quantity: 5, price_cents: 0 }],
    [
      { min_quantity: 5, price_cents: 9 },
      { min_quantity: 5, price_cents: 8 },
    ],
    [
      { min_quantity: 5, price_cents: 9 },
      { min_quantity: 6, price_cents: 9 },
    ],
    {},
    [{}],
    [{ min_quantity: 5 }],
    [{ price_cents: 5 }],
  ])
    await assert.rejects(
      store.db.execute(sql`update tools set price_breaks = ${JSON.stringify(wrong)}::jsonb where id = ${fans}`),
      JSON.stringify(wrong),
    )
  await assert.rejects(store.db.execute(sql`update tools set minimum_order_quantity = 7 where id = ${fans}`))
})
