import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import type { TaxTerms } from '#store/tax/compute-tax.ts'
import { payOrder, showOrder } from '#test/many-lines-actions.ts'
import { createProduct, createTestStoreWithCards, getStock, waitForWebhooks } from '#test/order-actions.ts'
import { type ApiResponse, anEmptyStore, type Store } from '#test/store.ts'
import { chargesOfRest, computeOrderCharges } from './order-charges.ts'
import type { Order } from './order-contract.ts'
import { placeOrder } from './place-order.ts'

const net: TaxTerms = { kind: 'domestic', pricesIncludeTax: false, rates: { standard: 190_000, reduced: 70_000, zero: 0 }, sentence: null }
const gross: TaxTerms = { ...net, pricesIncludeTax: true }
const exported: TaxTerms = { ...gross, kind: 'export', sentence: 'Export, no VAT' }

type Line = { productId: string; quantity: number; amountCents: number; taxClass?: 'standard' | 'reduced' | 'zero' }

async function placeWithCharges(store: Store, lines: Line[], terms: TaxTerms, deliveryCents = 0): Promise<Order> {
  await store.customer.token()
  const [account] = await store.db.select().from(users).where(eq(users.email, store.customer.email))
  assert.ok(account)
  const buyer = { id: account.id, name: account.name, email: account.email, role: 'customer' } as const
  const charges = computeOrderCharges(
    lines.map(({ amountCents, taxClass = 'standard' }) => ({ amountCents, taxClass })),
    deliveryCents,
    terms,
  )
  const policy = { holdMinutes: 1440, newBuyerHoldMinutes: 1440, buyerLimits: undefined }
  const request = { lines, buyerAddress: '1 Road', expectedTotalCents: lines.reduce((sum, line) => sum + line.amountCents, 0), charges }
  return (await placeOrder(store.db, buyer, request, policy, { network: 'none' })).order
}

const asRows = (lines: Line[]) =>
  lines.map(({ productId, amountCents, taxClass = 'standard' as const }) => ({ _id: productId, totalCents: amountCents, taxClass }))
const amountsOf = ({ goodsCents, deliveryCents, includedTaxCents, taxCents, totalCents }: Order) => [
  ...[goodsCents, deliveryCents, includedTaxCents, taxCents],
  totalCents,
]
const chargedOf = ({ lines }: Order) => lines.map(({ totalCents, taxCents, chargedCents }) => [totalCents, taxCents, chargedCents])

test('lists of orders say beside each line what its order costs, where delivery or tax come to the goods', async () => {
  await using store = await anEmptyStore()
  const lines = [{ productId: await createProduct(store, { dollars: 10 }), quantity: 3, amountCents: 3000 }]
  const charged = await placeWithCharges(store, lines, net, 400)
  const contained = await placeWithCharges(store, lines, gross)
  const totals = async (of: ApiResponse) =>
    of.json().map(({ number, orderTotalCents }: { number: number; orderTotalCents?: number }) => [number, orderTotalCents])
  const told = [
    [contained.number, undefined],
    [charged.number, 4046],
  ]
  assert.deepEqual(await totals(await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)), told)
  assert.deepEqual(await totals(await store.admin.request('GET', '/bookings')), told)
})

test('an order costs its goods, its delivery and the tax on both, added to net prices or contained in gross ones', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { dollars: 5 })]
  const lines: Line[] = [
    { productId: drill, quantity: 3, amountCents: 3000 },
    { productId: saw, quantity: 2, amountCents: 1000, taxClass: 'reduced' },
  ]

  const added = await placeWithCharges(store, lines, net, 400)
  assert.deepEqual(amountsOf(added), [4000, 400, 0, 627 + 77, 5104])
  assert.deepEqual(added.taxes, [
    { ratePpm: 190_000, netCents: 3300, taxCents: 627 },
    { ratePpm: 70_000, netCents: 1100, taxCents: 77 },
  ])
  assert.deepEqual(chargedOf(added), [
    [3000, 570, 3570],
    [1000, 70, 1070],
  ])
  assert.deepEqual(await showOrder(store.customer, added._id), added)

  const contained = await placeWithCharges(store, lines, gross, 400)
  assert.deepEqual(amountsOf(contained), [4000, 400, 527 + 72, 527 + 72, 4400])
  assert.deepEqual([contained.pricesIncludeTax, contained.taxSentence], [true, null])
  assert.deepEqual(
    chargedOf(contained).map(([, , charged]) => charged),
    [3000, 1000],
  )

  const abroad = await placeWithCharges(store, lines, exported, 400)
  assert.deepEqual(amountsOf(abroad), [4000, 400, 599, 0, 3801], 'the tax is taken out of the prices, and none is paid')
  assert.equal(abroad.taxSentence, 'Export, no VAT')
  const untaxed = await placeWithCharges(store, lines, { ...net, kind: 'none' }, 250)
  assert.deepEqual([...amountsOf(untaxed), untaxed.taxes], [4000, 250, 0, 0, 4250, []])
})

