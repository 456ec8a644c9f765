import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import type { EmailMessage } from '#platform/mail.ts'
import { accountOrders } from '#store/orders/on-account/table.ts'
import { orders } from '#store/orders/table.ts'
import { askEstimate, putIntoCart, sendCheckout, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { setRole } from '#test/company-actions.ts'
import { documentsOf } from '#test/document-actions.ts'
import { showOrder } from '#test/many-lines-actions.ts'
import { accountOf, approveCredit, bookPayment, orderOnAccount, sendEarlier, setUpAccount } from '#test/on-account-actions.ts'
import { createProduct, createTestStoreWithCards, getOrderHistory, getStock } from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { sendPieces } from '#test/shipment-actions.ts'
import type { Actor } from '#test/store.ts'

test('a company orders on account up to its limit: placed at once, unpaid, to be sent; beyond it is told what is left', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 10_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  assert.deepEqual(
    [order.orderStatus, order.paymentStatus, order.fulfilmentStatus, order.paymentMethod, order.clientSecret, order.lines[0]?.toSend],
    ['placed', 'unpaid', 'to_send', 'on_account', null, 2],
  )
  const [purchase] = (await store.customer.request('GET', `/purchase?buyerEmail=${store.customer.email}`)).json()
  assert.deepEqual([purchase.state, purchase.paid], ['paid', false], 'it is to be sent, and not paid')
  const toSend = (await store.admin.request('GET', '/orders/to-send')).json()
  assert.deepEqual(
    toSend.orders.map(({ _id }: { _id: string }) => _id),
    [order._id],
  )
  await putIntoCart(store.customer, { [drill]: 2 })
  const offered = (await askEstimate(store.customer)).paymentMethods.at(-1)
  assert.deepEqual(offered, {
    ...{ method: 'on_account', holdDays: null, dueDays: 30 },
    problem: 'Of the $100 that your company may owe $40 are left: this order costs more',
  })
  const refused = await sendCheckout(store.customer, { paymentMethod: 'on_account' })
  assert.deepEqual(
    [refused.statusCode, refused.json().code, refused.json().errors.paymentMethod],
    [409, 'credit_refused', offered?.problem],
  )
  assert.equal(await getStock(store, drill), 38)
  await approveCredit(store, company, 12_000)
  assert.equal((await sendCheckout(store.customer, { paymentMethod: 'on_account' })).statusCode, 201)
  assert.equal((await accountOf(store, company)).owedCents, 12_000)
})

test('who is of no approved company is offered nothing on account, and refused in words', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 10_000)
  const drill = await createProduct(store)
  const other = store.otherCustomer
  await putIntoCart(other, { [drill]: 1 })
  assert.deepEqual(
    (await askEstimate(other)).paymentMethods.map(({ method }) => method),
    ['card', 'bank_transfer'],
  )
  const refused = await sendCheckout(other, { paymentMethod: 'on_account' })
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'credit_refused'])
  assert.match(refused.json().message, /for companies that the shop has approved/)
})

test('an order on account that was not sent is cancelled: nothing goes back, and its credit and pieces are free', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 10_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 3 })
  const asBuyer = await store.customer.request('POST', `/orders/${order._id}/cancel`, {})
  assert.equal(asBuyer.statusCode, 409, 'it is placed')
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Ordered twice' })
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  assert.deepEqual([cancelled.json().orderStatus, cancelled.json().refundedCents], ['cancelled', 9000])
  assert.equal(await getStock(store, drill), 40)
  assert.equal((await accountOf(store, company)).owedCents, 0)
  assert.deepEqual(await documentsOf(store, store.admin, order), [], 'nothing was invoiced, so nothing is credited')
})

