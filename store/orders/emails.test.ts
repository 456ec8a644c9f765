import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import PostalMime from 'postal-mime'
import { createMailer, type EmailMessage } from '#platform/mail.ts'
import { products } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { checkOut, putIntoCart, setUpTaxAndDelivery } from '#test/checkout-actions.ts'
import { startMailServer } from '#test/mail-server.ts'
import {
  createTestStoreWithCards as aStoreOfStrangers,
  cancelPurchase,
  confirmIntent,
  createProduct,
  expireHold,
  getOrderHistory,
  openPayment,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Purchase } from './contract.ts'
import { selectDueEmail, sendDueOrderEmail } from './emails.ts'
import { orderHistory } from './table.ts'

/** A store whose customer has verified the e-mail: mails say everything and confirm every order. */
async function aStoreWithCards(): Promise<Store> {
  const store = await aStoreOfStrangers()
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true })
  return store
}

const patience = 'Banks take up to ten days to show it.'
const closing = ({ number }: Purchase) => `Nucleus of PC. You get this mail because of your order ${number}.`
const when = (moment: string) =>
  `${new Date(moment).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`

/** The mails about an order so far, oldest first, without the one that it was placed. */
async function mailsAbout(store: Store, order: Purchase): Promise<EmailMessage[]> {
  await waitForWebhooks(store)
  const all = (await store.emailsTo(order.buyerEmail)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${order.number}-`))
  assert.match(all[0]?.subject ?? '', /not paid yet$/)
  return all.slice(1)
}
/** Whoever waits for a next try waits no longer. */
const mailsAreDue = (store: Store) => store.db.execute(sql`update order_history set mail_due_at = now() where mail_due_at is not null`)

function assertSays(
  { subject, text, html }: EmailMessage | undefined = { to: '', subject: '', text: '', html: '' },
  title: string,
  ...words: string[]
) {
  assert.equal(subject, title)
  for (const each of words) assert.ok(text.includes(each), `${JSON.stringify(each)} in ${text}`)
  assert.match(html, /<html/)
}

test('who has placed an order gets a mail with what, how much, until when it is held and where to pay', async () => {
  await using store = await aStoreWithCards()
  const order = await placePurchase(store, { dollars: 1500, quantity: 2 })

  const all = await store.emailsTo(store.customer.email)
  const [mail, ...others] = all.filter(({ messageIdSeed }) => messageIdSeed?.startsWith('order-'))

  assert.deepEqual(others, [])
  const until = when(order.holdUntil)
  assertSays(
    mail,
    `Order ${order.number}: 2 x Drill, $3,000, not paid yet`,
    `Hello Ada, your order ${order.number} is placed: 2 x Drill for $3,000. It is not paid yet.`,
    `The pieces are held for you until ${until}. An order that is not paid by then ends, and nothing is charged.`,
    'Delivery address:\nAda\n1 Road',
    `Pay $3,000:\n${store.origin}/dashboard/payment/${order._id}`,
    closing(order),
    `Something wrong? ${store.origin}/help#contact`,
  )
})

test('the mails about an order name the part number, and a long name leaves room for the sum in the subject', async () => {
  await using store = await aStoreWithCards()
  const name = 'Drill with everything that was ever made for turning a screw in or out'
  const toolId = await createProduct(store)
  await store.db.update(products).set({ name, brand: 'Wera', mpn: '05134-B' }).where(eq(products._id, toolId))
  const wish = { toolId, productName: name, productQuantity: 2, productCost: 60, buyerAddress: '1 Road' }
  const order: Purchase = (await store.customer.request('POST', '/purchase', wish)).json()
  const intentId = await openPaymentIntent(store, order)
  await confirmIntent(store, intentId)
  await recordPayment(store.customer, order, intentId)
  await waitForWebhooks(store)
  const [placed, receipt] = (await store.emailsTo(order.buyerEmail)).filter(({ messageIdSeed }) =>
    messageIdSeed?.startsWith(`order-${order.number}-`),
  )
  assertSays(
    placed,
    `Order ${order.number}: 2 x Drill with everything that was ever made fo..., $60, not paid yet`,
    'Part number: Wera 05134-B',
  )
  assertSays(receipt, `Receipt for order ${order.number}: $60 paid`, '$30 each, $60\nPart number: Wera 05134-B\nTotal paid: $60')
})

