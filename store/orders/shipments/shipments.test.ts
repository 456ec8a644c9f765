import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import { companyOf } from '#test/company-actions.ts'
import { holderOfLink, placeGuestOrder } from '#test/guest-actions.ts'
import { createProducts, payOrder, placeLines, showOrder, showPurchase } from '#test/many-lines-actions.ts'
import {
  cancelPurchase,
  confirmIntent,
  createProduct,
  createTestStoreWithCards,
  dropWebhooks,
  expireHold,
  getOrderHistory,
  getStock,
  openPaymentIntent,
  placePaidOrder,
  placePurchase,
  recordPayment,
  refundPurchase,
  sandboxControls,
  waitForWebhooks,
} from '#test/order-actions.ts'
import { askToSend, placePaidLines, sendPieces } from '#test/shipment-actions.ts'
import type { Actor, ApiResponse } from '#test/store.ts'
import type { ToSendPage } from './to-send-contract.ts'

const refusalOf = ({ statusCode, ...answer }: ApiResponse) => [statusCode, answer.json().code, answer.json().message]
const statusesOf = ({ orderStatus, fulfilmentStatus }: Order) => [orderStatus, fulfilmentStatus]
const countersOf = ({ lines }: Order) => lines.map(({ sent, packed, toSend, cancelled }) => ({ sent, packed, toSend, cancelled }))

test('an order is sent in two parcels: partly sent after the first, completed by the second, and each names its lines', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const first = await sendPieces(store, order, 1, 2)
  const partly = await showOrder(store.admin, order._id)
  assert.deepEqual(statusesOf(partly), ['placed', 'partly_sent'])
  assert.deepEqual(countersOf(partly), [
    { sent: 1, packed: 1, toSend: 2, cancelled: 0 },
    { sent: 2, packed: 2, toSend: 0, cancelled: 0 },
  ])

  const asked = await askToSend(store, order._id, { carrier: 'DHL', trackingNumber: ' 0034 0434 161094015902 ' })
  assert.equal(asked.statusCode, 201, asked.body)
  const whole = await showOrder(store.customer, order._id)
  assert.deepEqual(statusesOf(whole), ['completed', 'sent'])
  const [drills, saws] = order.lines.map(({ _id }) => _id)
  const trackingNumber = '00340434161094015902'
  const trackingUrl = `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${trackingNumber}`
  assert.deepEqual(
    whole.shipments.map(({ _id: _, sentAt: __, deliveredOn: ___, deliveredSaidBy: ____, ...shipment }) => shipment),
    [
      {
        ...{ number: 1, carrier: null, trackingNumber: null, trackingUrl: null },
        lines: [
          { _id: drills, quantity: 1 },
          { _id: saws, quantity: 2 },
        ],
      },
      { number: 2, carrier: 'DHL', trackingNumber, trackingUrl, lines: [{ _id: drills, quantity: 2 }] },
    ],
  )
  assert.deepEqual([whole.shipments[0]?._id, whole.shipments[1]], [first._id, asked.json()])
  assert.deepEqual([(await showPurchase(store, `${drills}`)).state, whole.paymentStatus], ['shipped', 'paid'])
  const history = await getOrderHistory(store, order)
  assert.deepEqual(
    history.slice(2).map(({ event, state, actor, by, items, note }) => [event, state, actor, by, items, note]),
    [
      ['sent', 'paid', 'admin', store.admin.email, '1 x Drill, 2 x Saw', null],
      ['sent', 'shipped', 'admin', store.admin.email, '2 x Drill', `DHL ${trackingNumber}`],
    ],
  )
})