test('each parcel has an invoice with its due day, and they add up to the order to the cent, with the delivery on the first', async () => {
  await using store = await createTestStoreWithCards()
  await setUpTaxAndDelivery(store)
  await setUpAccount(store, 100_000)
  const [drill, saw] = [await createProduct(store, { dollars: 9.99 }), await createProduct(store, { name: 'Saw', dollars: 3.33 })]
  const order = await orderOnAccount(store.customer, { [drill]: 3, [saw]: 4 })
  await sendPieces(store, order, 1, 1)
  await sendPieces(store, order, 0, 2)
  await sendPieces(store, order, 2, 1)
  const invoices = await documentsOf(store, store.customer, order)
  assert.deepEqual(
    invoices.map(({ kind }) => kind),
    ['invoice', 'invoice', 'invoice'],
  )
  const sum = (field: 'netCents' | 'taxCents' | 'totalCents') => invoices.reduce((total, each) => total + each[field], 0)
  assert.deepEqual([sum('totalCents'), sum('taxCents')], [order.totalCents, order.taxCents])
  const completed = await showOrder(store.admin, order._id)
  assert.deepEqual([completed.orderStatus, completed.paymentStatus, completed.fulfilmentStatus], ['completed', 'unpaid', 'sent'])
})

test('what comes back of parcels that are not paid is credited, and what was paid and credited since is to be given back', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000)
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 4 })
  await sendPieces(store, order, 3)
  const [line] = order.lines
  const refund = (quantity: number) =>
    store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: line?._id, quantity }] })
  const first = await refund(2)
  assert.equal(first.statusCode, 200, first.body)
  const [invoice, note] = await documentsOf(store, store.admin, order)
  assert.deepEqual([invoice?.totalCents, note?.kind, note?.totalCents, note?.corrects], [9000, 'credit note', 3000, invoice?.number])
  const { owedCents, byAge } = await accountOf(store, company)
  assert.deepEqual([owedCents, byAge['not due'], byAge['not invoiced']], [6000, 6000, 0], 'of the two one was not sent')
  assert.equal((await bookPayment(store, order, 2000)).statusCode, 201)
  assert.equal((await showOrder(store.admin, order._id)).paymentStatus, 'partly_paid')
  assert.equal((await bookPayment(store, order, 4001)).json().code, 'amount_too_large')
  assert.equal((await bookPayment(store, order, 1000, { owedCentsSeen: 6000 })).json().code, 'amount_changed')
  assert.equal((await bookPayment(store, order, 4000)).statusCode, 201)
  assert.equal((await showOrder(store.admin, order._id)).paymentStatus, 'paid')
  assert.equal((await refund(1)).statusCode, 200)
  const after = await accountOf(store, company)
  assert.deepEqual([after.owedCents, after.toGiveBackCents], [0, 3000])
  await store.jobs.runAllOnce()
  const giveBack = (amountCents: number) =>
    store.admin.request('POST', `/orders/${order._id}/paybacks`, { amountCents, on: '2026-01-16', note: 'By hand' })
  assert.equal((await giveBack(3001)).json().code, 'amount_too_large')
  assert.equal((await giveBack(1000)).statusCode, 201)
  assert.equal((await accountOf(store, company)).toGiveBackCents, 2000)
  assert.equal((await giveBack(2000)).statusCode, 201)
  const { statement, toGiveBackCents, seller, bankAccount } = await accountOf(store, company, '?from=2026-01-01')
  assert.equal(seller, 'Nucleus Trading GmbH\nInvalidenstraße 1\n10115 Berlin\nGermany\nVAT id DE136695976')
  assert.equal(bankAccount?.iban, 'DE89370400440532013000')
  assert.deepEqual([toGiveBackCents, statement.closingCents], [0, 0])
  assert.equal((await getOrderHistory(store, order)).filter(({ event }) => event === 'paid').length, 2)
})

test('an invoice that is overdue stops more on account, says so, is listed by its age, and is free once it is paid', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000, { dueDays: 14 })
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 1 })
  await sendPieces(store, order)
  await store.jobs.runAllOnce()
  await sendEarlier(store, order, 14 + 45)
  const { overdueCents, byAge, invoices } = await accountOf(store, company)
  assert.deepEqual([overdueCents, byAge['31-60'], invoices[0]?.daysOverdue], [3000, 3000, 45])
  await putIntoCart(store.customer, { [drill]: 1 })
  const refused = await sendCheckout(store.customer, { paymentMethod: 'on_account' })
  assert.equal(refused.json().code, 'credit_refused')
  assert.match(
    refused.json().message,
    new RegExp(`Invoice ${invoices[0]?.number} of order ${order.number} was due on .*once all that is overdue is paid`),
  )
  await bookPayment(store, order, 3000)
  assert.equal((await sendCheckout(store.customer, { paymentMethod: 'on_account' })).statusCode, 201)
})

