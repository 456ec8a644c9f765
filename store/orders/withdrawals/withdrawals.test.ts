import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, isNull, sql } from 'drizzle-orm'
import { forgetRateLimits } from '#proof/forget-rate-limits.ts'
import { shopDay } from '#shared/shop-day.ts'
import { addDays } from '#store/delivery/delivery-days.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { createOrderLink } from '#store/orders/order-link.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { aSellingStore, correct, placePaidCheckout } from '#test/correction-actions.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { createProducts, payOrder, placeLines, showOrder } from '#test/many-lines-actions.ts'
import {
  createProduct,
  createTestStoreWithCards,
  getOrderEventNames,
  getOrderHistory,
  getStock,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { decide as decideReturn, receiveAll } from '#test/return-actions.ts'
import { sayDelivered, sendPieces, sentDaysAgo } from '#test/shipment-actions.ts'
import { type ApiResponse, anEmptyStore, type Store, testSecret } from '#test/store.ts'
import { decide, importEntries, placeTransferOrder, setUpTransfers, waitingEntries } from '#test/transfer-actions.ts'
import { askToWithdraw, placePaidInGermany, showWithdrawal, withdrawFrom } from '#test/withdrawal-actions.ts'
import { withdrawalLines, withdrawals } from './table.ts'

const today = () => shopDay(new Date())
const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code]
/** Until refunds and mails are done. @returns the order as it is then */
async function settled(store: Store, { _id }: Pick<Order, '_id'>): Promise<Order> {
  await store.emailsTo('')
  return showOrder(store.admin, _id)
}

/** The order is sent and was delivered so many days ago. */
async function deliver(store: Store, order: Order, daysAgo: number, ...pieces: number[]) {
  const parcel = await sendPieces(store, order, ...pieces)
  await sentDaysAgo(store, parcel, daysAgo)
  const said = await sayDelivered(store.admin, order, parcel, addDays(today(), -daysAgo))
  assert.equal(said.statusCode, 200, said.body)
}

test('of an order that was not sent all money goes back and all pieces, with a receipt of date, time and content', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const before = await showWithdrawal(store.customer, order)
  assert.deepEqual(
    before.withdrawal?.lines.map(({ productName, quantity }) => [productName, quantity]),
    [
      ['Drill', 3],
      ['Saw', 2],
    ],
  )
  assert.deepEqual([before.withdrawal?.until, before.withdrawal?.isByLaw, before.why], [null, true, null])
  const withdrawal = await withdrawFrom(store.customer, order)
  assert.deepEqual([withdrawal.refundCents, withdrawal.returnNumber, withdrawal.moneyDueOn], [10_400, null, null])
  const after = await settled(store, order)
  assert.deepEqual([after.orderStatus, after.paymentStatus, after.refundedCents], ['cancelled', 'refunded', 10_400])
  assert.equal(await getStock(store, `${order.lines[0]?.productId}`), 40)
  assert.deepEqual((await getOrderEventNames(store, order)).slice(2), ['withdrawn', 'refund asked', 'cancelled'])
  const receipt = (await store.emailsTo('ada@shop.example')).find(({ subject }) => subject.startsWith('Receipt: you have withdrawn'))
  assert.match(`${receipt?.text}`, /received your withdrawal on \d+ \w+ \d{4}, \d\d:\d\d UTC/)
  assert.match(`${receipt?.text}`, /3 x Drill\n2 x Saw\nName: Ada Byron\nE-mail for the receipt: ada@shop.example/)
  assert.match(`${receipt?.text}`, /\$104 for what was not sent goes back/)
  const notices = (await store.emailsTo(store.admin.email)).filter(({ subject }) => subject.includes('withdrawn'))
  assert.equal(notices.length, 1)
  assert.match(`${notices[0]?.subject}`, new RegExp(`order ${order.number}`))
  const shown = await showWithdrawal(store.customer, order)
  assert.equal(shown.withdrawal, null)
  assert.match(`${shown.why}`, /withdrawn from by/)
  assert.equal(shown.withdrawn[0]?.at, withdrawal.at)
})