test('never more of a line is sent than is left: twice, too many, after a cancellation, or of another order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const other = await placePaidOrder(store)
  const [drills, saws] = order.lines.map(({ _id }) => _id)
  const send = (...lines: object[]) => store.admin.request('POST', `/orders/${order._id}/shipments`, { lines })
  assert.deepEqual(refusalOf(await send({ _id: drills, quantity: 4 })), [409, 'more_than_left', 'Only 3 of 3 x Drill is left to send'])
  const more = await send({ _id: saws, quantity: 2 }, { _id: drills, quantity: 4 })
  assert.deepEqual(Object.keys(more.json().errors), ['lines.1.quantity'])
  assert.deepEqual(refusalOf(await send({ _id: other.order._id, quantity: 1 })), [404, 'not_found', 'There is no such line in this order'])
  assert.equal((await send({ _id: drills, quantity: 1 }, { _id: drills, quantity: 1 })).statusCode, 400)
  assert.equal((await send()).statusCode, 400)
  assert.equal((await send({ _id: drills, quantity: 0 })).statusCode, 400)
  assert.deepEqual((await showOrder(store.admin, order._id)).shipments, [], 'nothing of it is sent')

  await sendPieces(store, order, 1)
  const back = await store.admin.request('POST', `/orders/${order._id}/refunds`, { lines: [{ _id: drills, quantity: 1 }] })
  assert.equal(back.statusCode, 200, back.body)
  assert.deepEqual(refusalOf(await send({ _id: drills, quantity: 2 })), [
    409,
    'more_than_left',
    'Only 1 of 3 x Drill is left to send: 1 sent, 1 cancelled or refunded',
  ])
  await sendPieces(store, order, 1)
  assert.deepEqual(refusalOf(await send({ _id: drills, quantity: 1 })), [
    409,
    'more_than_left',
    'Nothing of 3 x Drill is left to send: 2 sent, 1 cancelled or refunded',
  ])
  await sendPieces(store, order)
  assert.deepEqual(refusalOf(await send({ _id: saws, quantity: 2 })), [
    409,
    'order_shipped',
    'This order is sent already, so nothing of it is left to send',
  ])
})

test('what is back in stock, and a line whose money has all gone back, is not sent', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw, board] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2, [board]: 1 })
  await payOrder(store, order)
  const [drills, saws] = order.lines
  assert.ok(drills && saws)
  await refundPurchase(store.admin, drills, { amountCents: 500, restock: 1 })
  await refundPurchase(store.admin, saws, { amountCents: saws.chargedCents, restock: 0 })
  const left = await showOrder(store.admin, order._id)
  assert.deepEqual(
    left.lines.map(({ toSend }) => toSend),
    [2, 0, 1],
  )
  await sendPieces(store, order)
  assert.deepEqual(statusesOf(await showOrder(store.admin, order._id)), ['completed', 'sent'])
})

test('an order is sent once it is paid, and not after it has ended', async () => {
  await using store = await createTestStoreWithCards()
  const toolId = await createProduct(store)
  const open = await placePurchase(store, { toolId })
  const send = ({ _id }: { _id: string }) => store.admin.request('POST', `/orders/${_id}/shipments`, { lines: [{ _id, quantity: 1 }] })
  assert.deepEqual(refusalOf(await send(open)), [409, 'order_not_paid', 'This order is not paid, so nothing of it is sent'])
  const cancelled = await placePaidOrder(store, { toolId })
  await cancelPurchase(store.admin, cancelled.order)
  const refunded = await placePaidOrder(store, { toolId })
  await refundPurchase(store.admin, refunded.order)
  await expireHold(store, open)
  await store.jobs.runAllOnce()
  const words = await Promise.all([cancelled.order, refunded.order, open].map(async (order) => refusalOf(await send(order))))
  assert.deepEqual(
    words,
    ['is cancelled', 'is refunded', 'is expired'].map((why) => [
      409,
      'order_not_open',
      `This order ${why}, so nothing of it is left to send`,
    ]),
  )
})

test('an order that is held back is not sent until it is released, and its buyer is not told why', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const holdBack = (reason: string) => store.admin.request('PUT', `/orders/${order._id}/held-back`, { reason })
  assert.equal((await holdBack(' ')).statusCode, 400)
  assert.deepEqual((await holdBack('The address looks made up')).json(), { heldBackReason: 'The address looks made up' })
  assert.equal((await holdBack('The address looks made up')).statusCode, 200)
  assert.deepEqual(refusalOf(await askToSend(store, order._id)), [
    409,
    'order_held_back',
    'This order is held back: The address looks made up',
  ])
  assert.equal((await store.admin.request('DELETE', `/orders/${order._id}/held-back`)).statusCode, 200)
  assert.equal((await store.admin.request('DELETE', `/orders/${order._id}/held-back`)).statusCode, 200)
  await sendPieces(store, order)
  assert.deepEqual(
    (await getOrderHistory(store, order)).slice(2).map(({ event, note }) => [event, note]),
    [
      ['held back', 'The address looks made up'],
      ['released', null],
      ['sent', null],
    ],
  )
  const seen = await store.customer.request('GET', `/purchase/${order._id}/history`)
  assert.doesNotMatch(seen.body, /held back|released|made up/)
  assert.doesNotMatch((await store.customer.request('GET', `/orders/${order._id}`)).body, /made up/)
  assert.deepEqual(refusalOf(await holdBack('Too late')).slice(0, 2), [409, 'order_shipped'])
  const open = await placePurchase(store)
  const early = await store.admin.request('PUT', `/orders/${open._id}/held-back`, { reason: 'Too early' })
  assert.deepEqual(refusalOf(early).slice(0, 2), [409, 'order_not_paid'])
})