test('the mails about an order from the checkout say its costs, its delivery and what was typed for the invoice, to an address that is verified', async () => {
  await using store = await aStoreWithCards()
  await setUpTaxAndDelivery(store)
  const [drill, saw] = [await createProduct(store, { dollars: 10 }), await createProduct(store, { name: 'Saw', dollars: 5 })]
  const business = {
    ...{ company: 'Engines', poNumber: 'PO-77', buyerReference: 'Lab 4' },
    billTo: { country: 'DE', line1: 'Chausseestraße 1', city: 'Berlin', postalCode: '10115' },
    partNumbers: [{ productId: saw, partNumber: 'E-1' }],
  }
  const order = async (): Promise<Purchase> => {
    await putIntoCart(store.customer, { [drill]: 2, [saw]: 1 })
    const placed = await checkOut(store.customer, business)
    return { ...placed, productCost: placed.totalCents / 100 } as never
  }
  const placed = await order()
  const intentId = await openPaymentIntent(store, placed)
  await confirmIntent(store, intentId)
  await recordPayment(store.customer, placed, intentId)
  const refunded = await store.admin.request('POST', `/orders/${placed._id}/refunds`, { delivery: true })
  assert.equal(refunded.statusCode, 200, refunded.body)
  await waitForWebhooks(store)
  const about = async ({ number }: Purchase) =>
    (await store.emailsTo(store.customer.email)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith(`order-${number}-`))
  const [confirmation, receipt, refund] = await about(placed)
  const costs = 'Goods: $25\nDelivery: $4.90\n19 % tax on $29.90: $5.68\n'
  const typed = [
    'Invoice address:\nChausseestraße 1\n10115 Berlin\nGermany\nCompany: Engines\nPO number: PO-77',
    'Reference: Lab 4\nOwn part number: E-1, Saw',
  ]
  assertSays(confirmation, `Order ${placed.number}: 2 products, $35.58, not paid yet`, `${costs}Total: $35.58`, ...typed)
  assertSays(receipt, `Receipt for order ${placed.number}: $35.58 paid`, `${costs}Total paid: $35.58`, ...typed)
  for (const mail of [confirmation, receipt]) assert.match(mail?.text ?? '', /Delivery address:\nAda Byron\nEngines\nInvalidenstraße 116\n/)
  for (const mail of [confirmation, receipt])
    assert.match(mail?.text ?? '', /^Delivery: Parcel, DHL, arrives from \d+ \w+ \d{4} to \d+ \w+ \d{4}$/m)
  assertSays(
    refund,
    `$5.83 of order ${placed.number} goes back to you`,
    `order ${placed.number}, Delivery, goes back to`,
    'Refunded: -$5.83\nincluding delivery and its tax: -$5.83\nincluding 19 % tax on $4.90: -$0.93\nPaid after the refund: $29.75',
  )

  await store.db.update(users).set({ emailVerified: false })
  await store.db.execute(sql`update order_history set mailed_at = null`) // as if it were the first order
  const [stranger] = await about(await order())
  assert.match(stranger?.text ?? '', /^Delivery: Parcel, DHL, arrives/m)
  assert.doesNotMatch(stranger?.text ?? '', /Engines|PO-77|Lab 4|E-1|Chausseestraße/)
})

test('who has paid gets one receipt, with the card, the amount and the transaction', async () => {
  await using store = await aStoreWithCards()
  const { order, intentId } = await placePaidOrder(store, { dollars: 1500, quantity: 2, card: 'pm_card_mastercard' })

  const [mail, ...others] = await mailsAbout(store, order)

  assert.deepEqual(others, [])
  assertSays(
    mail,
    `Receipt for order ${order.number}: $3,000 paid`,
    `Your payment of $3,000 for order ${order.number} has arrived.`,
    `Order ${order.number} of ${when(order.placedAt)}\n2 x Drill, $1,500 each, $3,000\nTotal paid: $3,000\nPaid `,
    'with Mastercard ending 4444\n',
    `Transaction ID: ${intentId}`,
    'Delivery address:\nAda\n1 Road',
    'Keep this mail: it is your receipt.',
  )
})