test('only owners approve credit, each change is kept, and the terms of an order are those of its day', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 50_000)
  assert.equal((await store.customer.request('PUT', `/companies/${company._id}/credit`, { limitCents: 1, dueDays: 1 })).statusCode, 403)
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 1 })
  await approveCredit(store, company, 0, { dueDays: 7, note: 'Slow' })
  const { history, credit } = await accountOf(store, company)
  assert.deepEqual(
    history.map(({ limitCents, dueDays, note, by }) => [limitCents, dueDays, note, by]),
    [
      [0, 7, 'Slow', store.admin.email],
      [50_000, 30, '', store.admin.email],
    ],
  )
  assert.equal(credit?.limitCents, 0)
  const [terms] = await store.db.select().from(accountOrders).where(eq(accountOrders.orderId, order._id))
  assert.deepEqual([terms?.dueDays, terms?.limitCents], [30, 50_000])
  await assert.rejects(store.db.update(orders).set({ paymentMethod: 'card' }).where(eq(orders._id, order._id)))
})

test('overdue invoices are reminded of by hand and by themselves, each once a week at the next level, by mail to the managers', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000, { members: [store.otherCustomer] })
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 1 })
  await sendPieces(store, order)
  await store.jobs.runAllOnce()
  const remind = () => store.admin.request('POST', `/receivables/${company._id}/reminders`)
  assert.equal((await remind()).json().code, 'nothing_to_remind', 'it is not due')
  await sendEarlier(store, order, 35)
  assert.equal((await accountOf(store, company)).invoicesToRemind, 1)
  const [sent, again] = await Promise.all([remind(), remind()])
  assert.deepEqual([sent.statusCode, again.statusCode].sort(), [201, 409], 'two at once are one')
  assert.equal((await accountOf(store, company)).invoicesToRemind, 0)
  const mailsOf = async (email: string) => (await store.emailsTo(email)).filter(({ subject }) => subject.includes('overdue'))
  await store.jobs.runAllOnce()
  const [mail] = await mailsOf(store.customer.email)
  const [invoice] = await documentsOf(store, store.admin, order)
  assert.match(`${mail?.subject}`, /^Reminder: \$30 of your company is overdue/)
  assert.ok(mail?.text.includes(`Invoice ${invoice?.number} of order ${order.number}`), mail?.text)
  assert.ok(mail?.text.includes('DE89 3704 0044 0532 0130 00'))
  assert.deepEqual(await mailsOf(store.otherCustomer.email), [], 'a member who is no manager')
  assert.equal((await store.admin.request('PUT', '/receivables/reminders', { daysAfterDue: 3 })).statusCode, 200)
  await store.jobs.runAllOnce()
  assert.equal((await mailsOf(store.customer.email)).length, 1, 'it was reminded of today')
  await store.db.execute(sql`update reminders set recorded_at = recorded_at - interval '8 days'`)
  await store.jobs.runAllOnce()
  await store.jobs.runAllOnce()
  assert.deepEqual(
    (await mailsOf(store.customer.email)).map(({ subject }) => subject.split(':')[0]),
    ['Reminder', 'Reminder 2'],
  )
  assert.equal((await accountOf(store, company)).invoices[0]?.remindedLevel, 2)
})

