import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import PostalMime from 'postal-mime'
import { type Letter, openMailer } from '#platform/mail.ts'
import { tools } from '#store/catalogue/table.ts'
import { users } from '#store/identity/table.ts'
import { anotherProcess } from '#test/another-process.ts'
import { aMailServer } from '#test/mail-server.ts'
import {
  anOrder,
  aPaidOrder,
  aStoreWithCards as aStoreOfStrangers,
  cancel,
  controlsOf,
  heard,
  holdEnds,
  open,
  openIntent,
  payWith,
  record,
  refund,
  sell,
} from '#test/shopping.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import type { Order } from './contract.ts'
import { orderHistory } from './table.ts'

/** A store whose customer has verified the e-mail: mails say everything and confirm every order. */
async function aStoreWithCards(): Promise<Store> {
  const store = await aStoreOfStrangers()
  await store.customer.token()
  await store.db.update(users).set({ emailVerified: true })
  return store
}

const patience = 'Banks take up to ten days to show it.'
const closing = ({ number }: Order) => `Nucleus of PC. You get this mail because of your order ${number}.`
const when = (moment: string) =>
  `${new Date(moment).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`

/** The mails about an order so far, oldest first, without the one that it was placed. */
async function mailsAbout(store: Store, order: Order): Promise<Letter[]> {
  await heard(store)
  const all = (await store.mailsTo(order.buyerEmail)).filter(({ id }) => id?.startsWith(`order-${order.number}-`))
  assert.match(all[0]?.subject ?? '', /not paid yet$/)
  return all.slice(1)
}
/** Whoever waits for a next try waits no longer. */
const mailsAreDue = (store: Store) => store.db.execute(sql`update order_history set mail_due_at = now() where mail_due_at is not null`)

function assertSays(
  { subject, text, html }: Letter | undefined = { to: '', subject: '', text: '', html: '' },
  title: string,
  ...words: string[]
) {
  assert.equal(subject, title)
  for (const each of words) assert.ok(text.includes(each), `${JSON.stringify(each)} in ${text}`)
  assert.match(html, /<html/)
}

test('who has placed an order gets a mail with what, how much, until when it is held and where to pay', async () => {
  await using store = await aStoreWithCards()
  const order = await anOrder(store, { dollars: 1500, quantity: 2 })

  const all = await store.mailsTo(store.customer.email)
  const [mail, ...others] = all.filter(({ id }) => id?.startsWith('order-'))

  assert.deepEqual(others, [])
  const until = when(order.holdUntil)
  assertSays(
    mail,
    `Order ${order.number}: 2 x Drill, $3,000, not paid yet`,
    `Hello Ada, your order ${order.number} is placed: 2 x Drill for $3,000. It is not paid yet.`,
    `The pieces are held for you until ${until}. An order that is not paid by then ends, and nothing is charged.`,
    'Delivery address:\n1 Road',
    `Pay $3,000:\n${store.origin}/dashboard/payment/${order._id}`,
    closing(order),
    `Something wrong? ${store.origin}/help#contact`,
  )
})

test('the mails about an order name the part number, and a long name leaves room for the sum in the subject', async () => {
  await using store = await aStoreWithCards()
  const name = 'Drill with everything that was ever made for turning a screw in or out'
  const toolId = await sell(store)
  await store.db.update(tools).set({ name, brand: 'Wera', mpn: '05134-B' }).where(eq(tools._id, toolId))
  const wish = { toolId, productName: name, productQuantity: 2, productCost: 60, buyerAddress: '1 Road' }
  const order: Order = (await store.customer.ask('POST', '/purchase', wish)).json()
  const intentId = await openIntent(store, order)
  await payWith(store, intentId)
  await record(store.customer, order, intentId)
  await heard(store)
  const [placed, receipt] = (await store.mailsTo(order.buyerEmail)).filter(({ id }) => id?.startsWith(`order-${order.number}-`))
  assertSays(
    placed,
    `Order ${order.number}: 2 x Drill with everything that was ever made fo..., $60, not paid yet`,
    'Part number: Wera 05134-B',
  )
  assertSays(receipt, `Receipt for order ${order.number}: $60 paid`, '$30 each\nPart number: Wera 05134-B\nTotal: $60')
})