test('an order that was not paid in time ends with one mail', async () => {
  await using store = await aStoreWithCards()
  const order = await placePurchase(store, { quantity: 2 })
  await expireHold(store, order)
  await store.jobs.runAllOnce()
  await store.jobs.runAllOnce()

  const [mail, ...others] = await mailsAbout(store, order)
  assert.deepEqual(others, [])
  assertSays(
    mail,
    `Order ${order.number} has ended: $60 was not paid in time`,
    `your order ${order.number}, 2 x Drill for $60, was not paid by`,
    'Nothing was charged.',
    'The pieces are back in stock. You can order them again.',
    `Order again:\n${store.origin}/purchase/${order.toolId}`,
  )
})

test('an order that its buyer cancels ends with one mail, however often they press', async () => {
  await using store = await aStoreWithCards()
  const order = await placePurchase(store, { quantity: 2 })
  const answers = await Promise.all([1, 2, 3].map(() => cancelPurchase(store.customer, order, { reason: 'Too many' })))
  for (const { statusCode } of answers) assert.ok([200, 409].includes(statusCode))

  const [mail, ...others] = await mailsAbout(store, order)

  assert.deepEqual(others, [])
  assertSays(
    mail,
    `Order ${order.number} is cancelled: nothing was charged`,
    `you have cancelled your order ${order.number}, 2 x Drill.`,
    'Nothing was charged.',
    `See the product:\n${store.origin}/products/${order.toolId}`,
  )
  assert.doesNotMatch(mail?.text ?? '', /The store says/)
})

test('an order that the store cancels ends with one mail, which says what becomes of the money and why', async () => {
  await using store = await aStoreWithCards()
  const unpaid = await placePurchase(store)
  await cancelPurchase(store.admin, unpaid, { reason: 'Sold out at the maker' })
  const { order: paid } = await placePaidOrder(store)
  await cancelPurchase(store.admin, paid)

  const [first, ...more] = await mailsAbout(store, unpaid)
  assertSays(
    first,
    `Order ${unpaid.number} is cancelled: nothing was charged`,
    'the store has cancelled your order',
    'Nothing was charged.',
    'The store says: Sold out at the maker',
  )
  const [receipt, second, ...others] = await mailsAbout(store, paid)
  assert.match(receipt?.subject ?? '', /^Receipt/)
  assertSays(second, `Order ${paid.number} is cancelled: $30 goes back to you`, `$30 goes back to the card that you paid with. ${patience}`)
  assert.doesNotMatch(second?.text ?? '', /The store says|Nothing was charged/)
  assert.deepEqual([more, others], [[], []])
})

test('money that goes back is told once each time: a part, the rest, and what came after the end', async () => {
  await using store = await aStoreWithCards()
  const { order } = await placePaidOrder(store, { dollars: 30, quantity: 2 })
  await refundPurchase(store.admin, order, { amountCents: 1250, reason: 'Scratched' })
  await mailsAbout(store, order) // a mail says what is sent when it is written
  await refundPurchase(store.admin, order)
  const [, part, rest, ...others] = await mailsAbout(store, order)
  assertSays(
    part,
    `$12.50 of order ${order.number} goes back to you`,
    `$12.50 of your payment for order ${order.number}, Drill, goes back to Visa ending 4242. The order itself stays as it is.`,
    patience,
    'The store says: Scratched',
    `Show the order:\n${store.origin}/dashboard/myorder/${order._id}`,
  )
  assertSays(
    rest,
    `$47.50 of order ${order.number} goes back to you`,
    'goes back to Visa ending 4242. With this, all of your payment has gone back.',
  )
  assert.doesNotMatch(rest?.text ?? '', /The store says/, 'nothing where the store gave no reason')
  assert.deepEqual(others, [])

  const ended = await placePurchase(store)
  const lost = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  await openPayment(store.customer, ended)
  lost.remove()
  await cancelPurchase(store.customer, ended)
  const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
  await confirmIntent(store, intent?.id ?? '')
  await waitForWebhooks(store)
  await store.jobs.runAllOnce()
  const [cancelled, late, ...more] = await mailsAbout(store, ended)
  assert.match(cancelled?.subject ?? '', /is cancelled/)
  assertSays(
    late,
    `$30 of order ${ended.number} goes back to you`,
    `your payment of $30 came after order ${ended.number} had ended. It goes back by itself to the card that you paid with: you need not do anything.`,
  )
  assert.deepEqual(more, [])
})