test('an order whose payment is disputed, or of which nobody has looked at what went wrong, is not sent', async () => {
  await using store = await createTestStoreWithCards()
  const { order: disputed } = await placePaidOrder(store, { card: 'pm_card_createDisputeProductNotReceived' })
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const underReview = [409, 'order_under_review']
  assert.deepEqual(refusalOf(await askToSend(store, disputed._id)), [
    ...underReview,
    "The buyer's bank disputes the payment of this order: send nothing until it is won",
  ])
  const lookAt = ({ _id }: { _id: string }) => store.admin.request('POST', `/purchase/${_id}/looked-at`)
  assert.equal((await lookAt(disputed)).statusCode, 200)
  assert.deepEqual(refusalOf(await askToSend(store, disputed._id)).slice(0, 2), underReview, 'the bank has not decided yet')

  const { order: troubled } = await placePaidOrder(store)
  await store.db.execute(
    sql`insert into order_history (order_id, event, state, order_status, actor) values (${troubled._id}, 'trouble', 'paid', 'placed', 'store')`,
  )
  assert.deepEqual(refusalOf(await askToSend(store, troubled._id)), [
    ...underReview,
    'Something went wrong with this order: look at it first, and say that you have',
  ])
  assert.equal((await lookAt(troubled)).statusCode, 200)
  await sendPieces(store, troubled)
})

test('the same request under the same key is one shipment, and the key of another request is refused', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const other = await placePaidOrder(store, { quantity: 2 })
  const headers = { 'idempotency-key': 'a press of the button' }
  const press = () => askToSend(store, order._id, { pieces: [1], headers })
  const answers = await Promise.all([press(), press(), press()])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 201, 201],
  )
  assert.equal(new Set(answers.map((answer) => answer.json()._id)).size, 1)
  assert.deepEqual(countersOf(await showOrder(store.admin, order._id))[0], { sent: 1, packed: 1, toSend: 2, cancelled: 0 })
  for (const again of [
    await askToSend(store, order._id, { pieces: [2], headers }),
    await askToSend(store, order._id, { pieces: [1], carrier: 'UPS', headers }),
    await askToSend(store, other.order._id, { pieces: [1], headers }),
  ])
    assert.deepEqual(refusalOf(again), [422, 'idempotency_key_reused', 'This Idempotency-Key was used for another shipment'])

  const colleague = store.newCustomer('Colleague')
  await colleague.request('GET', '/orders')
  assert.equal((await store.admin.request('PUT', '/user/admin/colleague@shop.example')).statusCode, 200)
  const ofColleague = await askToSend(store, order._id, { pieces: [1], headers, actor: colleague })
  assert.equal(ofColleague.statusCode, 201, 'a key is of the admin who sends it')
  assert.notEqual(ofColleague.json()._id, answers[0]?.json()._id)
})

test('of admins who send the same pieces at one moment one does, and the others hear that nothing is left', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const answers = await Promise.all(Array.from({ length: 8 }, () => askToSend(store, order._id, { pieces: [2] })))
  const codes = answers.map((answer) => answer.json().code ?? 'sent')
  assert.deepEqual(codes.toSorted(), [...Array(7).fill('more_than_left'), 'sent'])
  const { lines, shipments } = await showOrder(store.admin, order._id)
  assert.deepEqual([lines[0]?.sent, shipments.length], [2, 1])
})

test('of a cancellation and a shipment at one moment each piece is in one of them', async () => {
  await using store = await createTestStoreWithCards()
  for (let round = 0; round < 6; round++) {
    const order = await placePaidLines(store)
    const [sent, cancelled] = await Promise.all([
      askToSend(store, order._id, { pieces: [2] }),
      store.admin.request('POST', `/orders/${order._id}/cancel`, {}),
    ])
    const { lines, ...now } = await showOrder(store.admin, order._id)
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    if (sent.statusCode === 201)
      assert.deepEqual(
        countersOf({ ...now, lines }).map(({ sent, cancelled }) => [sent, cancelled]),
        [
          [2, 1],
          [0, 2],
        ],
      )
    else assert.deepEqual([sent.statusCode, now.orderStatus, now.fulfilmentStatus], [409, 'cancelled', 'to_send'])
  }
})