test('who has paid gets one receipt, with the card, the amount and the transaction', async () => {
  await using store = await aStoreWithCards()
  const { order, intentId } = await aPaidOrder(store, { dollars: 1500, quantity: 2, card: 'pm_card_mastercard' })

  const [mail, ...others] = await mailsAbout(store, order)

  assert.deepEqual(others, [])
  assertSays(
    mail,
    `Receipt for order ${order.number}: $3,000 paid`,
    `Your payment of $3,000 for order ${order.number} has arrived.`,
    `Order ${order.number} of ${when(order.placedAt)}\n2 x Drill, $1,500 each\nTotal: $3,000\nPaid `,
    'with Mastercard ending 4444\n',
    `TransectionID: ${intentId}`,
    'Delivery address:\nAda\n1 Road',
    'Keep this mail: it is your receipt.',
  )
})

test('an order that was not paid in time ends with one mail', async () => {
  await using store = await aStoreWithCards()
  const order = await anOrder(store, { quantity: 2 })
  await holdEnds(store, order)
  await store.jobs.passAMinute()
  await store.jobs.passAMinute()

  const [mail, ...others] = await mailsAbout(store, order)
  assert.deepEqual(others, [])
  assertSays(
    mail,
    `Order ${order.number} has ended: $60 was not paid in time`,
    `your order ${order.number}, 2 x Drill, was not paid until`,
    'Nothing was charged.',
    'The pieces are back in stock. You can order them again.',
    `Order again:\n${store.origin}/purchase/${order.toolId}`,
  )
})

test('an order that its buyer cancels ends with one mail, however often they press', async () => {
  await using store = await aStoreWithCards()
  const order = await anOrder(store, { quantity: 2 })
  const answers = await Promise.all([1, 2, 3].map(() => cancel(store.customer, order, { reason: 'Too many' })))
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
  const unpaid = await anOrder(store)
  await cancel(store.admin, unpaid, { reason: 'Sold out at the maker' })
  const { order: paid } = await aPaidOrder(store)
  await cancel(store.admin, paid)

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
  assertSays(second, `Order ${paid.number} is cancelled: $30 goes back to you`, `$30 go back to the card that you paid with. ${patience}`)
  assert.doesNotMatch(second?.text ?? '', /The store says|Nothing was charged/)
  assert.deepEqual([more, others], [[], []])
})

test('money that goes back is told once each time: a part, the rest, and what came after the end', async () => {
  await using store = await aStoreWithCards()
  const { order } = await aPaidOrder(store, { dollars: 30, quantity: 2 })
  await refund(store.admin, order, { amountCents: 1250, reason: 'Scratched' })
  await refund(store.admin, order)
  const [, part, rest, ...others] = await mailsAbout(store, order)
  assertSays(
    part,
    `$12.50 of order ${order.number} go back to you`,
    `$12.50 of your payment for order ${order.number}, 2 x Drill, go back to Visa ending 4242. The order itself stays as it is.`,
    patience,
    'The store says: Scratched',
  )
  assertSays(rest, `$47.50 of order ${order.number} go back to you`, 'go back to Visa ending 4242. All of your payment goes back.')
  assert.doesNotMatch(rest?.text ?? '', /The store says/, 'nothing where the store gave no reason')
  assert.deepEqual(others, [])

  const ended = await anOrder(store)
  const lost = controlsOf(store).calls.disturb({ method: 'POST', path: '/v1/payment_intents', times: Infinity }, { reset: 'committed' })
  await open(store.customer, ended)
  lost.lift()
  await cancel(store.customer, ended)
  const [intent] = (await store.cards.stripe.paymentIntents.list({ limit: 1 })).data
  await payWith(store, intent?.id ?? '')
  await heard(store)
  await store.jobs.passAMinute()
  const [cancelled, late, ...more] = await mailsAbout(store, ended)
  assert.match(cancelled?.subject ?? '', /is cancelled/)
  assertSays(
    late,
    `$30 of order ${ended.number} go back to you`,
    `your payment of $30 came after order ${ended.number} had ended. It goes back to your card by itself: you need not do anything.`,
  )
  assert.deepEqual(more, [])
})