test('a mail that the mail server has not taken is sent when it does, once, under the same Message-ID', async () => {
  await using store = await aStoreWithCards()
  await using full = await startMailServer({ full: true })
  await using server = await startMailServer()
  const from = 'Nucleus of PC <orders@shop.example>'
  const [broken, whole] = [full, server].map((each) => createMailer({ smtpUrl: each.address(), from, outboxDir: '' }))
  assert.ok(broken && whole)
  const tried: EmailMessage[] = []
  const mailer = {
    send(letter: EmailMessage) {
      tried.push(letter)
      return broken.send(letter)
    },
    close: () => {},
  }
  await using away = await createSecondInstance(store, { mailer })
  await using back = await createSecondInstance(store, { mailer: whole })
  const toolId = await createProduct(store)
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  try {
    const order: Purchase = (await away.request(store.customer, 'POST', '/purchase', wish)).json()
    await away.jobs.whenIdle()
    assert.equal(tried.length, 1)
    assert.match(`${away.errors[0]}`, /Mailbox full/)
    await back.jobs.runAllOnce()
    assert.equal(server.taken.length, 0, 'not before its pause is over')

    await mailsAreDue(store)
    await back.jobs.runAllOnce()
    await back.jobs.runAllOnce()
    const [taken, ...others] = server.taken
    assert.ok(taken && others.length === 0)
    const { messageId, subject, date } = await PostalMime.parse(taken.message)
    assert.match(subject ?? '', new RegExp(`^Order ${order.number}: 1 x Drill, `))
    assert.equal(messageId, `<${tried[0]?.messageIdSeed}@shop.example>`)
    assert.equal(Date.parse(date ?? ''), Math.floor(Date.parse(order.placedAt) / 1000) * 1000, 'it tells when it happened')
  } finally {
    broken.close()
    whole.close()
  }
})

test('mails to an address that is not verified are counted for a day', async () => {
  await using store = await anEmptyStore()
  await placePurchase(store)
  await store.emailsTo(store.customer.email)
  const { rows } = await store.db.execute<{ count: number; hours: number }>(
    sql`select count, round(extract(epoch from ends_at - now()) / 3600)::integer as hours from limits where key like 'order mail to %'`,
  )
  assert.deepEqual(rows, [{ count: 1, hours: 24 }])
})