test('where the mail of a reminder to one manager fails, the other has it once', async () => {
  await using store = await createTestStoreWithCards()
  const company = await setUpAccount(store, 100_000, { members: [store.otherCustomer] })
  await setRole(store.customer, store.otherCustomer, 'manager')
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 1 })
  await sendPieces(store, order)
  await store.jobs.runAllOnce()
  await sendEarlier(store, order, 35)
  await store.jobs.close()
  const [sent, failing]: [string[], Set<string>] = [[], new Set()]
  const send = async ({ to, subject }: EmailMessage) => {
    if (!subject.includes('overdue')) return
    if (sent.length === 1 && failing.size === 0) failing.add(to)
    if (failing.has(to)) throw Object.assign(new Error('421 busy'), { responseCode: 421 })
    sent.push(to)
  }
  await using other = await createSecondInstance(store, { mailer: { send, close: () => {} } })
  assert.equal((await store.admin.request('POST', `/receivables/${company._id}/reminders`)).statusCode, 201)
  await other.jobs.runAllOnce()
  assert.deepEqual([sent.length, failing.size], [1, 1])
  failing.clear()
  failing.add('nobody')
  await store.db.execute(sql`update reminders set mail_due_at = now() where mail_due_at is not null`)
  await other.jobs.runAllOnce()
  assert.deepEqual(sent.toSorted(), [store.customer.email, store.otherCustomer.email].toSorted())
})

test('mails say that an order is on account, by when the invoice of a parcel is to be paid, and what is credited', async () => {
  await using store = await createTestStoreWithCards()
  await setUpAccount(store, 100_000)
  const order = await orderOnAccount(store.customer, { [await createProduct(store)]: 3 })
  await sendPieces(store, order, 2)
  const [invoice] = await documentsOf(store, store.customer, order)
  await store.jobs.whenIdle()
  await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  await store.jobs.runAllOnce()
  const mails = await store.emailsTo(store.customer.email)
  const textOf = (subject: RegExp) =>
    mails.find((mail) => subject.test(mail.subject))?.text ?? assert.fail(`${subject}: ${mails.map((mail) => mail.subject)}`)
  assert.match(textOf(/^Order \d+: \$90, on account/), /An invoice comes with each parcel/)
  assert.match(textOf(/parcel 1 is on its way/), /It is on account: please pay its invoice by /)
  assert.match(textOf(/parcel 1 is on its way/), new RegExp(`Attached: invoice ${invoice?.number}\\.`))
  assert.match(textOf(/^\$30 of order \d+ is credited/), /you owe so much less/)
  assert.ok(mails.every(({ text }) => !text.includes('the card that')))
})

test('members of a company see what it owes, which invoices are to be paid to which account, and its statement; others see nothing of it', async () => {
  await using store = await createTestStoreWithCards()
  const ownAccount = async (actor: Actor) => (await actor.request('GET', '/company/account')).json().account
  const ownStatement = (actor: Actor, query = '') => actor.request('GET', `/company/account/statement${query}`)
  const colleague = store.otherCustomer
  assert.equal(await ownAccount(store.customer), null)
  const company = await setUpAccount(store, 10_000, { members: [colleague] })
  const drill = await createProduct(store, { dollars: 30 })
  const order = await orderOnAccount(store.customer, { [drill]: 2 })
  await sendPieces(store, order, 1)
  await documentsOf(store, store.customer, order) // once its invoice is issued

  const account = await ownAccount(colleague)
  const { credit, history, orders: _, invoicesToRemind, statement, seller, ...known } = await accountOf(store, company)
  assert.deepEqual(account, { ...known, credit: { limitCents: 10_000, dueDays: 30 }, leftToOrderCents: 4000 })
  assert.equal(account.owedCents, 6000)
  assert.deepEqual(
    account.invoices.map(({ orderNumber, openCents }: { orderNumber: number; openCents: number }) => [orderNumber, openCents]),
    [[order.number, 3000]],
  )
  const shown = (await ownStatement(colleague)).json()
  assert.deepEqual([shown.statement, shown.seller, shown.invoices], [statement, seller, known.invoices])
  assert.equal((await ownStatement(colleague, '?from=2020-01-01&to=2020-12-31')).json().statement.closingCents, 0)
  await sendEarlier(store, order, 40)
  assert.equal((await ownAccount(colleague)).leftToOrderCents, 0, 'while an invoice is overdue')
  assert.equal((await ownStatement(store.admin)).statusCode, 404)
  assert.equal(await ownAccount(store.admin), null)
  assert.equal((await store.visitor.request('GET', '/company/account')).statusCode, 401)
})