test('what was sent becomes a return whose money is due within 14 days, and what was not goes back at once', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await sendPieces(store, order, 2)
  const withdrawal = await withdrawFrom(store.customer, order)
  assert.deepEqual(
    withdrawal.lines.map(({ quantity, sent }) => [quantity, sent]),
    [
      [3, 2],
      [2, 0],
    ],
  )
  assert.deepEqual([withdrawal.refundCents, withdrawal.moneyDueOn], [4400, addDays(today(), 14)])
  const after = await settled(store, order)
  assert.deepEqual([after.orderStatus, after.fulfilmentStatus, after.refundedCents], ['completed', 'sent', 4400])
  const { returns } = (await store.customer.request('GET', `/orders/${order._id}/returns`)).json()
  assert.deepEqual(
    returns.map(({ cause, moneyDueOn, number }: Record<string, unknown>) => [cause, moneyDueOn, number]),
    [['withdrawal', addDays(today(), 14), withdrawal.returnNumber]],
  )
  const kept = await store.customer.request('DELETE', `/orders/${order._id}/returns/${returns[0]._id}`)
  assert.deepEqual(refusalOf(kept), [409, 'return_of_withdrawal'])
})

test('once what was withdrawn from is back and decided, nothing of it is awaited any more', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await deliver(store, order, 3)
  await withdrawFrom(store.customer, order)
  const isReturned = async () => (await showWithdrawal(store.customer, order)).withdrawn[0]?.isReturned
  const { returns } = (await store.customer.request('GET', `/orders/${order._id}/returns`)).json()
  const received = await receiveAll(store, returns[0])
  assert.equal(await isReturned(), false)
  const refunds = received.lines.map(({ quantity }, line): [number, number, string] => [line, quantity, 'refund'])
  const decided = await decideReturn(store, received, refunds)
  assert.equal(decided.statusCode, 200, decided.body)
  assert.equal(await isReturned(), true)
})

test('of a part the rest stays; the same again, and more than is left, is refused in words of its own', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await deliver(store, order, 3)
  await withdrawFrom(store.customer, order, 1)
  const twice = await askToWithdraw(store.customer, order, [3])
  assert.deepEqual(refusalOf(twice), [409, 'more_than_left'])
  assert.match(twice.json().message, /Only 2 x Drill is left to withdraw from: 1 withdrawn from before/)
  await withdrawFrom(store.customer, order, 2)
  assert.match((await askToWithdraw(store.customer, order, [1])).json().message, /Nothing of Drill is left/)
  await withdrawFrom(store.customer, order)
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'nothing_to_withdraw'])
  assert.equal((await showWithdrawal(store.customer, order)).withdrawn.length, 3)
  const [line] = order.lines
  const named = [{ _id: line?._id, quantity: 1 }]
  const asked = (lines: object[]) =>
    store.customer.request('POST', `/orders/${order._id}/withdrawal`, { name: 'A', email: 'a@b.example', lines })
  assert.equal((await asked([...named, ...named])).statusCode, 409)
  const other = await placePaidInGermany(store)
  assert.equal((await askToWithdraw(store.customer, { _id: other._id, lines: order.lines }, [1])).statusCode, 404)
  const doubled = await store.customer.request('POST', `/orders/${other._id}/withdrawal`, {
    ...{ name: 'A', email: 'a@b.example' },
    lines: [1, 1].map((quantity) => ({ _id: other.lines[0]?._id, quantity })),
  })
  assert.equal(doubled.json().message, 'This line is named twice')
})