test('a mail that the mail server has not taken is sent when it does, once, under the same Message-ID', async () => {
  await using store = await aStoreWithCards()
  await using full = await aMailServer({ full: true })
  await using server = await aMailServer()
  const from = 'Nucleus of PC <orders@shop.example>'
  const [broken, whole] = [full, server].map((each) => openMailer({ smtpUrl: each.address(), from, outbox: '' }))
  assert.ok(broken && whole)
  const tried: Letter[] = []
  const mailer = {
    send(letter: Letter) {
      tried.push(letter)
      return broken.send(letter)
    },
    close: () => {},
  }
  await using away = await anotherProcess(store, { mailer })
  await using back = await anotherProcess(store, { mailer: whole })
  const toolId = await sell(store)
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  try {
    const order: Order = (await away.ask(store.customer, 'POST', '/purchase', wish)).json()
    await away.jobs.rest()
    assert.equal(tried.length, 1)
    assert.match(`${away.errors[0]}`, /Mailbox full/)
    await back.jobs.passAMinute()
    assert.equal(server.taken.length, 0, 'not before its pause is over')

    await mailsAreDue(store)
    await back.jobs.passAMinute()
    await back.jobs.passAMinute()
    const [taken, ...others] = server.taken
    assert.ok(taken && others.length === 0)
    const { messageId, subject, date } = await PostalMime.parse(taken.message)
    assert.match(subject ?? '', new RegExp(`^Order ${order.number}: 1 x Drill, `))
    assert.equal(messageId, `<${tried[0]?.id}@shop.example>`)
    assert.equal(Date.parse(date ?? ''), Math.floor(Date.parse(order.placedAt) / 1000) * 1000, 'it tells when it happened')
  } finally {
    broken.close()
    whole.close()
  }
})

test('mails to an address that is not verified are counted for a day', async () => {
  await using store = await anEmptyStore()
  await anOrder(store)
  await store.mailsTo(store.customer.email)
  const { rows } = await store.db.execute<{ count: number; hours: number }>(
    sql`select count, round(extract(epoch from ends_at - now()) / 3600)::integer as hours from limits where key like 'order mail to %'`,
  )
  assert.deepEqual(rows, [{ count: 1, hours: 24 }])
})

test('a mail that cannot be sent, and one that cannot be written, keep no other from its reader', async () => {
  await using store = await aStoreWithCards()
  const sent: Letter[] = []
  const mailer = {
    async send(letter: Letter) {
      if (letter.to === store.customer.email) throw new Error('No such mailbox')
      sent.push(letter)
    },
    close: () => {},
  }
  await using shop = await anotherProcess(store, { mailer })
  const toolId = await sell(store)
  const strange = await anOrder(store, { toolId })
  await store.jobs.rest()
  await store.db
    .update(orderHistory)
    .set({ mailDueAt: sql`now() - interval '1 hour'`, event: 'trouble' })
    .where(eq(orderHistory.orderId, strange._id))
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }
  for (const buyer of [store.customer, store.otherCustomer])
    assert.equal((await shop.ask(buyer, 'POST', '/purchase', wish)).statusCode, 201)

  for (let looks = 0; looks < 4; looks++) await shop.jobs.passAMinute()

  assert.deepEqual(
    sent.map(({ to }) => to),
    [store.otherCustomer.email],
  )
  assert.deepEqual(shop.errors.map(String).sort(), ['Error: No such mailbox', 'Error: There is no mail about "trouble"'])
  await store.db.update(orderHistory).set({ mailDueAt: null, event: 'placed' }).where(eq(orderHistory.orderId, strange._id))
})

test('of several processes one sends a mail, and one that dies while it does leaves it to the others', async () => {
  await using store = await aStoreWithCards()
  const [begun, death] = [Promise.withResolvers<Letter>(), Promise.withResolvers<void>()]
  const mailer = {
    send(letter: Letter) {
      begun.resolve(letter)
      return death.promise
    },
    close: () => {},
  }
  const dying = await anotherProcess(store, { mailer })
  await using living = await anotherProcess(store)
  const toolId = await sell(store)
  const wish = { toolId, productName: 'Drill', productQuantity: 1, productCost: 30, buyerAddress: '1 Road' }

  await dying.ask(store.customer, 'POST', '/purchase', wish)
  const handed = await begun.promise
  await living.jobs.passAMinute()
  assert.deepEqual(living.sent, [], 'another one is at it')
  const dead = dying.crash()
  while (living.sent.length === 0) await living.jobs.passAMinute()
  death.resolve()
  await dead

  assert.deepEqual(
    living.sent.map(({ id }) => id),
    [handed.id],
  )
})