test('a mail to an address that is not verified is counted once, however often it has to be tried', async () => {
  await using store = await anEmptyStore()
  const mailer = { send: () => Promise.reject(new Error('Mailbox full')), close: () => {} }
  await using away = await createSecondInstance(store, { mailer })
  const wish = { toolId: await createProduct(store), productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  assert.equal((await away.request(store.customer, 'POST', '/purchase', wish)).statusCode, 201)
  await away.jobs.whenIdle()

  for (const tries of [2, 3]) {
    await mailsAreDue(store)
    await away.jobs.runAllOnce()
    const { rows } = await store.db.execute(
      sql`select mail_tries as tries, limits.count from order_history, limits where mail_due_at is not null and key like 'order mail to %'`,
    )
    assert.deepEqual(rows, [{ tries, count: 1 }])
  }
})

test('of several orders that could not be confirmed at once to an address that is not verified, one is confirmed', async () => {
  await using store = await anEmptyStore()
  const sent: EmailMessage[] = []
  let isAway = true
  const send = async (email: EmailMessage) => {
    if (isAway) throw new Error('The mail server is away')
    sent.push(email)
  }
  await using other = await createSecondInstance(store, { mailer: { send, close: () => {} } })
  const toolId = await createProduct(store)
  for (let nth = 0; nth < 3; nth++) {
    const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
    assert.equal((await other.request(store.customer, 'POST', '/purchase', wish)).statusCode, 201)
  }
  await other.jobs.whenIdle()
  isAway = false
  await mailsAreDue(store)
  await other.jobs.runAllOnce()
  assert.equal(sent.length, 1)
  await placePurchase(store, { toolId, buyer: store.otherCustomer })
  const ofOther = (await store.emailsTo(store.otherCustomer.email)).filter(({ messageIdSeed }) => messageIdSeed?.startsWith('order-'))
  assert.equal(ofOther.length, 1, 'what others were confirmed is not counted')
})

test('one order that is not confirmed to an unverified address takes the confirmations of all its others out of the queue, and no other mail', async () => {
  await using store = await anEmptyStore()
  const toolId = await createProduct(store)
  const confirmed = await placePurchase(store, { toolId })
  for (let nth = 0; nth < 2; nth++) await placePurchase(store, { toolId }) // the others, of which no mail is sent
  const ofOther = await placePurchase(store, { toolId, buyer: store.otherCustomer })
  await store.jobs.whenIdle()
  await store.db.execute(sql`update order_history set mailed_at = null,
    mail_due_at = now() - case order_id when ${ofOther._id} then interval '0' else interval '1 second' end where order_id <> ${confirmed._id}`)
  const mailer = { send: () => Promise.reject(new Error('Nothing is to be sent')), close: () => {} }

  assert.equal(await sendDueOrderEmail(store.db, mailer, { publicUrl: store.origin, secret: 'secret' }), true)

  const { rows } = await store.db.execute(sql`select order_id from order_history where mail_due_at is not null`)
  assert.deepEqual(rows, [{ order_id: ofOther._id }])
})

test('a mail that cannot be sent, and one that cannot be written, keep no other from its reader', async () => {
  await using store = await aStoreWithCards()
  const sent: EmailMessage[] = []
  const mailer = {
    async send(letter: EmailMessage) {
      if (letter.to === store.customer.email) throw new Error('No such mailbox')
      sent.push(letter)
    },
    close: () => {},
  }
  await using shop = await createSecondInstance(store, { mailer })
  const toolId = await createProduct(store)
  const strange = await placePurchase(store, { toolId })
  await store.jobs.whenIdle()
  await store.db
    .update(orderHistory)
    .set({ mailDueAt: sql`now() - interval '1 hour'`, event: 'trouble' })
    .where(eq(orderHistory.orderId, strange._id))
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  for (const buyer of [store.customer, store.otherCustomer])
    assert.equal((await shop.request(buyer, 'POST', '/purchase', wish)).statusCode, 201)

  await shop.jobs.runAllOnce()

  assert.deepEqual(
    sent.map(({ to }) => to),
    [store.otherCustomer.email],
  )
  assert.deepEqual(shop.errors.map(String).sort(), ['Error: No such mailbox', 'Error: There is no mail about "trouble"'])
  await store.db.update(orderHistory).set({ mailDueAt: null, event: 'placed' }).where(eq(orderHistory.orderId, strange._id))
})

/** A mailer whose server refuses these addresses, by this SMTP reply, and takes all other mails. */
function aMailerThatRefuses(isRefused: (address: string) => boolean, reply: { responseCode: number; command?: string }) {
  const tried: EmailMessage[] = []
  const send = async (letter: EmailMessage) => {
    tried.push(letter)
    if (isRefused(letter.to)) throw Object.assign(new Error(`${reply.responseCode} refused`), { command: 'RCPT TO', ...reply })
  }
  return { tried, mailer: { send, close: () => {} } }
}
const aWish = async (store: Store) => ({
  toolId: await createProduct(store, { pieces: 1000 }),
  productName: 'Drill',
  productQuantity: 1,
  productCost: 30,
  buyerAddress: '1 Road',
})
const mailsOfHistory = async (store: Store, { _id }: Purchase) =>
  (await getOrderHistory(store, { _id })).map(({ event, mail }) => `${event}: ${mail}`)

for (const { title, responseCode } of [
  { title: 'refused for good', responseCode: 550 },
  { title: 'put off by the mail server', responseCode: 451 },
])
  test(`mails that are ${title} keep nobody else's waiting: at the next look an honest buyer has theirs`, async () => {
    await using store = await anEmptyStore({ buyerLimits: 'off' })
    const { tried, mailer } = aMailerThatRefuses((address) => address.startsWith('mallory'), { responseCode })
    const wish = await aWish(store)
    await store.jobs.close() // one process sends: the second one, once all mails are due
    await using shop = await createSecondInstance(store, { mailer })
    const strangers = Array.from({ length: 5 }, (_, nth) => store.newCustomer(`Mallory${nth}`))
    for (const buyer of strangers)
      for (let nth = 0; nth < 4; nth++) assert.equal((await buyer.request('POST', '/purchase', wish)).statusCode, 201)
    await shop.jobs.runAllOnce()
    await mailsAreDue(store)
    const order: Purchase = (await store.customer.request('POST', '/purchase', wish)).json()

    const before = tried.length
    await shop.jobs.runAllOnce()
    assert.deepEqual(await mailsOfHistory(store, order), ['placed: sent'])
    assert.equal(tried[before]?.to, store.customer.email, 'a mail that has not been tried goes before those that have failed')
  })

test('an address that refuses mails for good is not tried again, the history says so, and no mail about an unpaid order follows', async () => {
  await using store = await aStoreOfStrangers()
  const { tried, mailer } = aMailerThatRefuses(() => true, { responseCode: 550 })
  await using shop = await createSecondInstance(store, { mailer })
  const wish = await aWish(store)
  const order: Purchase = (await shop.request(store.customer, 'POST', '/purchase', wish)).json()
  await shop.jobs.whenIdle()
  assert.deepEqual(await mailsOfHistory(store, order), ['placed: failed'])

  await mailsAreDue(store)
  await cancelPurchase(store.customer, order)
  const second: Purchase = (await shop.request(store.customer, 'POST', '/purchase', wish)).json()
  await shop.jobs.runAllOnce()
  assert.equal(tried.length, 1)
  assert.deepEqual(await mailsOfHistory(store, order), ['placed: failed', 'cancelled: none'])
  assert.deepEqual(await mailsOfHistory(store, second), ['placed: none'])

  await store.db.update(users).set({ emailVerified: true })
  const third: Purchase = (await shop.request(store.customer, 'POST', '/purchase', wish)).json()
  await shop.jobs.runAllOnce()
  assert.deepEqual([tried.length, await mailsOfHistory(store, third)], [2, ['placed: failed']], 'an address that was verified is tried')
})

test('a mail that no server takes for about a day is given up, and one that is refused for the settings of the store is not', async () => {
  await using store = await aStoreOfStrangers()
  const { tried, mailer } = aMailerThatRefuses(() => true, { responseCode: 535, command: 'AUTH PLAIN' })
  await using shop = await createSecondInstance(store, { mailer })
  const order: Purchase = (await shop.request(store.customer, 'POST', '/purchase', await aWish(store))).json()
  await shop.jobs.whenIdle()
  let waitedSeconds = 0
  for (let looks = 0; looks < 40; looks++) {
    const { rows } = await store.db.execute<{ seconds: number }>(
      sql`select extract(epoch from mail_due_at - now())::float as seconds from order_history where mail_due_at is not null`,
    )
    waitedSeconds += rows[0]?.seconds ?? 0
    await mailsAreDue(store)
    await shop.jobs.runAllOnce()
  }
  assert.equal(tried.length, 32)
  assert.equal(Math.round(waitedSeconds / 3600), 23)
  assert.deepEqual(await mailsOfHistory(store, order), ['placed: failed'])
})

test('the mail that is to be sent next is found without reading those that wait behind it, however many they are', async () => {
  await using store = await anEmptyStore()
  const { _id } = await placePurchase(store)
  const plan = await store.db.transaction(async (tx) => {
    await tx.execute(sql`insert into order_history (order_id, event, state, order_status, actor, mail_tries, mail_due_at)
      select ${_id}, 'expired', 'expired', 'expired', 'store', nth % 7, now() - make_interval(secs => nth) from generate_series(1, 5000) nth`)
    await tx.execute(sql`analyze order_history`)
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${selectDueEmail(tx).getSQL()}`)
    await tx.execute(sql`delete from order_history where event = 'expired'`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  assert.match(plan, /Index Scan using order_history_mail_queue/)
  assert.doesNotMatch(plan, /Sort/)
})

test('of several processes one sends a mail, and one that dies while it does leaves it to the others', async () => {
  await using store = await aStoreWithCards()
  const [begun, death] = [Promise.withResolvers<EmailMessage>(), Promise.withResolvers<void>()]
  const mailer = {
    send(letter: EmailMessage) {
      begun.resolve(letter)
      return death.promise
    },
    close: () => {},
  }
  const dying = await createSecondInstance(store, { mailer })
  await using living = await createSecondInstance(store)
  const toolId = await createProduct(store)
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }

  await dying.request(store.customer, 'POST', '/purchase', wish)
  const handed = await begun.promise
  await living.jobs.runAllOnce()
  assert.deepEqual(living.sentEmails, [], 'another one is at it')
  const dead = dying.crash()
  while (living.sentEmails.length === 0) await living.jobs.runAllOnce()
  death.resolve()
  await dead

  assert.deepEqual(
    living.sentEmails.map(({ messageIdSeed }) => messageIdSeed),
    [handed.messageIdSeed],
  )
})
