import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, type SQL, sql } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import type { OrderHistoryEntry } from '#store/orders/contract.ts'
import { cartIn, changeProduct, openBrowser, quantitiesIn } from '#test/cart-actions.ts'
import { type CheckedOut, checkOut, putIntoCart, sendCheckout, typed } from '#test/checkout-actions.ts'
import { createProducts, payOrder, showOrder } from '#test/many-lines-actions.ts'
import { cancelPurchase, createProduct, createTestStoreWithCards, getOrderHistory, getStock, sandboxControls } from '#test/order-actions.ts'
import type { Actor, Store } from '#test/store.ts'

const takeOut = (actor: Actor, productId: string) => actor.request('DELETE', `/cart/lines/${productId}`)
const statusesOf = async (actor: Actor, ...orders: CheckedOut[]) =>
  Promise.all(orders.map(async ({ _id }) => (await showOrder(actor, _id)).orderStatus))
const replacementOf = async (store: Store, order: CheckedOut) =>
  (await getOrderHistory(store, order)).flatMap(({ replacedBy }) => replacedBy?.number ?? [])

test('a basket replaces its unpaid orders that ask for any of its products, and leaves one of other products alone open', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw, board] = await createProducts(store)
  await putIntoCart(customer, { [drill]: 2, [board]: 1 })
  const ofDrills = await checkOut(customer)
  await takeOut(customer, drill)
  await takeOut(customer, board)
  await putIntoCart(customer, { [saw]: 3 })
  const lastOrder = async () => (await customer.request('GET', '/checkout/last-order')).json().order
  assert.equal(await lastOrder(), null, 'ordering this basket replaces nothing')

  const ofSaws = await checkOut(customer)
  assert.deepEqual(await statusesOf(customer, ofDrills, ofSaws), ['open', 'open'])
  assert.deepEqual([ofSaws.replaces, (await lastOrder()).number], [[], ofSaws.number])
  await putIntoCart(customer, { [board]: 1 })
  const ofBoth = await checkOut(customer)
  assert.deepEqual(await statusesOf(customer, ofDrills, ofSaws), ['cancelled', 'cancelled'])
  const replaced = [ofDrills.number, ofSaws.number]
  assert.deepEqual([ofBoth.replaces, (await showOrder(customer, ofBoth._id)).replaces], [replaced, replaced])
  for (const order of [ofDrills, ofSaws]) assert.deepEqual(await replacementOf(store, order), [ofBoth.number])
  assert.equal(await getStock(store, drill), 40, 'what it held is back')
})

test('an unpaid order of which the part that is ordered again was cancelled stays open', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  await putIntoCart(customer, { [drill]: 2, [saw]: 3 })
  const first = await checkOut(customer)
  const drills = first.lines.find(({ productId }) => productId === drill)
  assert.equal((await cancelPurchase(customer, drills ?? first)).statusCode, 200)
  await takeOut(customer, saw)
  await checkOut(customer)
  assert.deepEqual(await statusesOf(customer, first), ['open'])
})

test('orders of one basket that are open beside each other are each paid, and each takes its own pieces out of the basket', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  await putIntoCart(customer, { [drill]: 2 })
  const first = await checkOut(customer)
  await takeOut(customer, drill)
  await putIntoCart(customer, { [saw]: 3 })
  const second = await checkOut(customer)
  await payOrder(store, first)
  assert.deepEqual(quantitiesIn(cartIn(await customer.request('GET', '/cart'))), { Saw: 3 })
  await payOrder(store, second)
  assert.deepEqual(quantitiesIn(cartIn(await customer.request('GET', '/cart'))), {})
})

test('a discount code that one of several replaced orders has used can be used when their products are ordered together', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  for (const code of ['ONE', 'TWO']) await store.admin.request('POST', '/discount-codes', { code, percentOff: 50, maxUses: 1 })
  await putIntoCart(customer, { [drill]: 1 })
  await checkOut(customer, { discountCode: 'ONE' })
  await takeOut(customer, drill)
  await putIntoCart(customer, { [saw]: 2 })
  await checkOut(customer, { discountCode: 'TWO' })
  await putIntoCart(customer, { [drill]: 1 })
  const { totals, replaces } = await checkOut(customer, { discountCode: 'TWO' })
  assert.deepEqual([totals.reductionCents, replaces.length], [2200, 2])
})

