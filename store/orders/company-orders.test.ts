import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { companyMembers } from '#store/companies/table.ts'
import { users } from '#store/identity/table.ts'
import { type CheckedOut, checkOut, putIntoCart } from '#test/checkout-actions.ts'
import { companyOf, memberId, removeMember } from '#test/company-actions.ts'
import { sendLines } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  intentIdFromSecret,
  openPayment,
  openPaymentIntent,
  placePurchase,
  recordPayment,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { type Actor, anEmptyStore } from '#test/store.ts'
import type { OrderHistoryEntry, Purchase } from './contract.ts'
import type { OrderListItem } from './order-contract.ts'
import { placeOrder } from './place-order.ts'
import { orders, payments } from './table.ts'

const listedFor = async (actor: Actor, query = '?of=company'): Promise<[buyer: string, id: string][]> => {
  const listed = await actor.request('GET', `/orders${query}`)
  assert.equal(listed.statusCode, 200, listed.body)
  return listed.json().orders.map(({ buyerName, _id }: { buyerName: string; _id: string }) => [buyerName, _id])
}
const statusesFor = async (actor: Actor, id: string) =>
  Promise.all(
    [`/orders/${id}`, `/orders/${id}/details`, `/purchase/${id}`, `/purchase/${id}/history`].map(
      async (path) => (await actor.request('GET', path)).statusCode,
    ),
  )
const [seen, hidden] = [
  [200, 200, 200, 200],
  [404, 404, 404, 404],
]

test('what a member orders, by any call, is the order of the company: all members see it in their list and with its page, and who has placed it', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const drill = await createProduct(store)
  const before = await placePurchase(store, { buyer: bob, toolId: drill })
  await companyOf(store, ada, bob)
  const bought = await placePurchase(store, { buyer: bob, toolId: drill })
  const sent = (await sendLines(bob, { [drill]: 2 })).json()
  await putIntoCart(bob, { [drill]: 3 })
  const checkedOut = await checkOut(bob)
  const own = await placePurchase(store, { buyer: ada, toolId: drill })

  const ofCompany = [
    ['Ada', own._id],
    ['Bob', checkedOut._id],
    ['Bob', sent._id],
    ['Bob', bought._id],
  ]
  assert.deepEqual(await listedFor(ada), ofCompany)
  assert.deepEqual(await listedFor(bob), ofCompany)
  assert.deepEqual(await listedFor(ada, '?of=company&limit=1&q=bob'), [['Bob', checkedOut._id]])
  assert.deepEqual(await listedFor(ada, ''), [['Ada', own._id]], 'the own ones without that')
  assert.deepEqual(
    (await ada.request('GET', `/purchase?buyerEmail=${ada.email}`)).json().map(({ _id }: { _id: string }) => _id),
    [own._id],
  )
  for (const id of [bought._id, sent._id, checkedOut._id]) assert.deepEqual(await statusesFor(ada, id), seen)
  assert.deepEqual(await statusesFor(ada, before._id), hidden, 'what a member has ordered before stays theirs')
  assert.equal((await ada.request('POST', `/cart/orders/${bought._id}`)).statusCode, 200, 'ordered again')
})

test('another company and accounts without one see none of the orders of a company, and do nothing with them', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada)
  await companyOf(store, bob)
  const order = await placePurchase(store, { buyer: ada })
  const intentId = await openPaymentIntent(store, order, ada)
  for (const stranger of [bob, carol]) {
    assert.deepEqual(await listedFor(stranger), [])
    assert.deepEqual(await statusesFor(stranger, order._id), hidden)
    assert.equal((await openPayment(stranger, order)).statusCode, 404)
    assert.equal((await recordPayment(stranger, order, intentId)).statusCode, 404)
    assert.equal((await cancelPurchase(stranger, order)).statusCode, 404)
    assert.equal((await stranger.request('POST', `/cart/orders/${order._id}`)).statusCode, 404)
  }
  assert.deepEqual(await listedFor(store.admin), [], 'an admin asks for the orders of their own company, too')
})