test('what is cancelled or refunded already, and what came back for its money, cannot be withdrawn from', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const [drills, saws] = order.lines
  assert.equal((await store.admin.request('POST', `/purchase/${saws?._id}/cancel`, {})).statusCode, 200)
  await deliver(store, order, 1, 3)
  const asked = { lines: [{ _id: drills?._id, quantity: 1, reason: 'defective' }] }
  assert.equal((await store.customer.request('POST', `/orders/${order._id}/returns`, asked)).statusCode, 201)
  const kept = { lines: [{ _id: drills?._id, quantity: 1, restock: 0 }] } // given back, and the buyer keeps it
  assert.equal((await store.admin.request('POST', `/orders/${order._id}/refunds`, kept)).statusCode, 200)
  const left = (await showWithdrawal(store.customer, order)).withdrawal?.lines
  assert.deepEqual(
    left?.map(({ productName, quantity }) => [productName, quantity]),
    [['Drill', 2]],
  )
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order, [3])), [409, 'more_than_left'])
  await withdrawFrom(store.customer, order)
  const refunded = await placePaidInGermany(store)
  for (const { _id } of refunded.lines) await refundPurchase(store.admin, { _id })
  const nothing = await askToWithdraw(store.customer, refunded)
  assert.deepEqual(refusalOf(nothing), [409, 'nothing_to_withdraw'])
  assert.match(nothing.json().message, /returned, cancelled or refunded already/)
})

test('it is possible to the end of the last day, and refused with that day afterwards', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await deliver(store, order, 14)
  const { withdrawal } = await showWithdrawal(store.customer, order)
  assert.ok(withdrawal?.until && withdrawal.until >= today())
  await store.db.execute(sql`update shipments set delivered_on = ${addDays(today(), -20)}::date`)
  const late = await askToWithdraw(store.customer, order)
  assert.deepEqual(refusalOf(late), [409, 'withdrawal_ended'])
  assert.match(late.json().message, /ended on \d+ \w+ \d{4}\. Ask for a return/)
  assert.match(`${(await showWithdrawal(store.customer, order)).why}`, /ended on/)
  await store.db.execute(sql`update shipments set delivered_on = null, delivered_said_by = null`) // on its way: the time has not begun
  await withdrawFrom(store.customer, order)
})

test('it is the right of consumers in the EU and the EEA, whom a country that no call names counts with where the shop is there; the owner may let all consumers', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store, 'US')
  const nowhere = await placeLines(store, { [await createProduct(store)]: 1 })
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'withdrawal_not_offered'])
  assert.equal((await showWithdrawal(store.customer, nowhere)).withdrawal, null)
  await store.admin.request('PUT', '/tax/settings', { country: 'DE', state: null, pricesIncludeTax: false })
  assert.ok((await showWithdrawal(store.customer, nowhere)).withdrawal)
  const settings = { timeZone: 'UTC', unknownWeightGrams: null, withdrawalEverywhere: true }
  assert.equal((await store.admin.request('PUT', '/delivery/settings', settings)).statusCode, 200)
  assert.equal((await showWithdrawal(store.customer, order)).withdrawal?.isByLaw, false)
  await setUpTaxAndDelivery(store)
  await putIntoCart(store.customer, { [await createProduct(store)]: 1 })
  const business = await checkOut(store.customer, { company: 'Engines' })
  const refused = await askToWithdraw(store.customer, business)
  assert.deepEqual(refusalOf(refused), [409, 'withdrawal_not_offered'])
  assert.match(refused.json().message, /for a business/)
})

test('an order that is not paid is cancelled as a whole, with the receipt alone', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 }, { country: 'DE' })
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order, [3])), [409, 'order_not_paid'])
  await withdrawFrom(store.customer, order)
  assert.equal((await settled(store, order)).orderStatus, 'cancelled')
  assert.equal(await getStock(store, drill), 40)
  const mails = (await getOrderHistory(store, order)).filter(({ mail }) => mail === 'sent').map(({ event }) => event)
  assert.deepEqual(mails, ['placed', 'withdrawn'])
  assert.match(`${(await store.emailsTo('ada@shop.example')).at(-1)?.text}`, /was not paid: nothing was charged/)
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'nothing_to_withdraw'])
})

test('a cancelled order has no contract to withdraw from', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placeLines(store, { [await createProduct(store)]: 1 }, { country: 'DE' })
  await store.customer.request('POST', `/orders/${order._id}/cancel`, {})
  const refused = await askToWithdraw(store.customer, order)
  assert.match(refused.json().message, /is cancelled, so there is no contract/)
})