test('charges that were computed of other costs of the lines place nothing, also where the sum is the same', async () => {
  await using store = await anEmptyStore()
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { dollars: 5 })]
  const lines: Line[] = [
    { productId: drill, quantity: 1, amountCents: 900 },
    { productId: saw, quantity: 1, amountCents: 600, taxClass: 'reduced' },
  ]
  await assert.rejects(placeWithCharges(store, lines, net), { status: 409 })
  assert.equal(await getStock(store, drill), 40)
})

test('a line that is cancelled before the order is paid takes its tax along: the rest is taxed as if it had been ordered alone', async () => {
  await using store = await anEmptyStore()
  const products = [
    await createProduct(store, { dollars: 1.03 }),
    await createProduct(store, { dollars: 1.03 }),
    await createProduct(store),
  ]
  const [first = '', second = '', third = ''] = products
  const order = await placeWithCharges(
    store,
    [
      { productId: first, quantity: 1, amountCents: 103 },
      { productId: second, quantity: 1, amountCents: 103 },
      { productId: third, quantity: 1, amountCents: 3000 },
    ],
    net,
    100,
  )
  assert.equal(order.totalCents, 3306 + 628)
  const cancelled = await store.customer.request('POST', `/purchase/${order.lines[2]?._id}/cancel`, {})
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const rest = await showOrder(store.customer, order._id)
  assert.deepEqual(amountsOf(rest), [206, 100, 0, 58, 364])
  assert.deepEqual(rest.taxes, [{ ratePpm: 190_000, netCents: 306, taxCents: 58 }])
  assert.deepEqual(
    rest.lines.filter(({ inTotal }) => inTotal).map(({ taxCents }) => taxCents),
    [20, 19],
  )
})

test('what is due never rises by a line that is cancelled: the delivery of the others costs as much less as it has to', async () => {
  await using store = await anEmptyStore()
  const [drill, book] = [await createProduct(store, { dollars: 1 }), await createProduct(store, { dollars: 1 })]
  const lines: Line[] = [
    { productId: drill, quantity: 1, amountCents: 100 },
    { productId: book, quantity: 1, amountCents: 100, taxClass: 'zero' },
  ]
  for (const [terms, untouched, amounts] of [
    // Alone, the drill would have all of the delivery taxed at its rate: 100 + 2000 + 399.
    [net, 2499, [100, 1924, 0, 385, 2409]],
    [gross, 2100, [100, 2000, 335, 335, 2100]],
  ] as const) {
    const order = await placeWithCharges(store, lines, terms, 2000)
    assert.equal(chargesOfRest({ deliveryCents: 2000, taxTerms: terms }, asRows(lines.slice(0, 1))).order.totalCents, untouched)
    const cancelled = await store.customer.request('POST', `/purchase/${order.lines[1]?._id}/cancel`, {})
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    const rest = await showOrder(store.customer, order._id)
    assert.deepEqual(amountsOf(rest), amounts)
    assert.ok(rest.totalCents <= order.totalCents)
  }
})

test('what is paid goes back with its tax: by pieces, by lines, and with the delivery when all of it is cancelled', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { dollars: 5 })]
  const place = () =>
    placeWithCharges(
      store,
      [
        { productId: drill, quantity: 3, amountCents: 3000 },
        { productId: saw, quantity: 2, amountCents: 1000, taxClass: 'reduced' },
      ],
      net,
      400,
    )
  const paid = await place()
  await payOrder(store, paid)
  const refund = (lines: object[]) => store.admin.request('POST', `/orders/${paid._id}/refunds`, { lines })
  const [drills, saws] = paid.lines
  assert.equal((await refund([{ _id: drills?._id, quantity: 1 }])).json().refundedCents, 1190)
  const all = (
    await refund([
      { _id: drills?._id, quantity: 2 },
      { _id: saws?._id, quantity: 2 },
    ])
  ).json()
  assert.deepEqual([all.refundedCents, all.refundable.cents, all.paymentStatus], [4640, 464, 'partly_refunded'], 'the delivery is left')
  const whole = (await store.admin.request('POST', `/orders/${paid._id}/cancel`, {})).json()
  assert.deepEqual([whole.refundedCents, whole.paymentStatus], [5104, 'refunded'])

  const other = await place()
  await payOrder(store, other)
  const cancelled = await store.admin.request('POST', `/orders/${other._id}/cancel`, {})
  assert.deepEqual([cancelled.json().refundedCents, cancelled.json().orderStatus], [5104, 'cancelled'])
  await waitForWebhooks(store)
})