test('a member pays and cancels what another has placed, and history and mail say who', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const paid = await placePurchase(store, { buyer: bob })
  const intentId = await openPaymentIntent(store, paid, ada)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(ada, paid, intentId)).json().paid, true)

  const cancelled = await placePurchase(store, { buyer: bob })
  assert.equal((await cancelPurchase(ada, cancelled)).statusCode, 200)
  const history: OrderHistoryEntry[] = (await bob.request('GET', `/purchase/${cancelled._id}/history`)).json()
  assert.deepEqual(
    history.map(({ event, actor, by }) => [event, actor, by]),
    [
      ['placed', 'buyer', bob.email],
      ['cancelled', 'buyer', ada.email],
    ],
  )
  assert.ok((await store.emailsTo(bob.email)).some(({ text }) => text.includes('Bob, Ada of your company has cancelled your order')))
  assert.deepEqual(
    (await store.emailsTo(ada.email)).filter(({ subject }) => /cancelled/.test(subject)),
    [],
  )
})

test('who of a company has paid the order of another stands with the order, in its history, in the list and in the receipt', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const carol = store.newCustomer('Carol')
  await companyOf(store, ada, bob, carol)
  const payerOf = async ({ _id }: { _id: string }) => (await bob.request('GET', `/orders/${_id}`)).json().paidBy
  const payAs = async (payer: Actor, order: Purchase) => {
    const intentId = await openPaymentIntent(store, order, payer)
    await confirmIntent(store, intentId)
    return { intentId, report: (by: Actor) => recordPayment(by, order, intentId) }
  }
  const adas = { name: 'Ada', email: ada.email }

  const byAda = await placePurchase(store, { buyer: bob })
  await openPaymentIntent(store, byAda, bob)
  assert.equal((await (await payAs(ada, byAda)).report(ada)).statusCode, 200)
  assert.deepEqual(await payerOf(byAda), adas)
  const history: OrderHistoryEntry[] = (await bob.request('GET', `/purchase/${byAda._id}/history`)).json()
  assert.deepEqual(
    history.flatMap(({ event, by }) => (event === 'paid' ? by : [])),
    [ada.email],
  )
  const listed: OrderListItem[] = (await bob.request('GET', '/orders?of=company')).json().orders
  assert.deepEqual(
    listed.map(({ paidBy }) => paidBy),
    [adas],
  )

  const unreported = await placePurchase(store, { buyer: bob })
  const { report } = await payAs(ada, unreported)
  await waitForWebhooks(store)
  assert.deepEqual(await payerOf(unreported), adas, 'nobody else has opened the payment')
  const receipts = (await store.emailsTo(bob.email)).filter(({ subject }) => subject.startsWith(`Receipt for order ${unreported.number}`))
  assert.match(receipts[0]?.text ?? '', /thank you\. The payment of \$30 .*Paid .* by Ada of your company\n/s)
  await report(bob)
  assert.deepEqual(await payerOf(unreported), adas, 'who has not opened it has not paid')

  const unknown = await placePurchase(store, { buyer: bob })
  await openPaymentIntent(store, unknown, bob)
  const late = await payAs(ada, unknown)
  await waitForWebhooks(store)
  assert.equal(await payerOf(unknown), null, 'it may be either')
  const settledAgo = (ms: number) => store.db.update(payments).set({ settledAt: new Date(Date.now() - ms) })
  await settledAgo(3_600_000)
  await late.report(ada)
  assert.equal(await payerOf(unknown), null, 'an hour later it may have been read somewhere')
  await settledAgo(0)
  await late.report(carol)
  assert.equal(await payerOf(unknown), null, 'who was not given the means to pay has not paid')
  await late.report(ada)
  assert.deepEqual(await payerOf(unknown), adas)

  const own = await placePurchase(store, { buyer: bob })
  await (await payAs(bob, own)).report(bob)
  assert.equal(await payerOf(own), null, 'by its buyer')
})