test('while the cancellation of a line waits for the card provider, its pieces are not sent', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  const [drills] = order.lines
  assert.ok(drills)
  await cancelPurchase(store.admin, drills)
  const refused = await store.admin.request('POST', `/orders/${order._id}/shipments`, { lines: [{ _id: drills._id, quantity: 1 }] })
  assert.deepEqual(refusalOf(refused).slice(0, 2), [409, 'more_than_left'])
  await sendPieces(store, order, 0, 2)
  away.remove()
  dropWebhooks(store)
  await store.db.execute(sql`update refunds set next_try_at = now()`)
  await store.jobs.runAllOnce()
  await store.jobs.whenIdle()
  assert.deepEqual(statusesOf(await showOrder(store.admin, order._id)), ['completed', 'sent'], 'with what is cancelled nothing is left')
})

test('cancelling what is left of a partly sent order gives back just that, and completes it', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const stock = await Promise.all(order.lines.map(({ productId }) => getStock(store, productId)))
  await sendPieces(store, order, 1)
  const cancelled = await store.admin.request('POST', `/orders/${order._id}/cancel`, { reason: 'Not made any more' })
  assert.equal(cancelled.statusCode, 200, cancelled.body)
  const now: Order = cancelled.json()
  assert.deepEqual([...statusesOf(now), now.refundedCents], ['completed', 'sent', 2 * 3000 + 2 * 700])
  assert.deepEqual(
    await Promise.all(order.lines.map(({ productId }) => getStock(store, productId))),
    stock.map((pieces) => pieces + 2),
  )
  const again = await store.admin.request('POST', `/orders/${order._id}/cancel`, {})
  assert.deepEqual(refusalOf(again), [409, 'order_shipped', 'This order has been sent off: it can be refunded, not cancelled'])
  await waitForWebhooks(store)
  const mail = (await store.emailsTo(store.customer.email)).find(({ subject }) => subject.startsWith('A part of order'))
  assert.match(
    `${mail?.text}`,
    /cancelled a part of your order \d+: 2 x Drill \(\$60\), 2 x Saw \(\$14\)\. 1 x Drill was sent before, and stays paid\. Nothing else is to come\./,
  )
})

test('of a line that was sent in part the rest is cancelled, and of one that was sent nothing', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const [drills, saws] = order.lines
  assert.ok(drills && saws)
  await sendPieces(store, order, 1, 2)
  const cancelled = await cancelPurchase(store.admin, drills)
  assert.deepEqual([cancelled.statusCode, cancelled.json().refundedCents, cancelled.json().state], [200, 6000, 'shipped'], cancelled.body)
  assert.deepEqual(refusalOf(await cancelPurchase(store.admin, saws)).slice(0, 2), [409, 'order_shipped'])
  assert.deepEqual(statusesOf(await showOrder(store.admin, order._id)), ['completed', 'sent'])
})

test('when the refund of a line fails that was not sent, it is to be sent again', async () => {
  await using store = await createTestStoreWithCards()
  sandboxControls(store).bank.pause()
  const [drill, saw] = await createProducts(store)
  const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
  await payOrder(store, order, { card: 'pm_card_refundFail' })
  const [drills] = order.lines
  assert.ok(drills)
  await sendPieces(store, order, 0, 2)
  await refundPurchase(store.admin, drills, { amountCents: drills.chargedCents, restock: 0 })
  assert.deepEqual(statusesOf(await showOrder(store.admin, order._id)), ['completed', 'sent'])
  await sandboxControls(store).bank.runPendingSteps()
  await waitForWebhooks(store)
  const failed = await showOrder(store.admin, order._id)
  assert.deepEqual([...statusesOf(failed), failed.lines[0]?.toSend], ['placed', 'partly_sent', 3])
  assert.equal((await store.admin.request('POST', `/purchase/${order._id}/looked-at`)).statusCode, 200)
  await sendPieces(store, order)
})