test('pieces whose money went back before are withdrawn from and cancelled without more money', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await refundPurchase(store.admin, { _id: `${order.lines[0]?._id}` }, { amountCents: 3000, restock: 0 })
  const drills = `${order.lines[0]?.productId}`
  const stock = await getStock(store, drills)
  assert.equal((await withdrawFrom(store.customer, order, 1)).refundCents, 0)
  const [line] = (await settled(store, order)).lines
  assert.deepEqual([line?.cancelled, line?.toSend, line?.refundedCents], [1, 2, 3000])
  assert.equal(await getStock(store, drills), stock + 1)
  assert.equal((await withdrawFrom(store.customer, order, 1)).refundCents, 3000)
})

test('of an order for which less was taken than it costs no more goes back than was paid', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store, { quantity: 3 })
  await importEntries(store, [{ amountCents: 5000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const accepted = { decision: 'accept the shortfall', orders: [{ number: order.number, amountCents: 5000 }], reason: 'Damaged box' }
  assert.equal((await decide(store.admin, entry, accepted)).statusCode, 200)
  assert.equal((await withdrawFrom(store.customer, order, 2)).refundCents, 5000)
})

test('pieces whose refund the card provider has refused are not withdrawn from once more', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 }, { country: 'DE' })
  await payOrder(store, order, { card: 'pm_card_createDispute' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  await withdrawFrom(store.customer, order, 2)
  await settled(store, order)
  assert.ok((await getOrderEventNames(store, order)).includes('refund failed'))
  const again = await askToWithdraw(store.customer, order, [2])
  assert.deepEqual(refusalOf(again), [409, 'more_than_left'])
  assert.match(again.json().message, /Only 1 x Drill is left to withdraw from: 2 withdrawn from before/)
  await withdrawFrom(store.customer, order)
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'nothing_to_withdraw'])
})

test('the receipt of an order that was paid in part says what goes back', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTransfers(store)
  const order = await placeTransferOrder(store, { quantity: 2 })
  await importEntries(store, [{ amountCents: 2000, text: order.reference }])
  const [entry = assert.fail()] = await waitingEntries(store)
  const part = { decision: 'assign', orders: [{ number: order.number, amountCents: 2000 }] }
  assert.equal((await decide(store.admin, entry, part)).statusCode, 200)
  await withdrawFrom(store.customer, order)
  const receipt = (await store.emailsTo('ada@shop.example')).find(({ subject }) => subject.startsWith('Receipt: you have withdrawn'))
  assert.match(`${receipt?.text}`, /\$20 that has come goes back to the account that it was transferred from/)
})

test('a corrected invoice that names a company leaves a consumer the right to withdraw', async () => {
  await using store = await aSellingStore()
  const order = await placePaidCheckout(store)
  await correct(store, order, { company: 'Analytical Engines' })
  await withdrawFrom(store.customer, order)
  const business = await placePaidCheckout(store, { company: 'Analytical Engines' })
  await correct(store, business, { company: undefined })
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, business)), [409, 'withdrawal_not_offered'])
})

test('two withdrawals at one moment are one', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await sendPieces(store, order, 2)
  const answers = await Promise.all([1, 2, 3].map(() => askToWithdraw(store.customer, order)))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409])
  assert.equal((await settled(store, order)).refundedCents, 4400)
  assert.equal((await showWithdrawal(store.customer, order)).withdrawn.length, 1)
})

test('who has the order withdraws, also a guest by their link, and nobody else', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  const ofGuest = await placeGuestOrder(store, { [await createProduct(store)]: 1 }, { more: { country: 'DE' } })
  for (const actor of [store.otherCustomer, holderOfLink(store, ofGuest)]) {
    assert.equal((await askToWithdraw(actor, order)).statusCode, 404)
    assert.equal((await actor.request('GET', `/orders/${order._id}/withdrawal`)).statusCode, 404)
  }
  assert.equal((await askToWithdraw(store.visitor, order)).statusCode, 401)
  await withdrawFrom(holderOfLink(store, ofGuest), ofGuest)
  const receipts = await store.emailsTo('ada@shop.example') // the e-mail that the guest has typed
  assert.equal(receipts.filter(({ subject }) => subject.includes(`order ${ofGuest.number}`)).length, 1)
  await withdrawFrom(store.admin, order) // for a buyer who has written a letter
  assert.equal((await getOrderHistory(store, order)).find(({ event }) => event === 'withdrawn')?.actor, 'admin')
})