test('who of a company has paid the order of another gets a receipt, too, once, while they are in the company and their e-mail is verified', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, bob, ada)
  const receiptsOf = async ({ email }: Actor, { number }: Purchase) =>
    (await store.emailsTo(email)).filter(({ subject }) => subject === `Receipt for order ${number}: $30 paid`)
  const orderOfBobOpenedBy = async (...openers: Actor[]) => {
    const order = await placePurchase(store, { buyer: bob })
    let intentId = ''
    for (const opener of openers) intentId = await openPaymentIntent(store, order, opener)
    return { order, intentId }
  }

  const { order, intentId } = await orderOfBobOpenedBy(ada)
  await confirmIntent(store, intentId)
  await waitForWebhooks(store)
  assert.equal((await recordPayment(ada, order, intentId)).statusCode, 200)
  const [receipt, ...others] = await receiptsOf(ada, order)
  assert.deepEqual(others, [])
  for (const words of [
    `Ada, thank you. Your payment of $30 for order ${order.number}, which Bob of your company has placed, has arrived.`,
    'with Visa ending 4242 by you\n',
    'Delivery address:\nBob\n1 Road',
    `Show the receipt:\n${store.origin}/dashboard/payment/${order._id}`,
    `You get this mail because you have paid order ${order.number}.`,
  ])
    assert.ok(receipt?.text.includes(words), `${words} in ${receipt?.text}`)
  assert.equal((await receiptsOf(bob, order)).length, 1)

  const reported = await orderOfBobOpenedBy(bob, ada)
  await confirmIntent(store, reported.intentId)
  await waitForWebhooks(store)
  assert.deepEqual(await receiptsOf(ada, reported.order), [], 'it may be either')
  await recordPayment(ada, reported.order, reported.intentId)
  assert.equal((await receiptsOf(ada, reported.order)).length, 1)

  const own = await orderOfBobOpenedBy(ada, bob)
  await confirmIntent(store, own.intentId)
  await recordPayment(bob, own.order, own.intentId)
  assert.deepEqual([(await receiptsOf(ada, own.order)).length, (await receiptsOf(bob, own.order)).length], [0, 1])

  const paidBeforeAll = async (change: () => Promise<unknown>) => {
    const paid = await orderOfBobOpenedBy(ada)
    await change()
    await confirmIntent(store, paid.intentId)
    await waitForWebhooks(store)
    return [(await receiptsOf(ada, paid.order)).length, (await receiptsOf(bob, paid.order)).length]
  }
  const adas = eq(users.email, ada.email)
  assert.deepEqual(await paidBeforeAll(() => store.db.update(users).set({ emailVerified: false }).where(adas)), [0, 1])
  await store.db.update(users).set({ emailVerified: true }).where(adas)
  assert.deepEqual(await paidBeforeAll(() => removeMember(bob, ada)), [0, 1])
})

test('where it is not known who of a company has paid, mails say of the card that it paid, and not whose it is', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const refundMailAfter = async (...openers: Actor[]) => {
    const order = await placePurchase(store, { buyer: bob })
    for (const opener of openers) await openPaymentIntent(store, order, opener)
    await confirmIntent(store, await openPaymentIntent(store, order, bob))
    await waitForWebhooks(store)
    assert.equal((await cancelPurchase(store.admin, order)).statusCode, 200)
    const mails = await store.emailsTo(bob.email)
    return mails.find(({ subject }) => subject.startsWith(`Order ${order.number} is cancelled`))?.text ?? ''
  }
  assert.match(await refundMailAfter(), /\$30 goes back to the card that you paid with\./)
  assert.match(await refundMailAfter(ada), /\$30 goes back to the card that it was paid with\./)
})

test('a payment is told of and answered also where who has paid could not be kept', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePurchase(store)
  const intentId = await openPaymentIntent(store, order)
  dropWebhooks(store)
  await confirmIntent(store, intentId)
  await store.db.execute(sql`alter table payments add constraint no_payer check (paid_by is null)`)
  assert.equal((await recordPayment(store.customer, order, intentId)).statusCode, 200)
  assert.ok((await store.emailsTo(store.customer.email)).some(({ subject }) => subject.startsWith(`Receipt for order ${order.number}`)))
})