/** The mails about an order so far, once those that wait are due. */
async function mailsAbout(store: Store, email: string, { number }: { number: number }) {
  await store.jobs.whenIdle()
  await store.db.execute(sql`update order_history set mail_due_at = now() where mail_due_at is not null`)
  await store.jobs.runAllOnce()
  return (await store.emailsTo(email)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${number}-`))
}

const mailOfReplaced = async (store: Store, order: { _id: string }) =>
  (await getOrderHistory(store, order)).flatMap(({ event, mail }: OrderHistoryEntry) => (event === 'cancelled' ? mail : []))

test('the mail about an order says which order it replaces; where that mail is not sent, one about the replaced order says it', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const drill = await createProduct(store)
  await putIntoCart(customer, { [drill]: 2 })
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, customer.email))
  const first = await checkOut(customer)
  const second = await checkOut(customer, { phone: '+49 30 1234567' })
  assert.deepEqual(await mailOfReplaced(store, first), ['due'])
  const [confirmation, ...others] = await mailsAbout(store, customer.email, second)
  assert.match(
    confirmation?.text ?? '',
    new RegExp(`It replaces order ${first.number}, which was not paid .* Order ${first.number} is cancelled`),
  )
  assert.deepEqual([others, (await mailsAbout(store, customer.email, first)).length], [[], 1], 'the one that it was placed')
  assert.deepEqual(await mailOfReplaced(store, first), ['none'])

  await store.db.update(users).set({ emailVerified: false }) // who has had a confirmation gets no other one
  const third = await checkOut(customer)
  const mails = await mailsAbout(store, customer.email, second)
  assert.equal(mails.at(-1)?.subject, `Order ${second.number} is replaced by order ${third.number}: nothing was charged`)
  assert.deepEqual(await mailsAbout(store, customer.email, third), [])
})

test('a mail about a replaced order waits for that about the new one, and is sent where that is given up', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const drill = await createProduct(store)
  await putIntoCart(customer, { [drill]: 2 })
  await store.db.update(users).set({ emailVerified: true })
  const [first, second] = [await checkOut(customer), await checkOut(customer, { phone: '+49 30 1234567' })]
  await store.jobs.whenIdle()
  const setMail = (order: CheckedOut, event: string, change: SQL) =>
    store.db.execute(sql`update order_history set ${change} where order_id = ${order._id} and event = ${event}`)
  await setMail(second, 'placed', sql`mailed_at = null, mail_tries = 1, mail_due_at = now() + interval '1 hour'`)
  await setMail(first, 'cancelled', sql`mail_due_at = now()`)
  await store.jobs.runAllOnce()
  assert.deepEqual(await mailOfReplaced(store, first), ['due'])
  await setMail(second, 'placed', sql`mail_due_at = null`)
  await setMail(first, 'cancelled', sql`mail_due_at = now()`)
  await store.jobs.runAllOnce()
  assert.deepEqual(await mailOfReplaced(store, first), ['sent'])
})

test('the one mail to a guest before the payment says which order is replaced', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const email = 'gwen@mail.example'
  const place = async (name: string) => (await browser.request('POST', '/checkout', { ...typed, name, email })).json()
  const [first, second] = [await place('Gwen'), await place('Gwen Byron')]
  const [mail, ...others] = await mailsAbout(store, email, second)
  assert.match(mail?.text ?? '', new RegExp(`It replaces order ${first.number}, `))
  assert.deepEqual([others, (await mailsAbout(store, email, first)).length], [[], 1])
})

test('a mail that is sent late about an order that was replaced since, or has ended, says so, and asks nobody to pay it', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  await customer.token()
  await store.db.update(users).set({ emailVerified: true })
  await putIntoCart(customer, { [drill]: 2, [saw]: 2 })
  const sentLate = async (email: string, order: { _id: string; number: number }, event: string) => {
    await store.jobs.whenIdle()
    await store.db.execute(sql`update order_history set mailed_at = null, mail_due_at = null where order_id = ${order._id}`)
    await store.db.execute(sql`update order_history set mail_due_at = now() where order_id = ${order._id} and event = ${event}`)
    const mail = (await mailsAbout(store, email, order)).at(-1)
    assert.doesNotMatch(mail?.text ?? '', /Pay \$|pay it|held for you|is left to pay|not paid yet/)
    return `${mail?.subject}\n${mail?.text}`
  }
  const first = await checkOut(customer)
  assert.equal((await cancelPurchase(customer, first.lines[1] ?? first)).statusCode, 200)
  const second = await checkOut(customer, { phone: '+49 30 1234567' })
  const placed = await sentLate(customer.email, first, 'placed')
  assert.match(placed, new RegExp(`^Order ${first.number}: .*, replaced by order ${second.number}\n`))
  assert.match(placed, new RegExp(`It was not paid and order ${second.number} has replaced it: nothing was charged\\.`))
  assert.match(placed, new RegExp(`Show the order:\n.*/dashboard/myorder/${first._id}`))
  assert.match(await sentLate(customer.email, first, 'line cancelled'), /is cancelled: nothing was charged\n/)
  assert.equal((await customer.request('POST', `/orders/${second._id}/cancel`, {})).statusCode, 200)
  assert.match(await sentLate(customer.email, second, 'placed'), /It was not paid and has ended: nothing was charged\./)

  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const email = 'gwen@mail.example'
  const place = async (name: string) => (await browser.request('POST', '/checkout', { ...typed, name, email })).json()
  const [ofGuest, next] = [await place('Gwen'), await place('Gwen Byron')]
  assert.match(await sentLate(email, ofGuest, 'placed'), new RegExp(`order ${next.number} has replaced it: nothing was charged`))
})

test('the page of a replaced order says to a guest the number of the order that has replaced it, and leads only to what the viewer may see', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const browser = openBrowser(store.visitor)
  await browser.add(drill, 3)
  const place = async (name: string) => (await browser.request('POST', '/checkout', { ...typed, name, email: 'gwen@mail.example' })).json()
  const [first, second] = [await place('Gwen'), await place('Gwen Byron')]
  const byLink = { authorization: `Bearer order-${new URL(first.link).pathname.split('/').at(-1)}` }
  const history: OrderHistoryEntry[] = (await store.visitor.request('GET', `/purchase/${first._id}/history`, undefined, byLink)).json()
  const { number, _id } = second
  assert.deepEqual(
    history.flatMap(({ replacedBy }) => replacedBy ?? []),
    [{ _id: null, number }],
  )
  const seenByAdmin = (await getOrderHistory(store, first)).flatMap(({ replacedBy }) => replacedBy ?? [])
  assert.deepEqual(seenByAdmin, [{ _id, number }])
})

test('an order that was ended for one that was then not placed has a mail that says so, and the next order of its products is said to replace it until then', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  await customer.token()
  await store.db.update(users).set({ emailVerified: true })
  const failsToReplace = async () => {
    const order = await checkOut(customer, {}, { 'idempotency-key': crypto.randomUUID() })
    const dearer = sandboxControls(store).calls.inject(
      { path: '/v1/payment_intents/:id/cancel' },
      { committed: () => changeProduct(store, drill, { price: 31 + order.number }) },
    )
    const refused = await sendCheckout(customer, { expectedTotalCents: order.totalCents })
    dearer.remove()
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'total_changed'], refused.body)
    assert.deepEqual(await statusesOf(customer, order), ['cancelled'])
    return order
  }
  await putIntoCart(customer, { [drill]: 2 })
  const first = await failsToReplace()
  const mails = await mailsAbout(store, customer.email, first)
  assert.equal(mails.at(-1)?.subject, `Order ${first.number} is cancelled: nothing was charged`)
  assert.match(mails.at(-1)?.text ?? '', /some of the same again\. It was cancelled for that, but the new order was not placed/)

  const { totals } = cartIn(await customer.request('GET', '/cart'))
  const second = await checkOut(customer, { expectedTotalCents: totals.totalCents })
  assert.deepEqual([second.replaces, await replacementOf(store, first)], [[], []], 'it was said to be cancelled')
  await cancelPurchase(customer, second.lines[0] ?? second)
  const third = await failsToReplace()
  await takeOut(customer, drill)
  await putIntoCart(customer, { [saw]: 2 })
  const ofSaws = await checkOut(customer)
  assert.deepEqual(await replacementOf(store, third), [], 'not by an order of other products')
  await putIntoCart(customer, { [drill]: 1 })
  const fourth = await checkOut(customer)
  assert.deepEqual(await replacementOf(store, third), [fourth.number])
  const linked = [third.number, ofSaws.number]
  assert.deepEqual([fourth.replaces, (await showOrder(customer, fourth._id)).replaces], [linked, linked])
})

test('who cancels an order cannot make it look as if it were replaced, whatever reason they type', async () => {
  await using store = await createTestStoreWithCards()
  const { customer } = store
  const [drill, saw] = await createProducts(store)
  await putIntoCart(customer, { [drill]: 1, [saw]: 2 })
  const whole = await checkOut(customer)
  const body = { reason: 'You have ordered your basket anew' }
  assert.equal((await customer.request('POST', `/orders/${whole._id}/cancel`, body)).statusCode, 200)
  await takeOut(customer, saw)
  const ofOneLine = await checkOut(customer)
  assert.equal((await cancelPurchase(customer, ofOneLine, body)).statusCode, 200)
  for (const order of [whole, ofOneLine]) {
    const cancelled = (await getOrderHistory(store, order)).find(({ event }) => event === 'cancelled')
    assert.deepEqual([cancelled?.note, cancelled?.replacedBy], [null, undefined])
  }
})