test('who follows an order sees its parcels, and who does not never does', async () => {
  await using store = await createTestStoreWithCards()
  const { customer: ada, otherCustomer: bob } = store
  const eve = store.newCustomer('Eve')
  await companyOf(store, ada, bob)
  const order = await placePaidLines(store)
  await askToSend(store, order._id, { carrier: 'UPS', trackingNumber: '1Z999AA10123456784' })
  const parcelsFor = async (actor: Actor) => {
    const answer = await actor.request('GET', `/orders/${order._id}`)
    return answer.statusCode === 200 ? answer.json().shipments.length : answer.statusCode
  }
  const guestOrder = await placeGuestOrder(store, { [await createProduct(store)]: 1 })
  assert.deepEqual(
    await Promise.all([ada, bob, store.admin, eve, store.visitor, holderOfLink(store, guestOrder)].map(parcelsFor)),
    [1, 1, 1, 404, 401, 404],
  )
  for (const actor of [ada, bob, eve, store.visitor, holderOfLink(store, guestOrder)]) {
    const { statusCode } = await askToSend(store, order._id, { actor, pieces: [1] })
    assert.ok(statusCode === 403 || statusCode === 401, `${actor.name} is answered ${statusCode}`)
  }
})

test('a shipment is mailed to the buyer once, with what is in it, the carrier, and what is still to come; a guest gets the link of the order', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  await askToSend(store, order._id, { pieces: [1, 2], carrier: 'GLS', trackingNumber: 'z8h-2k1' })
  await store.jobs.runAllOnce()
  const mails = (await store.emailsTo(store.customer.email)).filter(({ subject }) => /on its way/.test(subject))
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [`Order ${order.number}: parcel 1 is on its way`],
  )
  assert.match(`${mails[0]?.text}`, /1 x Drill, 2 x Saw of your order \d+ are on the way with GLS Z8H-2K1\./)
  assert.match(`${mails[0]?.text}`, /Still to come: 2 x Drill\. We write again when it is sent\./)
  assert.match(`${mails[0]?.text}`, /https:\/\/gls-group\.com\/track\/Z8H-2K1/)
  assert.match(`${mails[0]?.text}`, new RegExp(`/dashboard/myorder/${order._id}`))
  assert.equal((await getOrderHistory(store, order)).at(-1)?.mail, 'sent')
  const twice = await placePaidLines(store)
  await store.db.execute(
    sql`create function wait_with_mails() returns trigger language plpgsql as 'begin new.mail_due_at := now() + interval ''1 hour''; return new; end'`,
  )
  await store.db.execute(sql`create trigger wait_with_mails before insert on order_history for each row execute function wait_with_mails()`)
  for (const pieces of [[1, 0], undefined]) await askToSend(store, twice._id, { pieces })
  await store.db.execute(sql`drop trigger wait_with_mails on order_history`)
  await store.db.execute(sql`update order_history set mail_due_at = now() where order_id = ${twice._id} and event = 'sent'`)
  await store.jobs.runAllOnce()
  const late = (await store.emailsTo(store.customer.email)).filter(({ subject }) => subject.startsWith(`Order ${twice.number}: parcel`))
  assert.deepEqual(
    late
      .toSorted((one, other) => one.subject.localeCompare(other.subject))
      .map(({ text }) => /Still to come: 2 x Drill, 2 x Saw\./.test(text)),
    [true, false],
    'a mail that goes late says what was left then',
  )

  const guests = await placeGuestOrder(store, { [await createProduct(store)]: 1 })
  const guest = holderOfLink(store, guests)
  const shown = (await guest.request('GET', `/purchase/${guests.lines[0]?._id}`)).json()
  const intentId = await openPaymentIntent(store, shown, guest)
  await confirmIntent(store, intentId)
  assert.equal((await recordPayment(guest, shown, intentId)).statusCode, 200)
  await sendPieces(store, guests)
  const [sent] = (await store.emailsTo('gwen@mail.example')).filter(({ subject }) => /on its way/.test(subject))
  assert.equal(sent?.subject, `Order ${guests.number}: it is on its way`)
  assert.match(`${sent?.text}`, /1 x Drill of your order \d+ is on the way\./)
  assert.match(`${sent?.text}`, /With this, all of your order is sent\./)
  assert.match(`${sent?.text}`, /\/order\/[0-9a-f]{64}/)
})