test('with the whole order the delivery goes back: all of it before anything was sent, and afterwards what the cheapest one costs', async () => {
  await using store = await createTestStoreWithCards()
  const { express } = await setUpTaxAndDelivery(store)
  const drill = await createProduct(store)
  const placeExpress = async () => {
    await putIntoCart(store.customer, { [drill]: 2 })
    const order = await checkOut(store.customer, { deliveryMethod: express })
    await payOrder(store, order)
    return order
  }
  const unsent = await placeExpress()
  assert.equal((await withdrawFrom(store.customer, unsent)).refundCents, unsent.totalCents)
  assert.equal((await settled(store, unsent)).orderStatus, 'cancelled')

  const sent = await placeExpress()
  await deliver(store, sent, 1)
  assert.equal((await withdrawFrom(store.customer, sent, 1)).deliveryCents, 0)
  const last = await withdrawFrom(store.customer, sent)
  assert.deepEqual([last.deliveryCents, last.refundCents], [583, 583]) // 4.90 with 19 % of tax, of 14.90
  const after = await settled(store, sent)
  assert.equal(after.refundedDeliveryCents, 583)
})

test('the books say what is wrong with a withdrawal, and the database keeps it as it was received', async () => {
  await using store = await anEmptyStore({ cards: true, allowWrongBooks: true })
  const order = await placePaidInGermany(store)
  await deliver(store, order, 1)
  const { _id } = await withdrawFrom(store.customer, order, 1)
  const refused = async (change: PromiseLike<unknown>) => assert.rejects(async () => change, /Failed query/)
  await refused(store.db.update(withdrawals).set({ name: 'Eve' }).where(eq(withdrawals._id, _id)))
  await refused(store.db.delete(withdrawalLines).where(eq(withdrawalLines.withdrawalId, _id)))
  await refused(store.db.update(withdrawalLines).set({ quantity: 2 }).where(eq(withdrawalLines.withdrawalId, _id)))
  const saws = order.lines[1]?._id ?? ''
  await refused(store.db.insert(withdrawalLines).values({ withdrawalId: _id, orderLineId: saws, quantity: 3, sent: 3 }))
  assert.deepEqual(await store.faults(), [])
  await store.db.insert(withdrawalLines).values({ withdrawalId: _id, orderLineId: saws, quantity: 2, sent: 2 })
  assert.match((await store.faults()).join('\n'), /is of 2 pieces of line 2 that were sent, its returns of 0/)
})

test('the receipt goes to the e-mail that was typed, which cannot be made to get many, nor a message in the name', async () => {
  await using store = await createTestStoreWithCards()
  const victim = 'victim@mail.example'
  const drill = await createProduct(store)
  for (const nth of [1, 2, 3, 4, 5]) {
    const order = await placeGuestOrder(
      store,
      { [drill]: 1 },
      { more: { country: 'DE' }, email: `g${nth}@mail.example`, from: `192.0.2.${nth}` },
    )
    const sent = await askToWithdraw(holderOfLink(store, order), order, [], { email: victim, name: 'Call 555 0100 1234 now' })
    assert.equal(sent.statusCode, 201, sent.body)
  }
  const mails = await store.emailsTo(victim)
  assert.equal(mails.length, 3)
  for (const { text } of mails) assert.doesNotMatch(text, /555/)
  const order = await placePaidInGermany(store)
  for (const email of ['', 'nobody', `${'a'.repeat(250)}@b.example`])
    assert.equal((await askToWithdraw(store.customer, order, [], { email })).statusCode, 400)
  for (const name of ['', 'a'.repeat(81), 'Visit www.evil.example'])
    assert.equal((await askToWithdraw(store.customer, order, [], { name })).statusCode, 400)
})

