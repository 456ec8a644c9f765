import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Order } from '#store/orders/order-contract.ts'
import { createProducts, payOrder, placeLines, showOrder } from '#test/many-lines-actions.ts'
import { createTestStoreWithCards, getOrderHistory, placePurchase } from '#test/order-actions.ts'
import { askToSend, placePaidLines, sendPieces } from '#test/shipment-actions.ts'
import type { Store } from '#test/store.ts'
import { type TrackingReport, trackingFileLimits } from './carrier-files-contract.ts'
import { readTrackingFile } from './tracking-file.ts'
import { planRows } from './tracking-plan.ts'

async function takeOver(store: Store, file: string, more: object = {}): Promise<TrackingReport> {
  const answer = await store.admin.request('POST', '/orders/to-send/tracking-numbers', { file, ...more })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const actions = ({ rows }: TrackingReport) => rows.map(({ row, action }) => [row, action])
const parcels = async (store: Store, { _id }: Order) =>
  (await showOrder(store.admin, _id)).shipments.map(({ carrier, trackingNumber }) => [carrier, trackingNumber])

test('a file of tracking numbers fills the parcel that has none, sends the rest of what is to be sent, and says of each other row why nothing is done', async () => {
  await using store = await createTestStoreWithCards()
  const orders: Order[] = []
  for (let nth = 0; nth < 8; nth++) orders.push(await placePaidLines(store))
  const [unsent, sent, tracked, held, twice, partly, withTwo, wrong] = orders
  assert.ok(unsent && sent && tracked && held && twice && partly && withTwo && wrong)
  const unpaid = await placePurchase(store)
  await sendPieces(store, sent)
  await askToSend(store, tracked._id, { carrier: 'UPS', trackingNumber: '1Z999AA10123456784' })
  await store.admin.request('PUT', `/orders/${held._id}/held-back`, { reason: 'Wait' })
  await sendPieces(store, partly, 1)
  await sendPieces(store, withTwo, 1)
  await sendPieces(store, withTwo)
  const file = [
    'Order;Tracking number;Carrier;Weight',
    `${unsent.number};00340434161094015902;DHL;1`,
    `#${sent.number};0034 0434 161094 015919;dhl;1`,
    `${tracked.number};1Z999AA10123456785;UPS;1`,
    `${tracked.number + 5000};1;DHL;1`,
    `${held.number};00340434161094015933;DHL;1`,
    `${twice.number};00340434161094015940;DHL;1`,
    `${twice.number};00340434161094015957;DHL;1`,
    `${partly.number};00340434161094015964;DHL;1`,
    `${withTwo.number};00340434161094015971;DHL;1`,
    `${unpaid.number};00340434161094015988;DHL;1`,
    `${wrong.number};1Z999;UPS;1`,
    `${wrong.number};1Z999;UPS;1`,
    ';5;DHL;1',
    '',
    `"Order ${unsent.number}";00340434161094015902;DHL;1`,
    `${unsent.number};;DHL;1`,
  ].join('\r\n')

  const planned = await takeOver(store, file)
  assert.equal(planned.done, false)
  assert.deepEqual(
    planned.rows.map(({ row, action, text }) => [row, action, text]),
    [
      [2, 'send', 'All that is left is sent with this number'],
      [3, 'fill', 'Parcel 1 gets this number'],
      [
        4,
        'refused',
        'This order is sent already, so nothing of it is left to send, and parcel 1 has UPS 1Z999AA10123456784 as its tracking number',
      ],
      [5, 'refused', 'There is no such order'],
      [6, 'refused', 'This order is held back: Wait'],
      [7, 'refused', 'Ambiguous: row 8 has another number for this order. Type them on the page of the order'],
      [8, 'refused', 'Ambiguous: row 7 has another number for this order. Type them on the page of the order'],
      [9, 'refused', 'Ambiguous: parcel 1 has no tracking number, and more is left to send. Type it on the page of the order'],
      [10, 'refused', 'Ambiguous: 2 parcels of this order have no tracking number. Type it on the page of the order'],
      [11, 'refused', 'This order is not paid, so nothing of it is sent'],
      [12, 'refused', 'A number of UPS that begins with 1Z has 18 characters, this one 5'],
      [13, 'nothing', 'The same as row 12'],
      [14, 'refused', 'The row names no order'],
      [16, 'nothing', 'The same as row 2'],
      [17, 'refused', 'The row has no tracking number'],
    ],
  )
  assert.deepEqual(planned.counts, { fill: 1, send: 1, nothing: 2, refused: 11 })
  assert.deepEqual(await parcels(store, unsent), [], 'a dry run changes nothing')
  assert.deepEqual(await parcels(store, sent), [[null, null]])

  const done = await takeOver(store, file, { run: true })
  assert.deepEqual([done.done, done.counts], [true, planned.counts])
  assert.deepEqual(await parcels(store, unsent), [['DHL', '00340434161094015902']])
  assert.deepEqual(await parcels(store, sent), [['DHL', '00340434161094015919']])
  const whole = await showOrder(store.customer, unsent._id)
  assert.deepEqual([whole.orderStatus, whole.fulfilmentStatus, whole.lines.map((line) => line.sent)], ['completed', 'sent', [3, 2]])
  await store.jobs.runAllOnce()
  const mails = (await store.emailsTo(store.customer.email)).filter(({ text }) => /0034043416109401(5902|5919)/.test(text))
  assert.deepEqual(mails.map(({ subject }) => subject).toSorted(), [
    `Order ${unsent.number}: it is on its way`,
    `Order ${sent.number}: parcel 1 is on its way with DHL 00340434161094015919`,
  ])
  const before = [await getOrderHistory(store, unsent), await getOrderHistory(store, sent)]

  const again = await takeOver(store, file, { run: true })
  assert.deepEqual([again.counts.send, again.counts.fill], [0, 0], 'the same file again does nothing')
  assert.deepEqual(actions(again).slice(0, 2), [
    [2, 'nothing'],
    [3, 'nothing'],
  ])
  assert.deepEqual([await getOrderHistory(store, unsent), await getOrderHistory(store, sent)], before)
})

test('the same file twice at one moment sends each order once', async () => {
  await using store = await createTestStoreWithCards()
  const orders = [await placePaidLines(store), await placePaidLines(store)]
  const file = orders.map(({ number }, nth) => `${number}\t0034043416109401590${nth}\tDHL`).join('\n')
  const reports = await Promise.all(Array.from({ length: 4 }, () => takeOver(store, file, { run: true })))
  assert.deepEqual(
    reports.reduce((sum, { counts }) => sum + counts.send, 0),
    2,
  )
  for (const order of orders) assert.equal((await showOrder(store.admin, order._id)).shipments.length, 1)
})

test('the carrier is that of the row, of the file, of the parcel, or of the delivery that the buyer has chosen; without any it is asked for', async () => {
  await using store = await createTestStoreWithCards()
  const order = await placePaidLines(store)
  const plan = async (cell: string, more: object = {}) => {
    const [row] = (await takeOver(store, `order,tracking,carrier\n${order.number},12345678901,${cell}`, more)).rows
    return [row?.action, row?.carrier ?? row?.text, row?.warning]
  }
  assert.deepEqual(await plan('Royal-mail'), [
    'send',
    'Royal Mail',
    'Numbers of Royal Mail are usually 2 letters, 9 digits and GB: look at it again',
  ])
  assert.deepEqual(await plan('', { carrier: 'GLS' }), ['send', 'GLS', null])
  assert.deepEqual((await plan('Pigeon', { carrier: 'GLS' }))[0], 'refused')
  assert.deepEqual(await plan(''), ['refused', 'Say which carrier this number is of: in the row, or for the whole file', null])
  const sent = await sendPieces(store, order)
  await store.admin.request('PATCH', `/orders/${order._id}/shipments/${sent._id}`, { carrier: 'DPD' })
  assert.deepEqual((await plan('')).slice(0, 2), ['fill', 'DPD'])
  for (const file of ['', ' \n', 'order;weight\n1;2', 'tracking_number\n1', '"1001;5'])
    assert.equal((await store.admin.request('POST', '/orders/to-send/tracking-numbers', { file })).statusCode, 400, file)
})

test('a file is read with commas, semicolons or tabs, with a header in any order or none, with quotes, a byte order mark and harmless formulas', () => {
  const expected = [
    { row: 1, order: '1001', trackingNumber: 'A1', carrier: 'DHL' },
    { row: 2, order: '1002', trackingNumber: '-B2', carrier: '' },
  ]
  for (const delimiter of [',', ';', '\t'])
    assert.deepEqual(readTrackingFile([`1001${delimiter}A1${delimiter}"DHL"`, `1002${delimiter}'-B2`].join('\r\n')), expected)
  assert.deepEqual(readTrackingFile('\uFEFFCarrier;Weight;Tracking No.;Order Number\nDHL;5;A1;1001'), [
    { row: 2, order: '1001', trackingNumber: 'A1', carrier: 'DHL' },
  ])
  assert.deepEqual(readTrackingFile('awb,reference\nA1,1001')[0]?.order, '1001')
  const most = Array.from({ length: trackingFileLimits.rows }, (_, nth) => `${nth + 1},A${nth}`)
  assert.equal(readTrackingFile(most.join('\n')).length, trackingFileLimits.rows)
  assert.throws(() => readTrackingFile([...most, '1,2'].join('\n')), /At most 5,000 rows at once: split the file/)
})

test('the addresses of what is to be sent are a file for a carrier: in parts or as they were typed, with the weight of what is left, and no cell is a formula', async () => {
  await using store = await createTestStoreWithCards()
  const [drill, saw] = await createProducts(store)
  await store.db.execute(sql`update tools set weight_g = 1500 where id = ${drill}`)
  await store.db.execute(sql`update tools set weight_g = 200 where id = ${saw}`)
  const place = async () => {
    const order = await placeLines(store, { [drill]: 3, [saw]: 2 })
    await payOrder(store, order)
    return order
  }
  const [typed, checkout, held] = [await place(), await place(), await place()]
  await sendPieces(store, typed, 1)
  await store.admin.request('PUT', `/orders/${held._id}/held-back`, { reason: 'Wait' })
  await store.db.execute(
    sql`update orders set buyer_address = ${'1 Road\nBerlin'}, phone_number = '+49 30 1', country = 'DE' where id = ${typed._id}`,
  )
  const deliverTo = { country: 'US', line1: '=1+1', line2: 'c/o "Bob", Ltd', city: 'Reno', postalCode: '00501', state: 'NV' }
  await store.db.execute(sql`insert into order_details (order_id, cart_id, request_hash, name, deliver_to, company, po_number, delivery_method, part_numbers)
    values (${checkout._id}, gen_random_uuid(), 'x', '@Eve', ${JSON.stringify(deliverTo)}, 'Engines', 'PO-7',
      ${JSON.stringify({ id: 'a', name: 'Parcel', carrier: 'DHL', earliest: '2026-01-01', latest: '2026-01-02' })}, '[]')`)
  await store.db.execute(sql`update tools set weight_g = null where id = ${saw}`)
  const load = async (query = '') => {
    const answer = await store.admin.request('GET', `/orders/to-send/addresses${query}`)
    assert.match(`${answer.headers['content-type']}`, /^text\/csv/)
    return answer.body.split('\r\n')
  }
  const [header, ...rows] = await load()
  assert.equal(header, 'order_number,name,company,address_1,address_2,postal_code,city,state,country,phone,email,weight_g,method,reference')
  assert.equal(rows.length, 3, 'what is held back is left out, and the file ends with a line end')
  assert.match(`${rows[0]}`, /,ada@shop\.example,,,$/, 'a weight that is not known is not said')
  await store.db.execute(sql`update tools set weight_g = 200 where id = ${saw}`)
  const [, first, second] = await load(`?order=${checkout._id}&order=${typed._id}&order=${held._id}`)
  const { email } = store.customer
  assert.equal(first, `${typed.number},Ada,,1 Road,Berlin,,,,DE,'+49 30 1,${email},3400,,`)
  assert.equal(second, `${checkout.number},'@Eve,Engines,'=1+1,"c/o ""Bob"", Ltd",00501,Reno,NV,US,,${email},4900,Parcel,PO-7`)
  for (const actor of [store.customer, store.visitor])
    assert.ok([401, 403].includes((await actor.request('GET', '/orders/to-send/addresses')).statusCode))
})

test('a file whose rows are all of one order is planned in a time that grows with its rows and not with their square', () => {
  let reads = 0
  const rows = Array.from({ length: trackingFileLimits.rows }, (_, nth) => ({
    ...{ row: nth + 2, order: '1001', carrier: 'UPS' },
    get trackingNumber() {
      reads++
      return 'AB12'
    },
  }))
  const orders = new Map([[1001, { _id: crypto.randomUUID(), whyNot: null, carrier: null, shipments: [] }]])
  const planned = planRows(rows, orders, undefined)
  assert.equal(planned[1]?.text, 'The same as row 2')
  assert.ok(reads < 10 * rows.length, `${reads} reads of ${rows.length} rows`)
})

test('a cell of a quarter of a megabyte where the order number belongs is refused as quickly as any other', async () => {
  await using store = await createTestStoreWithCards()
  const cell = `order${' '.repeat(250_000)}x`
  const { rows } = await takeOver(store, `${cell},A1`) // with a pattern that tries each of the spaces it takes minutes
  assert.equal(rows[0]?.text, 'This is no number of an order')
  assert.equal((await takeOver(store, 'order  # 7,A1')).rows[0]?.text, 'There is no such order')
})