test('the tables take no shipment of an order that is not to be sent, and no piece that is not left, whoever writes', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const [drills] = order.lines
  const { order: other } = await placePaidOrder(store)
  const open = await placePurchase(store)
  const { _id } = await sendPieces(store, order, 1)
  const insert = (id: string) => sql`insert into shipments (id, order_id, number) values (gen_random_uuid(), ${id}, 9)`
  const pack = (
    line: string,
    pieces: number,
  ) => sql`with sent as (insert into shipments (id, order_id, number) values (gen_random_uuid(), ${order._id}, 9) returning id)
    insert into shipment_lines (shipment_id, order_line_id, quantity) select id, ${line}, ${pieces} from sent`
  const refused: [constraint: string, change: ReturnType<typeof sql>][] = [
    ['shipment_allowed', insert(open._id)],
    ['shipment_lines_left', pack(`${drills?._id}`, 3)],
    ['shipment_lines_left', pack(other._id, 1)],
    ['shipment_lines_quantity', pack(`${drills?._id}`, 0)],
    ['shipment_line_stays', sql`update shipment_lines set quantity = 2`],
    ['shipment_line_stays', sql`delete from shipment_lines`],
    ['shipments_tracking_number', sql`update shipments set tracking_number = '1' where id = ${_id}`],
  ]
  for (const [constraint, change] of refused)
    await assert.rejects(
      store.db.execute(change),
      ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === constraint,
      constraint,
    )
  await store.admin.request('PUT', `/orders/${order._id}/held-back`, { reason: 'Wait' })
  await assert.rejects(
    store.db.execute(insert(order._id)),
    ({ cause }: Error & { cause?: { constraint?: string } }) => cause?.constraint === 'shipment_allowed',
  )
})

test('To send lists what is paid and not sent, oldest first, and apart with its reason what is held back, disputed or to be looked at', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  const list = async (query = ''): Promise<ToSendPage> => {
    const answer = await store.admin.request('GET', `/orders/to-send${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const listed = async (query?: string) => (await list(query)).orders.map(({ number, block }) => [number, block])
  const placed: Order[] = []
  for (let nth = 0; nth < 7; nth++) {
    const order = await placeLines(store, { [drill]: 2, [saw]: 2 })
    if (nth > 0) await payOrder(store, order)
    placed.push(order)
  }
  const [unpaid, partly, sent, cancelled, held, troubled, waiting] = placed
  assert.ok(unpaid && partly && sent && cancelled && held && troubled && waiting)
  await sendPieces(store, partly, 2, 1)
  await sendPieces(store, sent)
  await store.admin.request('POST', `/orders/${cancelled._id}/cancel`, {})
  await store.admin.request('PUT', `/orders/${held._id}/held-back`, { reason: 'Wait' })
  await store.db.execute(
    sql`insert into order_history (order_id, event, state, order_status, actor) values (${troubled._id}, 'trouble', 'paid', 'placed', 'store')`,
  )
  assert.deepEqual(await listed(), [
    [partly.number, null],
    [waiting.number, null],
  ])
  assert.deepEqual(await listed('?list=blocked'), [
    [held.number, 'held back'],
    [troubled.number, 'to be looked at'],
  ])
  const first = await list('?limit=1')
  assert.deepEqual([first.orders.map(({ number }) => number), first.counts], [[partly.number], { ready: 2, blocked: 2, returns: 0 }])
  assert.deepEqual(
    first.orders[0]?.lines.map(({ productName, quantity, sent, toSend }) => ({ productName, quantity, sent, toSend })),
    [{ productName: 'Saw', quantity: 2, sent: 1, toSend: 1 }],
  )
  const second = await list(`?limit=1&cursor=${first.next}`)
  assert.deepEqual([second.orders.map(({ number }) => number), second.next], [[waiting.number], null])
  assert.deepEqual(await listed(`?order=${waiting._id}&order=${held._id}&order=${sent._id}&order=${unpaid._id}`), [
    [held.number, 'held back'],
    [waiting.number, null],
  ])

  const away = sandboxControls(store).calls.inject({ method: 'POST', path: '/v1/refunds', times: Infinity }, { reset: 'before' })
  await store.admin.request('POST', `/orders/${waiting._id}/cancel`, {})
  assert.deepEqual(await listed(), [[partly.number, null]], 'a cancellation that is on its way leaves nothing to send')
  away.remove()
  await store.db.execute(sql`update refunds set next_try_at = now()`)
  await store.jobs.runAllOnce()
})