test('an admin who is no owner gives back by withdrawals no more than by refunds, under their own name, and owners are told who it was', async () => {
  await using store = await createTestStoreWithCards()
  const colleague = store.otherCustomer
  await colleague.token()
  assert.equal((await store.admin.request('PUT', `/user/admin/${colleague.email}`)).statusCode, 200)
  const placePaid = async (dollars: number) => {
    const order = await placeLines(store, { [await createProduct(store, { dollars })]: 1 }, { country: 'DE' })
    await payOrder(store, order)
    return order
  }
  const [dear, cheaper] = [await placePaid(21_000), await placePaid(6000)]
  const tooMuch = await askToWithdraw(colleague, dear)
  assert.equal(tooMuch.statusCode, 429, tooMuch.body)
  assert.match(tooMuch.json().message, /give back less at a time/)
  const { page, withdrawal, withdrawn } = await showWithdrawal(colleague, dear)
  assert.deepEqual([page, withdrawal?.lines.length, withdrawn], [null, 1, []])
  assert.ok((await showWithdrawal(store.customer, dear)).page)
  await withdrawFrom(colleague, cheaper)
  const subjects = (await store.emailsTo(store.admin.email)).map(({ subject }) => subject)
  assert.ok(subjects.includes(`${colleague.email} has withdrawn from order ${cheaper.number} for its buyer`), subjects.join('; '))
  assert.ok(
    subjects.some((subject) => subject.startsWith(colleague.email) && subject.includes('refund')),
    subjects.join('; '),
  )
  await withdrawFrom(store.admin, dear) // an owner may
})

test("a receipt leads to the page of a guest's order only where it goes to the e-mail of that order", async () => {
  await using store = await createTestStoreWithCards()
  const receiptTo = async (email: string) => {
    const order = await placeGuestOrder(store, { [await createProduct(store)]: 1 }, { more: { country: 'DE' } })
    assert.equal((await askToWithdraw(holderOfLink(store, order), order, [], { email })).statusCode, 201)
    const receipt = (await store.emailsTo(email)).find(({ subject }) => subject.startsWith('Receipt'))
    return [receipt !== undefined, receipt?.text.includes(createOrderLink(testSecret, order._id))]
  }
  assert.deepEqual(await receiptTo('gwen@mail.example'), [true, true])
  await forgetRateLimits(store.db)
  assert.deepEqual(await receiptTo('stranger@mail.example'), [true, false])
})

test('guests of a network who withdraw send no more mails to strangers than guests who order, and none to an address that refuses them', async () => {
  await using store = await createTestStoreWithCards()
  const drill = await createProduct(store)
  const receiptsTo = async (email: string, from: string) => {
    const order = await placeGuestOrder(store, { [drill]: 1 }, { more: { country: 'DE' }, email: `by-${email}`, from })
    await settled(store, order)
    assert.equal((await askToWithdraw(holderOfLink(store, order), order, [], { email })).statusCode, 201)
    return (await store.emailsTo(email)).length
  }
  const counts: number[] = []
  for (const nth of [1, 2, 3]) counts.push(await receiptsTo(`victim${nth}@mail.example`, '192.0.2.1'))
  assert.deepEqual(counts, [1, 0, 0]) // three mails in all, with those about the orders
  const other = await placeGuestOrder(store, { [drill]: 1 }, { email: 'closed@mail.example', from: '198.51.100.1' })
  const before = (await store.emailsTo('closed@mail.example')).length
  await store.db.execute(sql`update order_history set mailed_at = null, mail_due_at = null, mail_tries = 1 where order_id = ${other._id}`)
  assert.equal(await receiptsTo('closed@mail.example', '203.0.113.1'), before)
})

test('of a parcel of which nobody has said it the period begins on the day of its assumed delivery, whether or not the job has come to it', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidInGermany(store)
  await sentDaysAgo(store, await sendPieces(store, order), 60)
  assert.equal((await store.db.$count(shipments, isNull(shipments.deliveredOn))) > 0, true)
  assert.deepEqual(refusalOf(await askToWithdraw(store.customer, order)), [409, 'withdrawal_ended'])
})