test('the orders of a company are searched as the own ones are, and say the own number and what has gone back', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const [drill, saw] = [await createProduct(store), await createProduct(store, { name: 'Saw' })]
  await companyOf(store, ada, bob)
  const placed = []
  for (const [toolId, poNumber] of [
    [drill, 'PO-77'],
    [saw, 'PO-78'],
  ] as const) {
    await putIntoCart(bob, { [toolId]: 1 })
    placed.push(await checkOut(bob, { poNumber }))
    await bob.request('DELETE', `/cart/lines/${toolId}`)
  }
  const [ofDrills, ofSaws] = placed as [CheckedOut, CheckedOut]
  const intentId = intentIdFromSecret(ofSaws.clientSecret ?? '')
  await confirmIntent(store, intentId)
  await waitForWebhooks(store)
  const find = async (q: string) => (await listedFor(ada, `?${new URLSearchParams({ of: 'company', q })}`)).map(([, id]) => id)
  for (const [q, found] of [
    ['po-77', [ofDrills]],
    ['PO-78 saw', [ofSaws]],
    ['po-77 saw', []],
    [intentId, [ofSaws]],
    [`${ofDrills.number}`, [ofDrills]],
    ['po-', [ofSaws, ofDrills]],
  ] as [string, CheckedOut[]][])
    assert.deepEqual(
      await find(q),
      found.map(({ _id }) => _id),
      q,
    )

  const refund = { lines: [{ _id: ofSaws.lines[0]?._id, quantity: 1 }] }
  assert.equal((await store.admin.request('POST', `/orders/${ofSaws._id}/refunds`, refund)).statusCode, 200)
  const listed: OrderListItem[] = (await ada.request('GET', '/orders?of=company')).json().orders
  assert.deepEqual(
    listed.map(({ poNumber, refundedCents, card }) => [poNumber, refundedCents, card]),
    [
      ['PO-78', 3000, 'visa 4242'],
      ['PO-77', 0, null],
    ],
  )
})

test('without naming the order a member pays the newest of their own, never that of another', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  await placePurchase(store, { buyer: bob })
  assert.equal((await ada.request('POST', '/create-payment-intent', { productCost: 30 })).statusCode, 409)
})

test('whoever is out of the company sees only what they have placed themselves, and the company keeps all of it', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  await companyOf(store, ada, bob)
  const [ofAda, ofBob] = [await placePurchase(store, { buyer: ada }), await placePurchase(store, { buyer: bob })]
  await removeMember(ada, bob)
  assert.deepEqual(await listedFor(bob), [])
  assert.deepEqual([await statusesFor(bob, ofAda._id), await statusesFor(bob, ofBob._id)], [hidden, seen])
  assert.deepEqual(await statusesFor(ada, ofBob._id), seen)
  assert.equal((await cancelPurchase(bob, ofAda)).statusCode, 404)
  const later = await placePurchase(store, { buyer: bob })
  assert.deepEqual(await statusesFor(ada, later._id), hidden)
})

test('a member who is removed while they place an order: it is the order of the company that was placed before, or theirs alone', async () => {
  await using store = await anEmptyStore({ buyerLimits: 'off' })
  const { customer: ada, otherCustomer: bob } = store
  const drill = await createProduct(store)
  const company = await companyOf(store, ada, bob)
  const id = await memberId(ada, bob)
  const isOfCompany = async (orderId: string) =>
    (await store.db.select({ companyId: orders.companyId }).from(orders).where(eq(orders._id, orderId)))[0]?.companyId !== null

  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const untilOneWaits = async () => {
    for (let found = 0; found === 0; ) found = (await store.db.execute(waiting)).rowCount ?? 0
  }

  const { placing } = await store.db.transaction(async (tx) => {
    await tx.delete(companyMembers).where(eq(companyMembers.userId, id))
    const begun = { placing: placePurchase(store, { buyer: bob, toolId: drill }) }
    await untilOneWaits() // not with the removal, which is not committed
    return begun
  })
  assert.equal(await isOfCompany((await placing)._id), false)

  await store.db.execute(sql`insert into company_members (user_id, company_id, role) values (${id}, ${company._id}, 'member')`)
  const request = { lines: [{ productId: drill, quantity: 1 }], buyerAddress: '1 Road' }
  const { order, removing } = await store.db.transaction(async (tx) => {
    const buyer = { id, name: bob.name, email: bob.email }
    const placed = await placeOrder(tx, buyer, request, store.orderPolicy, { network: '10.9.9.9' })
    const begun = { order: placed.order, removing: removeMember(ada, bob, id) }
    await untilOneWaits()
    return begun
  })
  assert.equal((await removing).statusCode, 200)
  assert.equal(await isOfCompany(order._id), true)
})
